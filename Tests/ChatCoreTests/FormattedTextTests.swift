import ChatProtocol
import Testing

@testable import ChatCore

@Suite struct FormattedTextTests {
    private static let server = "smp%3A%2F%2F1234-w%3D%3D%40smp.simplex.im%3A5223%2F3456-w%3D%3D"
    private static let queue =
        "\(server)%23%2F%3Fv%3D1-2%26dh%3DMCowBQYDK2VuAyEAjiswwI3O_NlS8Fk3HJUW870EY2bAwmttMBsvRB9eV3o%253D"
    private static let ratchetKey =
        "MEIwBQYDK2VvAzkAmKuSYeQ_m0SixPDS8Wq8VBaTS1cW-Lp0n0h4Diu-kUpR-qXx4SDJ32YGEFoGFGSbGPry5Ychr6U%3D"
    private static let invitation =
        "/invitation#/?v=1&smp=\(queue)&e2e=v%3D2%26x3dh%3D\(ratchetKey)%2C\(ratchetKey)"
    private static let group = "/contact#/?v=2&smp=\(queue)&data=%7B%22type%22%3A%22group%22%7D"

    private func link(in text: String) -> SimplexLink? {
        guard case .simplexLink(let link, _) = FormattedText.parts(of: text)?.first?.format else { return nil }
        return link
    }

    @Test func full_links() throws {
        for origin in ["simplex:", "https://simplex.chat", "https://example.com"] {
            let link = try #require(self.link(in: origin + Self.invitation + "\ntext"))
            #expect(link.kind == .invitation && link.hosts == ["smp.simplex.im"] && link.isFull)
            #expect(link.uri.hasPrefix("simplex:/invitation#/?v="))
            #expect(self.link(in: origin + Self.group)?.kind == .group)
        }
        #expect(link(in: "simplex:/contact#/?v=2&smp=\(Self.queue)")?.kind == .contact)
        #expect(FormattedText.parts(of: "[a](simplex:\(Self.group))") == nil)
    }

    @Test(arguments: [("a", SimplexLink.Kind.contact), ("g", .group), ("c", .channel), ("r", .relay)])
    func short_links(letter: String, kind: SimplexLink.Kind) throws {
        let key = "lrdvu2d8A1GumSmoKb2krQmtKhWXq-tyGpHuM7aMwsw"
        let link = try #require(self.link(in: "https://smp6.simplex.im/\(letter)#\(key)"))
        #expect(link.kind == kind && link.hosts == ["smp6.simplex.im"] && !link.isFull)
        #expect(link.uri == "simplex:/\(letter)#\(key)?h=smp6.simplex.im")
    }
}
