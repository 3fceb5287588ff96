import Agent
import JSONCoding
import SMPClient
import TestSupport
import Testing
import XFTPProtocol

@testable import ChatCore

/// Links of migrations, in the form of the official applications.
@Suite struct MigrationLinkTests {
    private static func recorded() throws -> String {
        let cases = VectorFile.cases("xftp", kind: "fileLink")
        return try #require(cases.first { $0["name"].text == "redirect" && $0["clientData"].isNull })["text"].text
    }

    private static func settings(_ texts: [NetworkSettings.Setting: String]) throws -> NetworkSettings {
        try NetworkSettings(texts)
    }

    @Test func a_link_has_the_settings_of_the_official_applications() throws {
        let archive = try Self.recorded()
        let link = try #require(
            MigrationLink(archive, network: .init(NetworkSettings()), report: "https://smp.example/i#a/b?c=%20d&e"))
        #expect(link.text.hasPrefix(archive + "&data=%7B"))
        let data = try #require(link.file.clientData)
        #expect(
            data == #"{"networkConfig":{"hostMode":"onionViaSocks","requiredHostMode":false},"#
                + #""tacit":{"report":"https://smp.example/i#a/b?c=%20d&e"}}"#)
        let read = try #require(MigrationLink(text: link.text))
        #expect(read.network == link.network && read.report == link.report && read.text == link.text)
        #expect(read.network?.hidesAddress == false)
        #expect(MigrationLink("simplex:/contact", network: .init(NetworkSettings()), report: nil) == nil)
    }

    @Test func the_proxy_of_a_link_has_no_login() throws {
        let settings = try Self.settings([.proxy: "socks5h://user:secret@proxy.example:9999", .onion: "require"])
        let link = try #require(
            MigrationLink(try Self.recorded(), network: .init(settings), report: nil))
        #expect(
            link.file.clientData
                == #"{"networkConfig":{"networkProxy":{"auth":"isolate","host":"proxy.example","port":9999},"#
                + #""hostMode":"onionViaSocks","requiredHostMode":true}}"#)
        #expect(!link.text.contains("secret"))
        #expect(link.network?.hidesAddress == true)
        let plain = MigrationLink.Network(try Self.settings([.onion: "never"]))
        #expect(plain == .init(hostMode: .public, requiresHostMode: false))
    }

    /// What the applications write for Android and desktop (form encoding), and for iOS.
    @Test(arguments: [
        (
            "%7B%22networkConfig%22%3A%7B%22hostMode%22%3A%22onionViaSocks%22%2C%22requiredHostMode%22%3Afalse%7D%7D",
            MigrationLink.Network(hostMode: .onionThroughProxy, requiresHostMode: false)
        ),
        (
            "%7B%22networkConfig%22%3A%7B%22networkProxy%22%3A%7B%22username%22%3A%22%22%2C%22password%22%3A%22%22%2C"
                + "%22auth%22%3A%22isolate%22%2C%22host%22%3A%22localhost%22%2C%22port%22%3A9050%7D%2C%22hostMode%22%3A"
                + "%22onionViaSocks%22%2C%22requiredHostMode%22%3Atrue%7D%7D",
            MigrationLink.Network(
                proxy: .init(host: "localhost", port: 9050), hostMode: .onionThroughProxy, requiresHostMode: true)
        ),
        (
            "%7B%22networkConfig%22:%7B%22hostMode%22:%22onion%22,%22requiredHostMode%22:true%7D%7D",
            MigrationLink.Network(hostMode: .onion, requiresHostMode: true)
        ),
        (
            "%7B%22networkConfig%22%3A%7B%22socksProxy%22%3A%22u%3Ap%40127.0.0.1%3A9150%22%7D%7D",
            MigrationLink.Network(proxy: .init(host: "127.0.0.1", port: 9150))
        ),
        ("%7B%22networkConfig%22%3A%7B%7D%7D", MigrationLink.Network()),
        ("%7B%22networkConfig%22%3A%7B%22hostMode%22%3A%22later%22%7D%7D", MigrationLink.Network()),
    ])
    func links_of_the_applications_are_read(_ data: String, _ expected: MigrationLink.Network) throws {
        for prefix in ["", "https://simplex.chat"] {
            let archive = try Self.recorded()
            let text = (prefix.isEmpty ? archive : prefix + archive.dropFirst("simplex:".count)) + "&data=" + data
            let link = try #require(MigrationLink(text: text))
            #expect(link.network == expected && link.report == nil)
        }
    }

    @Test func strange_data_is_no_reason_to_refuse_a_link() throws {
        let archive = try Self.recorded()
        #expect(MigrationLink(text: archive)?.network == nil)
        for data in [
            "x", "%7B", "%5B%5D", "%7B%22networkConfig%22%3A1%7D", "%7B%22tacit%22%3A%7B%22report%22%3A7%7D%7D",
        ] {
            let link = try #require(MigrationLink(text: archive + "&data=" + data))
            #expect(link.network == nil && link.report == nil)
        }
        let long = String(repeating: "a", count: 5000)
        let link = try #require(
            MigrationLink(text: archive + "&data=%7B%22tacit%22%3A%7B%22report%22%3A%22\(long)%22%7D%7D"))
        #expect(link.report == nil)
        for end in stride(from: 0, to: archive.count, by: 7) {
            #expect(MigrationLink(text: String(archive.prefix(end))) == nil)
        }
    }
}
