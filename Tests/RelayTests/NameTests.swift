import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

@testable import Relay

/// The resolution of names: RSLV, and the HTTP resolver of the operator (SMP v20).
@Suite struct NameTests {
    private let record = NameRecord(name: "alice.simplex", contactLinks: ["simplex:/a#1"])

    @Test func withoutAResolverThereAreNoNames() throws {
        let world = try CoreWorld()
        let client = world.connect(version: 20), domain = try SimplexDomain(text: "alice.simplex")
        #expect(try client.ask(.rslv(domain)) == .err(.name(.noResolver)))
        let older = world.connect(version: 19)
        #expect(try older.ask(.rslv(domain)) == .err(.command(.unknown)))
        #expect(try client.ask(.rslv(domain), of: EntityID([1])) == .err(.command(.hasAuthorization)))
    }

    @Test func namesDoNotBlockOtherCommands() throws {
        var rules = RelayRules()
        rules.resolvesNames = true
        rules.nameRequests = 2
        let world = try CoreWorld(rules: rules)
        let client = world.connect(version: 20)
        let asked = try ["alice.simplex", "bob.simplex"].map { name in
            try client.submit(.rslv(try SimplexDomain(text: name)))
        }
        #expect(try client.ask(.rslv(try SimplexDomain(text: "c.simplex"))) == .err(.name(.resolver("busy"))))
        #expect(try client.ask(.ping) == .pong)
        let requests = world.core.takeNameRequests()
        #expect(requests.map(\.domain.description) == ["alice.simplex", "bob.simplex"])
        // The second name is answered first.
        world.core.answer(requests[1], with: .failure(.notFound))
        world.core.answer(requests[0], with: .success(record))
        try world.endTurn()
        let answers = client.answers()
        #expect(answers[asked[0]] == .rname(record))
        #expect(answers[asked[1]] == .err(.name(.notFound)))
        #expect(try client.submit(.rslv(try SimplexDomain(text: "c.simplex"))).bytes.count == SMP.idSize)
        #expect(world.core.takeNameRequests().count == 1)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8765", "http://127.0.0.1:8765"), ("http://localhost/", "http://localhost"),
        ("http://[::1]:80/names/", "http://[::1]/names"), ("http://[::1]", "http://[::1]"),
    ]) func resolverAddresses(text: String, canonical: String) throws {
        #expect(try ResolverAddress(text: text).description == canonical)
        #expect(try ResolverAddress(text: canonical).description == canonical)
    }

    @Test(arguments: [
        "", "127.0.0.1", "https://localhost", "http://", "http://:80", "http://a:0", "http://a:70000", "http://a b",
        "http://a/b?c", "http://u@h", "http://a/b c",
    ]) func invalidResolverAddresses(text: String) {
        #expect(throws: DecodeError.self) { try ResolverAddress(text: text) }
    }

    @Test func responses() throws {
        func read(_ text: String, isAtEnd: Bool = false) throws(DecodeError) -> HTTPResponse? {
            try HTTPResponse(Bytes(text.utf8), isAtEnd: isAtEnd)
        }
        let sized = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX: y\r\n\r\nbody"
        let chunked = "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2;x=y\r\ndy\r\n0\r\n\r\n"
        #expect(try read(sized)?.body == Bytes("body".utf8))
        #expect(try read(sized)?.status == 200)
        #expect(try read(chunked)?.body == Bytes("body".utf8))
        #expect(try read(chunked)?.status == 404)
        #expect(try read("HTTP/1.0 200 OK\r\n\r\nbody", isAtEnd: true)?.body == Bytes("body".utf8))
        for count in 0..<sized.utf8.count {
            let part = String(sized.utf8.prefix(count)) ?? ""
            #expect(try read(part) == nil)
            #expect(throws: DecodeError.self) { try read(part, isAtEnd: true) }
        }
        for broken in [
            "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "HTTP/1.1 200 OK\r\nnothing\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        ] {
            #expect(throws: DecodeError.self, "\(broken)") { try read(broken, isAtEnd: true) }
        }
        for variant in Damage.variants(of: Bytes(chunked.utf8)) {
            _ = try? HTTPResponse(variant, isAtEnd: true)
            _ = try? HTTPResponse(variant, isAtEnd: false)
        }
    }
}
