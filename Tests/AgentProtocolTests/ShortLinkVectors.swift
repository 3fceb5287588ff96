import AgentProtocol
import ByteCoding
import SMPProtocol
import TestSupport
import Testing

/// `links.json`: short links as text and binary, with and without what well-known servers leave out.
@Suite struct ShortLinkVectors {
    @Test(arguments: VectorFile.cases("links", kind: "shortLink"))
    func links(vector: Vector) throws {
        let link = try vector["link"].shortLink()
        let text = vector["text"].text
        let binary = vector["binary"].bytes
        #expect(link.description == text)
        #expect(link.encoded == binary)
        #expect(vector["parses"].bool)
        #expect(try ShortLink(text: text) == link)
        let pasted = try ConnectionLink(text: text)
        #expect(pasted == .short(link) && pasted.description == text)
        #expect(pasted.servers == [link.server] && pasted.kind == link.kind && pasted.id == link.linkID)
        let read = try vector.field("binaryParsesAs")?.shortLink() ?? link
        #expect(try ShortLink(decoding: binary) == read)
        #expect(read.isSame(as: link))
        Damage.check(Bytes(text.utf8), ignoring: text.positionsThatMeanTheSame) {
            try ShortLink(text: String(decoding: $0, as: UTF8.self))
        }
        Damage.check(binary) { try ShortLink(decoding: $0) }
    }

    @Test(arguments: VectorFile.cases("links", kind: "parseShortLink"))
    func parses(vector: Vector) throws {
        let text = vector["text"].text
        // Numbers that do not fit wrap around in the recorded implementation: "a quirk, not a requirement".
        guard !vector.has("error"), !text.contains("p=99999") else {
            #expect(throws: DecodeError.self) { try ShortLink(text: text) }
            #expect(throws: DecodeError.self) { try ConnectionLink(text: text) }
            return
        }
        let link = try ShortLink(text: text)
        #expect(try link == vector.shortLink())
        #expect(link.description == vector["canonical"].text)
        Damage.survive(Bytes(text.utf8)) { _ = try ShortLink(text: String(decoding: $0, as: UTF8.self)) }
    }

    @Test(arguments: VectorFile.cases("links", kind: "shortenWithPresetServers"))
    func knownServers(vector: Vector) throws {
        let known = try vector["presetServers"].list.map { try ServerAddress(text: $0.text) }
        let link = try ShortLink(text: vector["link"].text)
        let shortened = link.shortened(for: known)
        #expect(shortened.description == vector["shortened"].text)
        #expect(shortened.restored(from: known).description == vector["restored"].text)
        #expect(shortened.restored(from: []) == shortened)
        let isShortened = shortened != link
        #expect((try? shortened.usableServer()) == (isShortened ? nil : link.server))
        #expect(try shortened.restored(from: known).usableServer() == shortened.restored(from: known).server)
        #expect(shortened.isSame(as: link))
    }

    @Test(arguments: VectorFile.cases("links", kind: "parseAnyLink"))
    func anyLink(vector: Vector) throws {
        let text = vector["text"].text
        switch (try? ConnectionLink(text: text), vector.field("is")?.text) {
        case (.full(let request)?, "long"): #expect(try ConnectionRequest(text: text) == request)
        case (.short(let link)?, "short"): #expect(try ShortLink(text: text) == link)
        case (nil, nil): #expect(vector.has("error"))
        case let (link, expected): Issue.record("\(text) is \(expected ?? "no link"), and became \(link as Any)")
        }
    }

    @Test(arguments: VectorFile.cases("links", kind: "parseName"))
    func names(vector: Vector) throws {
        let text = vector["text"].text
        guard !vector.has("error") else {
            #expect(throws: DecodeError.self) { try RegisteredName(text: text) }
            return
        }
        let name = try RegisteredName(text: text)
        #expect(name.kind == (vector["type"].text == "contact" ? .contact : .group))
        #expect("TLD\(name.registry.rawValue)".lowercased() == vector["tld"].text.lowercased())
        #expect(name.domain == vector["domain"].text)
        #expect(name.subdomains == vector["subDomains"].list.map(\.text))
        #expect(name.description == vector["canonical"].text)
        #expect(name.short == vector["short"].text)
        #expect(try RegisteredName(text: name.description) == name)
        #expect(try RegisteredName(text: name.short) == name)
        Damage.survive(Bytes(text.utf8)) { _ = try RegisteredName(text: String(decoding: $0, as: UTF8.self)) }
    }

    @Test func linesOfTheSpecification() throws {
        let server = ServerAddress(hosts: [.domain("smp.simplex.im")], port: nil, fingerprint: Bytes(1...32))
        let key = ShortLinkKey(Bytes("0123456789abcdef0123456789abcdef".utf8))
        let contact = ShortLink(target: .address(.contact), server: server, key: key)
        #expect(contact.description == VectorFile.line("short contact link").quoted)
        #expect(contact.encoded == VectorFile.line("short contact link binary").bytes)

        let text = VectorFile.line("short invitation link simplex:").quoted
        let invitation = try ShortLink(text: text)
        #expect(invitation.description == text)
        #expect(invitation.kind == .invitation)
        #expect(invitation.linkID == EntityID(Bytes(1...24)))
        #expect(invitation.server.port == 5223)
        let binary = try ShortLink(decoding: VectorFile.line("short invitation link binary").bytes)
        #expect(binary == ShortLink(target: .invitation(EntityID(Bytes(1...24))), server: server, key: key))
        #expect(binary.encoded == VectorFile.line("short invitation link binary").bytes)
    }

    /// Links in the tests of the reference implementation, whose fingerprint is a short stand-in.
    @Test(arguments: [
        "https://smp.simplex.im/a#KEY?h=ONION&p=5223&c=1234-w", "https://smp.simplex.im/g#KEY?h=ONION&p=5223&c=1234-w",
        "https://smp.simplex.im/a#KEY", "https://smp.simplex.im/i#ID/KEY?h=ONION&p=5223&c=1234-w",
        "simplex:/a#KEY?h=smp.simplex.im%2CONION&p=5223&c=1234-w", "simplex:/i#ID/KEY?h=smp.simplex.im",
    ])
    func reference(pattern: String) throws {
        let text =
            pattern
            .replacing("KEY", with: "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY")
            .replacing("ID", with: "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3")
            .replacing("ONION", with: "jjbyvoemxysm7qxap7m5d5m35jzv5qq6gnlv7s4rsn7tdwwmuqciwpid.onion")
        let link = try ShortLink(text: text)
        #expect(link.description == text)
        #expect(link.key == ShortLinkKey(Bytes("0123456789abcdef0123456789abcdef".utf8)))
        if case .invitation(let id) = link.target { #expect(id.bytes == Bytes("0123456789abcdef01234567".utf8)) }
        #expect(throws: LinkError.unknownServer) { try link.usableServer() }
    }

    @Test(arguments: [
        "a#4AkRDmhf64tdRlN406g8lJRg5OCmhD6ynIhi6glOcCM",
        "i#tnUaHYp8saREmyEHR93SBpl8ySHBchOt/LJ1ZQUzxH9Udb0jw5wmJACv5o6oe8e7BsX_hUCUMTSY",
    ])
    func referenceOfALocalServer(path: String) throws {
        let fingerprint = "LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI"
        let known = [try ServerAddress(text: "smp://\(fingerprint)=@localhost:7001")]
        let full = try ShortLink(text: "https://localhost/\(path)?p=7001&c=\(fingerprint)")
        let short = try ShortLink(text: "https://localhost/\(path)")
        #expect(full.shortened(for: known) == short)
        #expect(short.restored(from: known) == full)
    }
}

extension Vector {
    fileprivate func shortLink() throws -> ShortLink {
        let target: ShortLink.Target =
            switch self["type"].text {
            case "invitation": .invitation(EntityID(self["linkId"].bytes))
            case "contact": .address(.contact)
            case "channel": .address(.channel)
            case "group": .address(.group)
            case "relay": .address(.relay)
            case let type: fatalError("no kind of link: \(type)")
            }
        return ShortLink(
            scheme: self["scheme"].text == "simplex" ? .simplex : .https, target: target,
            server: try self["server"].serverAddress(), key: ShortLinkKey(self["linkKey"].bytes))
    }
}

extension String {
    /// Where a link may be written in upper case as well: its letter, if it is that of an address, and the digits of escapes.
    fileprivate var positionsThatMeanTheSame: Set<Int> {
        let bytes = Bytes(utf8)
        var positions: Set<Int> = []
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "#") where bytes[index - 1] != UInt8(ascii: "i"): positions.insert(index - 1)
            case UInt8(ascii: "%"): positions.formUnion([index + 1, index + 2])
            default: break
            }
        }
        return positions
    }
}
