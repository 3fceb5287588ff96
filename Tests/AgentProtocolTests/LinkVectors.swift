import AgentProtocol
import ByteCoding
import SMPProtocol
import TestSupport
import Testing

/// `links.json`: queue addresses and full links, as text and binary.
@Suite struct LinkVectors {
    @Test(arguments: VectorFile.cases("links", kind: "queueUri"))
    func queueAddresses(vector: Vector) throws {
        let address = try vector["queue"].queueAddress()
        #expect(address.description == vector["text"].text)
        #expect(address.encoded == vector["binary"].bytes)
        let fromText = try QueueAddress(text: vector["text"].text)
        #expect(try fromText == vector.expected("parses", "parsesAs", address) { try $0.queueAddress() })
        let fromBinary = try QueueAddress(decoding: vector["binary"].bytes)
        #expect(try fromBinary == vector.expected("binaryParses", "binaryParsesAs", address) { try $0.queueAddress() })
        Damage.check(address.encoded, ignoring: Damage.unusedBits(in: address.encoded)) {
            try QueueAddress(decoding: $0)
        }
    }

    @Test(arguments: VectorFile.cases("links", kind: "queueInfo"))
    func agreedQueueAddresses(vector: Vector) throws {
        let address = try vector.agreedQueueAddress()
        let binary = vector["binary"].bytes
        #expect(address.encoded == binary)
        let read = try AgreedQueueAddress(decoding: binary)
        #expect(try read == vector.expected("parses", "parsesAs", address) { try $0.agreedQueueAddress() })
        Damage.check(binary, ignoring: Damage.unusedBits(in: binary)) { try AgreedQueueAddress(decoding: $0) }
    }

    @Test(arguments: VectorFile.cases("links", kind: "parseQueueUri"))
    func parsesQueueAddresses(vector: Vector) throws {
        let text = vector["text"].text
        guard !vector.has("error") else {
            #expect(throws: DecodeError.self) { try QueueAddress(text: text) }
            return
        }
        let address = try QueueAddress(text: text)
        #expect(try address == vector["parsed"].queueAddress())
        #expect(address.description == vector["canonical"].text)
        Damage.survive(Bytes(text.utf8)) { _ = try QueueAddress(text: String(decoding: $0, as: UTF8.self)) }
    }

    @Test(arguments: VectorFile.cases("links", kind: "longLink"))
    func links(vector: Vector) throws {
        let request = try vector["link"].connectionRequest()
        // The scheme of a recorded text may be https; links are written with the scheme of their own.
        let written = vector["text"].text
        #expect(request.description.droppingScheme == written.droppingScheme)
        #expect(request.encoded == vector["binary"].bytes)
        let fromText = try ConnectionRequest(text: written)
        #expect(try fromText == vector["textParsesAs"].connectionRequest())
        #expect(fromText.description == vector["textParsesAs"]["canonical"].text)
        let fromBinary = try ConnectionRequest(decoding: vector["binary"].bytes)
        #expect(
            try fromBinary
                == vector.expected("binaryParses", "binaryParsesAs", request) { try $0.connectionRequest() })
        Damage.survive(Bytes(written.utf8)) { _ = try ConnectionRequest(text: String(decoding: $0, as: UTF8.self)) }
        Damage.check(request.encoded, ignoring: Damage.unusedBits(in: request.encoded)) {
            try ConnectionRequest(decoding: $0)
        }
    }

    @Test(arguments: VectorFile.cases("links", kind: "parseLongLink"))
    func parsesLinks(vector: Vector) throws {
        let text = vector["text"].text
        // Versions that do not fit wrap around in the recorded implementation: "a quirk, not a requirement".
        guard !vector.has("error"), !text.contains("v=65536") else {
            #expect(throws: DecodeError.self) { try ConnectionRequest(text: text) }
            #expect(throws: DecodeError.self) { try ConnectionLink(text: text) }
            return
        }
        let request = try ConnectionRequest(text: text)
        #expect(try request == vector.connectionRequest())
        let link = try ConnectionLink(text: text)
        #expect(link == .full(request) && link.description == request.description)
        #expect(link.kind == (vector["mode"].text == "invitation" ? .invitation : .address(.contact)))
        #expect(try link.servers == vector["queues"].list.map { try $0["server"].serverAddress() })
        #expect(link.id.bytes == vector["queues"].list[0]["senderId"].bytes)
        #expect(request.description == vector["canonical"].text)
    }

    @Test func linesOfTheSpecification() throws {
        for line in ["invitation link", "contact link"] {
            let text = VectorFile.line(line).quoted
            let request = try ConnectionRequest(text: text)
            #expect(request.description == text)
            #expect(request.encoded == VectorFile.line(line.replacing(" link", with: " binary")).bytes)
        }
        for line in ["SMPQueueUri 1-4 M str", "SMPQueueUri 2-4 C str"] {
            let text = VectorFile.line(line).quoted
            #expect(try QueueAddress(text: text).description == text)
        }
        let both = try QueueAddress(text: VectorFile.line("SMPQueueUri 1-4 M str").quoted)
        #expect(both.encoded == VectorFile.line("SMPQueueUri 1-4 M").bytes)
        for line in ["SMPQueueUri 1-4 C", "SMPQueueUri 4-4 C"] {
            let bytes = VectorFile.line(line).bytes
            #expect(try QueueAddress(decoding: bytes).encoded == bytes)
        }
        for line in ["v4 M", "v4 C", "v3 M", "v2", "v1"] {
            let bytes = VectorFile.line("SMPQueueInfo \(line)").bytes
            #expect(try AgreedQueueAddress(decoding: bytes).encoded == bytes)
        }
    }
}

extension Vector {
    /// What reading gives back: the same value, or the one that the recording describes.
    fileprivate func expected<Value>(
        _ same: String, _ other: String, _ value: Value, _ read: (Vector) throws -> Value
    ) throws -> Value {
        guard let description = field(other) else {
            #expect(self[same].bool)
            return value
        }
        return try read(description)
    }
}

extension String {
    /// A link from its path on.
    fileprivate var droppingScheme: String {
        guard let start = range(of: "/invitation") ?? range(of: "/contact") else { return self }
        return String(self[start...])
    }

    private func range(of text: String) -> String.Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }

    fileprivate func replacing(_ text: String, with other: String) -> String {
        hasSuffix(text) ? dropLast(text.count) + other : self
    }
}
