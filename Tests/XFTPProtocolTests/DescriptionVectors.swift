import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing
import XFTPProtocol

/// `xftp.json` and smp-agent.md 14.23: descriptions of files.
@Suite struct DescriptionVectors {
    @Test(arguments: VectorFile.cases("xftp", kind: "fileDescription"))
    func descriptions(vector: Vector) throws {
        let yaml = vector["yaml"].text
        let description = try FileDescription(text: yaml)
        check(description, vector["value"])
        #expect(description.text == yaml)
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "parseFileDescription"))
    func parsedDescriptions(vector: Vector) {
        do throws(FileDescriptionError) {
            let description = try FileDescription(text: vector["yaml"].text)
            #expect(!vector.has("error"))
            if let value = vector.field("value") { check(description, value) }
        } catch {
            #expect(vector.has("error"))
            switch vector["name"].text {
            case "chunks are not sequential": #expect(error == .chunkNumbers)
            case "size is not the sum": #expect(error == .size)
            case "unknown party": #expect(error == .syntax("party"))
            case "no key": #expect(error == .syntax("missing field"))
            default: break
            }
        }
    }

    private func check(_ description: FileDescription, _ value: Vector) {
        #expect(description.party.rawValue == value["party"].text)
        #expect(description.size == value["size"].int64)
        #expect(description.digest == value["digest"].bytes)
        #expect(description.key.key.copyBytes() == value["key"].bytes)
        #expect(description.key.nonce.bytes == value["nonce"].bytes)
        #expect(Int64(description.chunkSize) == value["chunkSize"].int64)
        #expect(description.redirect?.size == value.field("redirect")?["size"].int64)
        #expect(description.redirect?.digest == value.field("redirect")?["digest"].bytes)
        #expect(description.chunks.count == value["chunks"].list.count)
        for (chunk, recorded) in zip(description.chunks, value["chunks"].list) {
            #expect(chunk.number == recorded["no"].int)
            #expect(Int64(chunk.size) == recorded["size"].int64)
            #expect(chunk.digest == recorded["digest"].bytes)
            #expect(chunk.replicas.count == recorded["replicas"].list.count)
            for (replica, recorded) in zip(chunk.replicas, recorded["replicas"].list) {
                #expect(replica.server.text(scheme: .xftp) == recorded["server"].text)
                #expect(replica.id.bytes == recorded["id"].bytes)
                #expect(replica.key.pkcs8 == recorded["key"].bytes)
            }
        }
    }

    /// smp-agent.md 14.23, whose ids, digests and fingerprints are dummies. Digests and fingerprints of the right size
    /// stand for them here.
    private static let fixture: String = {
        let key = "MC4CAQAwBQYDK2VwBCIEIDfEfevydXXfKajz3sRkcQ7RPvfWUPoq6pu1TYHV1DEe"
        let digest = Base64URL.encode(Bytes(1...32))
        func server(_ number: Int, _ chunks: [String]) -> String {
            let lines = chunks.map { "  - \($0.split(separator: ":")[0]):YWJj:\(key)\($0.dropFirst())\n" }
            return "- chunks:\n\(lines.joined())  server: xftp://\(digest)@example\(number).com\n"
        }
        return "chunkSize: 8mb\ndigest: \(Base64URL.encode(Bytes(1...64)))\n"
            + "key: 00n8p1tJq5E-SGnHcYTOrS4A9I07gTA_WFD6MTFFFOY=\nnonce: dPSF-wrQpDiK_K6sYv0BDBZ9S4dg-jmu\n"
            + "party: recipient\nreplicas:\n" + server(1, ["1:\(digest)", "3:\(digest)"])
            + server(2, ["2:\(digest)", "4:\(digest):2mb"]) + server(3, ["1", "4"]) + server(4, ["2", "3"])
            + "size: 26mb\n"
    }()

    @Test func specificationFixture() throws {
        let description = try FileDescription(text: Self.fixture)
        #expect(description.text == Self.fixture)
        #expect(description.chunks.map(\.size) == [8 << 20, 8 << 20, 8 << 20, 2 << 20])
        #expect(description.chunks.map(\.replicas.count) == [2, 2, 2, 2])
        #expect(
            description.servers.map(\.location) == [
                "example1.com", "example3.com", "example2.com", "example4.com",
            ])
    }

    /// Every change of the fixture breaks a rule or leads to another description.
    @Test func damagedTextsAreNoticed() {
        let text = Bytes(Self.fixture.utf8)
        // Half of the chunk lines are enough; all changes of all lines would take minutes.
        Damage.survive(Bytes(text.prefix(500))) { damaged in
            let damaged = String(decoding: damaged + text.dropFirst(500), as: UTF8.self)
            _ = try FileDescription(text: damaged)
        }
        for count in stride(from: 0, to: text.count - 11, by: 7) {
            #expect(throws: FileDescriptionError.self) {
                try FileDescription(text: String(decoding: text.prefix(count), as: UTF8.self))
            }
        }
    }

    @Test(arguments: [
        ("chunkSize: 8mb", "chunkSize: 0mb", FileDescriptionError.size),
        ("chunkSize: 8mb", "chunkSize: 8gb", .size),
        ("size: 26mb", "size: 6gb", .size),
        ("size: 26mb", "size: 9223372036854775807gb", .syntax("size")),
        ("size: 26mb", "size: 26mb\nsize: 26mb", .syntax("field")),
        ("size: 26mb", "", .syntax("missing field")),
        (":2mb", ":0", .size),
        (":2mb", ":2mb:1", .syntax("chunk")),
        ("- 4:YWJj:MC4", "- 04:YWJj:MC4", .syntax("chunk number")),
        ("- 4:YWJj:MC4", "- -4:YWJj:MC4", .chunkNumbers),
        ("- 4:YWJj:MC4", "- 5:YWJj:MC4", .digest),
        ("- 4:YWJj:MC4", "- 2:YWJj:MC4", .chunkNumbers),
        ("- 4:YWJj:MC4", "- 0:YWJj:MC4", .chunkNumbers),
        ("- 4:YWJj:MC4", "- 99999999:YWJj:MC4", .chunkNumbers),
        ("- 4:YWJj:MC4", "- 4::MC4", .syntax("chunk id")),
        ("- 4:YWJj:MC4", "- 4:YWJj:MD4", .syntax("chunk key")),
        ("server: xftp://", "server: smp://", .syntax("server")),
        ("@example1.com", "@", .syntax("server")),
        ("@example1.com", "@a/b", .syntax("server")),
        ("@example1.com", "@example1.com:99999", .syntax("server")),
        ("server: xftp://AQID", "server: xftp://AQI=", .syntax("server")),
        ("party: recipient", "party: &a recipient", .syntax("value")),
        ("party: recipient", "party: *a", .syntax("value")),
        ("party: recipient", "party: !!str recipient", .syntax("value")),
        ("party: recipient", "party: {a: b}", .syntax("value")),
        ("party: recipient", "party: \"recip\\u0069ent\"", .syntax("quotes")),
        ("party: recipient", "party: 'recipient", .syntax("quotes")),
        ("party: recipient", "party: recipient\n# comment", .syntax("field")),
        ("party: recipient", "party: recipient\nextra:\n  a: b", .syntax("field")),
        ("party: recipient", "party: recipient\nredirect: 1", .syntax("redirect")),
        ("party: recipient", "party: recipient\nredirect:\n  size: 1", .syntax("redirect")),
        ("party: recipient", "party: recipient\nredirect:\n  size: +1\n  digest: AQID", .syntax("redirect")),
        ("party: recipient", "party: recipient\nredirect:\n  size: 1\n  digest: AQID", .digest),
        ("replicas:", "replicas: []", .syntax("value")),
        ("- chunks:", "- chunks:\n  server: x", .syntax("chunks")),
        ("key: 00n8", "key: n8", .syntax("key")),
        ("key: 00n8p1tJ", "key: p1tJ", .syntax("key")),
        ("nonce: dPSF", "nonce: ", .syntax("nonce")),
        ("digest: AQIDBAUG", "digest: AQID", .digest),
    ])
    func wrongDescriptions(old: String, new: String, error: FileDescriptionError) throws {
        #expect(throws: error) { try FileDescription(text: replacingFirst(old, by: new, in: Self.fixture)) }
    }

    @Test func differentDigestsOfReplicas() {
        let digest = Base64URL.encode(Bytes(1...32)), other = Base64URL.encode(Bytes(2...33))
        let key = "MC4CAQAwBQYDK2VwBCIEIDfEfevydXXfKajz3sRkcQ7RPvfWUPoq6pu1TYHV1DEe"
        let first = "- 1:YWJj:\(key)\n"
        #expect(throws: FileDescriptionError.digest) {
            try FileDescription(
                text: replacingFirst(first, by: "- 1:YWJj:\(key):\(other)\n", in: Self.fixture))
        }
        #expect(throws: FileDescriptionError.size) {
            try FileDescription(
                text: replacingFirst(
                    first, by: "- 1:YWJj:\(key):\(digest):4mb\n",
                    in: replacingFirst(
                        "- 1:YWJj:\(key):\(digest)\n", by: "- 1:YWJj:\(key):\(digest):8mb\n", in: Self.fixture)))
        }
        #expect(throws: FileDescriptionError.digest) {
            try FileDescription(
                text: replacingFirst("- 1:YWJj:\(key):\(digest)\n", by: first, in: Self.fixture))
        }
    }

    /// Other writers of YAML indent lists, change the order and use quotes.
    @Test func otherLayouts() throws {
        let digest = Base64URL.encode(Bytes(1...32))
        let text = """
            size: "65536"
            party: 'sender'
            redirect: null
            replicas:
              - server: "xftp://\(digest)@[::1]:5443"
                chunks:
                    - "1:YWJj:MC4CAQAwBQYDK2VwBCIEIDfEfevydXXfKajz3sRkcQ7RPvfWUPoq6pu1TYHV1DEe:\(digest)"

            chunkSize: 64kb
            nonce: dPSF-wrQpDiK_K6sYv0BDBZ9S4dg-jmu
            key: 00n8p1tJq5E-SGnHcYTOrS4A9I07gTA_WFD6MTFFFOY=
            digest: \(Base64URL.encode(Bytes(1...64)))
            """
        let description = try FileDescription(text: text)
        #expect(description.party == .sender)
        #expect(description.servers.map(\.location) == ["[::1]:5443"])
        #expect(try FileDescription(text: description.text).text == description.text)
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "fileLink"))
    func links(vector: Vector) throws {
        let link = try FileLink(text: vector["text"].text)
        #expect(link.clientData == vector.field("clientData")?.text)
        let isWeb = vector["text"].text.hasPrefix("https:")
        #expect((isWeb ? link.webText(host: "simplex.chat") : link.text) == vector["text"].text)
        #expect(FileLink.begins(vector["text"].text))
    }

    @Test func wrongLinks() {
        let description = VectorFile.cases("xftp", kind: "fileDescription")[0]["yaml"].text
        let query = QueryString([.init("desc", description)]).text
        let sender = QueryString([.init("desc", replacingFirst("recipient", by: "sender", in: description))]).text
        #expect(throws: FileDescriptionError.party) { try FileLink(text: "simplex:/file#/?\(sender)") }
        #expect((try? FileLink(text: "simplex:/file/#/?x=1&\(query)")) != nil)
        for text in [
            "simplex:/invitation#/?\(query)", "simplex:/file#/?", "simplex:/file#/?desc=%", "simplex:/file#/?desc=x",
            "http://simplex.chat/file#/?\(query)", "https:///file#/?\(query)", "",
        ] {
            #expect(throws: FileDescriptionError.self) { try FileLink(text: text) }
        }
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "fileSizeText"))
    func sizeTexts(vector: Vector) {
        #expect(FileSizeText.encode(vector["bytes"].int64) == vector["text"].text)
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "parseFileSize"))
    func parsedSizes(vector: Vector) {
        #expect((try? FileSizeText.decode(vector["text"].text)) == vector.field("bytes")?.int64)
    }
}

private func replacingFirst(_ old: String, by new: String, in text: String) -> String {
    guard let range = text.firstRange(of: old) else { fatalError("the text has no \(old)") }
    return text.replacingCharacters(range, with: new)
}

extension String {
    fileprivate func replacingCharacters(_ range: Range<String.Index>, with new: String) -> String {
        String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
    }
}
