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

    // MARK: - Programs

    @Test(arguments: [
        ("/bin/names", "/bin/names"), ("/bin/names  -q --x=1 ", "/bin/names -q --x=1"), ("http://h/", "http://h"),
    ]) func sources(text: String, canonical: String) throws {
        #expect(try NameSource(text: text).description == canonical)
        #expect(try NameSource(text: canonical) == NameSource(text: text))
    }

    @Test(arguments: ["", "names", "./names", "~/names", "/bin/\u{7}x", "https://h"])
    func invalidSources(text: String) {
        #expect(throws: DecodeError.self) { try NameSource(text: text) }
    }

    /// Runs a script of a resolver for a name.
    private func run(_ script: String, _ name: String = "alice.simplex") throws -> Result<NameRecord, NameError> {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/resolver"
        try TemporaryFolder.write(Bytes(script.utf8), to: path)
        return try ResolverProgram(text: "/bin/sh \(path) -x").record(of: try SimplexDomain(text: name))
    }

    @Test func aProgramPrintsTheRecord() throws {
        let found = try run(#"printf '{"simplexContact":["%s"],"nickname":"%s"}' "$2" "$#$1""#)
        #expect(
            try found.get()
                == NameRecord(name: "alice.simplex", nickname: "2-x", contactLinks: ["alice.simplex"]))
        // The complete form of the reference is read too.
        let record = NameRecord(
            name: "alice.simplex", website: "w", location: "l", channelLinks: ["c"], coins: ["btc": "b"], owner: "0x1")
        let json = String(decoding: RelayMessage.rname(record).encoded(version: 20).dropFirst(6), as: UTF8.self)
        #expect(try run("cat <<'X'\n\(json)\nX").get() == record)
    }

    @Test func whatGoesWrongWithAProgramIsToldInShort() throws {
        #expect(try run("true") == .failure(.notFound))
        #expect(try run("echo") == .failure(.notFound))
        #expect(try run("exit 3") == .failure(.resolver("program failed")))
        #expect(try run("echo '{}'; exit 1") == .failure(.resolver("program failed")))
        for text in ["x", "[]", #"{"simplexContact":"x"}"#, #"{"simplexContact":[1]}"#, #"{"nickname":1}"#] {
            #expect(try run("echo '\(text)'") == .failure(.resolver("invalid response")))
        }
        #expect(try run("head -c 70000 /dev/zero") == .failure(.resolver("response too large")))
        let long = #"printf '{"nickname":"'; head -c 20000 /dev/zero | tr '\0' x; printf '"}'"#
        #expect(try run(long) == .failure(.resolver("response too large")))
        let missing = try ResolverProgram(text: "/nowhere/names")
        #expect(missing.record(of: try SimplexDomain(text: "a.b")) == .failure(.resolver("program failed")))
        // What it writes to standard error is not its answer, and does not hold it up.
        #expect(try run("head -c 200000 /dev/zero >&2; echo '{}'").get() == NameRecord(name: "alice.simplex"))
    }

    @Test func recordsAreKeptForAShortTime() throws {
        var cache = NameCache()
        let now = ContinuousClock.now, names = try ["a.b", "c.d", "e.f"].map { try SimplexDomain(text: $0) }
        cache.keep(.success(record), for: names[0], at: now)
        cache.keep(.failure(.notFound), for: names[1], at: now)
        cache.keep(.failure(.resolver("timeout")), for: names[2], at: now)
        #expect(cache.result(for: names[0], at: now + .seconds(59)) == .success(record))
        #expect(cache.result(for: names[0], at: now + .seconds(60)) == nil)
        #expect(cache.result(for: names[1], at: now + .seconds(9)) == .failure(.notFound))
        #expect(cache.result(for: names[1], at: now + .seconds(10)) == nil)
        #expect(cache.result(for: names[2], at: now) == nil)
        for number in 0..<(3 * NameCache.limit) {
            cache.keep(.failure(.notFound), for: try SimplexDomain(text: "n\(number).x"), at: now)
        }
        #expect(cache.result(for: names[0], at: now) == nil)
        #expect(
            cache.result(for: try SimplexDomain(text: "n\(3 * NameCache.limit - 1).x"), at: now)
                == .failure(.notFound))
        cache.clear()
        #expect(
            cache.result(for: try SimplexDomain(text: "n\(3 * NameCache.limit - 1).x"), at: now) == nil)
    }
}
