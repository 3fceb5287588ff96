import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import TestSupport
import Testing

/// `chat-transcripts-7.json`: binary payloads as clients of 7.0 sent them.
@Suite struct BinaryPayloadVectors {
    private static let payloads = VectorFile.cases("chat-transcripts-7", kind: "payload")

    /// The shortest payload of each list of contents.
    private static let shortest: [Vector] = {
        var shortest: [String: Vector] = [:]
        for vector in payloads {
            let contents = Set(vector["contains"].list.map(\.text)).sorted().joined(separator: ", ")
            if let known = shortest[contents], known["payload"].text.utf8.count <= vector["payload"].text.utf8.count {
                continue
            }
            shortest[contents] = vector
        }
        return shortest.sorted { $0.key < $1.key }.map(\.value)
    }()

    @Test(arguments: payloads)
    func elements(vector: Vector) throws {
        let payload = try Base64URL.decode(vector["payload"].text)
        let elements = ChatPayload.elements(of: payload), expected = vector["elements"].list
        try #require(elements.count == expected.count)
        for (element, expected) in zip(elements, expected) { try check(element, expected) }
        // Each element means the same alone, and in every batch with the others.
        for element in [elements.reversed(), Array(elements.dropFirst() + elements.prefix(1))] {
            #expect(ChatPayload.elements(of: Batch.encoded(element.map(\.whole))) == element)
        }
        for element in elements { #expect(ChatPayload.elements(of: element.whole) == [element]) }
    }

    private func check(_ element: ChatElement, _ expected: Vector) throws {
        switch (try element.content.get(), expected["form"].text) {
        case (.chunk(let chunk), "chunk"):
            #expect(chunk.messageID.bytes == (try Base64URL.decode(expected["sharedMsgId"].text)))
            guard case .data(let number, let bytes) = chunk.content else { throw DecodeError.invalid("chunk") }
            #expect(Int(number) == expected["number"].int)
            #expect(bytes == (try Base64URL.decode(expected["bytes"].text)))
        case (.message(let message), "json"):
            #expect(message.event.name == expected["event"].text && element.signature == nil)
            #expect(element.bytes == Bytes(expected["text"].text.utf8))
        case (.message(let message), "signed"):
            #expect(message.event.name == expected["event"].text)
            #expect(element.bytes == Bytes(expected["text"].text.utf8))
            let signature = try #require(element.signature)
            #expect(signature.text == element.bytes)
            #expect([signature.binding.rawValue] == Bytes(expected["binding"].text.utf8))
            #expect(signature.signatures == (try expected["signatures"].list.map { try Base64URL.decode($0.text) }))
        case (.forwarded(let forwarded, let original), "forward"):
            if case .string = expected["sender"] {
                #expect(forwarded.memberID == nil && forwarded.memberName == nil)
            } else {
                #expect(forwarded.memberID?.bytes == (try Base64URL.decode(expected["sender"]["memberId"].text)))
                #expect(forwarded.memberName == expected["sender"]["name"].text)
            }
            #expect(forwarded.time.seconds == expected["seconds"].int64)
            #expect(forwarded.encoded == element.bytes)
            try check(original, expected["element"])
            // It reads like the event of JSON payloads.
            if case .message(let message) = try original.content.get() {
                let read = try #require(ForwardedMessage(forwarded, original))
                #expect(try read.message() == message)
                #expect(read.memberID == forwarded.memberID && read.time.timestamp == forwarded.time)
                #expect(read.signature == original.signature)
            }
        default: Issue.record("\(expected["form"].text) became \(element.content)")
        }
    }

    @Test func allFormsAreThere() {
        #expect(BinaryPayloadVectors.payloads.count == 332)
        let contents = Set(BinaryPayloadVectors.payloads.flatMap { $0["contains"].list.map(\.text) })
        #expect(contents.count == 49)
        for form in ["chunk", "json ", "signed ", "forward/json ", "forward/signed "] {
            #expect(contents.contains { $0.hasPrefix(form) })
        }
    }

    // MARK: - Signatures

    @Test func recordedSignatures() throws {
        let keys = VectorFile.cases("chat-transcripts-7", kind: "keys")
        var count = 0
        for vector in BinaryPayloadVectors.payloads {
            for (element, expected) in zip(
                ChatPayload.elements(of: try Base64URL.decode(vector["payload"].text)), vector["elements"].list)
            {
                guard let (signature, signer) = try signed(element, expected) else { continue }
                let scenario = keys.filter { $0["scenario"].text == vector["scenario"].text }
                let verified = try scenario.filter { group in
                    guard let member = group["members"].list.first(where: { $0["memberId"].text == signer }) else {
                        return false
                    }
                    let key = try Ed25519.PublicKey(der: Base64URL.decode(member["key"].text))
                    let id = try #require(MemberID(try Base64URL.decode(signer)))
                    let binding = ElementSignature.groupBinding(try Base64URL.decode(group["publicGroupId"].text), id)
                    let bytes = signature.signedBytes(binding: binding)
                    let other = ElementSignature(signature.binding, signature.signatures, of: signature.text + [32])
                    return signature.signatures.allSatisfy {
                        key.verify($0, of: bytes) && !key.verify($0, of: other.signedBytes(binding: binding))
                    }
                }
                #expect(verified.count == 1, "\(expected)")
                count += 1
            }
        }
        #expect(count == 88)
    }

    private func signed(_ element: ChatElement, _ expected: Vector) throws -> (ElementSignature, String)? {
        if case .forwarded(_, let original) = try element.content.get() {
            return try signed(original, expected["element"])
        }
        guard let signature = element.signature else { return nil }
        return (signature, expected["signer"].text)
    }

    // MARK: - Damage

    @Test(arguments: shortest)
    func damage(vector: Vector) throws {
        Damage.check(try Base64URL.decode(vector["payload"].text)) { ChatPayload.elements(of: $0) }
    }

    @Test(arguments: shortest)
    func damageOfOneElement(vector: Vector) throws {
        let element = try Base64URL.decode(vector["payload"].text)
        guard element.first != UInt8(ascii: "=") else { return }
        let other = Bytes(#"{"v":"1","event":"x.ok","params":{}}"#.utf8)
        let others = ChatPayload.elements(of: other)
        Damage.survive(element) { damaged in
            let elements = ChatPayload.elements(of: Batch.encoded([other, damaged, other]))
            #expect(elements.count == 3 && [elements.first, elements.last] == [others[0], others[0]])
        }
    }

    // MARK: - Refused elements

    @Test func nestedForwardsAndOtherFormsAreRefused() throws {
        let text = Bytes(#"{"v":"1","event":"x.ok","params":{}}"#.utf8), id = try #require(MemberID([1]))
        let chunk = FileChunk(messageID: SharedMessageID([1]), .data(number: 1, [1])).encoded
        let signed = ElementSignature(.direct, [Bytes(repeating: 7, count: 64)], of: text).encoded
        func forwarded(_ original: Bytes) -> Bytes {
            ForwardedElement(original, of: id, named: "bob", at: Timestamp(seconds: 5)).encoded
        }
        for allowed in [text, chunk, signed, forwarded(text), forwarded(chunk), forwarded(signed)] {
            #expect(throws: Never.self) { try ChatPayload.elements(of: allowed)[0].content.get() }
        }
        let refused: [(Bytes, PayloadError)] = [
            (forwarded(forwarded(text)), .malformed(.invalid("forwarded element"))),
            (forwarded([]), .empty),
            (forwarded(Bytes("[]".utf8)), .unknownForm),
            (forwarded(Batch.encoded([text])), .unknownForm),
            (forwarded(Bytes("X".utf8)), .unknownForm),
            (
                ElementSignature(.direct, [Bytes(repeating: 7, count: 63)], of: text).encoded,
                .malformed(.invalid("signature"))
            ),
            (ElementSignature(.direct, [], of: text).encoded, .malformed(.invalid("empty list"))),
            (
                ElementSignature(.direct, [Bytes(repeating: 7, count: 64)], of: chunk).encoded,
                .malformed(.invalid("json"))
            ),
            (Bytes("/".utf8) + [0x58] + signed.dropFirst(2), .malformed(.invalid("binding"))),
            (Bytes(">M".utf8) + [0, 0] + Bytes(repeating: 0, count: 8) + text, .malformed(.invalid("memberId"))),
            (Bytes(">R".utf8) + Bytes(repeating: 0, count: 8) + text, .malformed(.invalid("sender"))),
            (Bytes(">C".utf8) + Bytes(repeating: 0x7f, count: 8) + text, .malformed(.invalid("time"))),
            (Bytes(">C".utf8) + Bytes(repeating: 0xff, count: 8) + text, .malformed(.invalid("time"))),
        ]
        for (element, error) in refused {
            let elements = ChatPayload.elements(of: Batch.encoded([text, element, text]))
            #expect(elements.map(\.error) == [nil, error, nil])
            #expect(elements[1].bytes == element)
        }
        let names = ["", "bob", String(repeating: "é", count: 200)]
        for name in names {
            let element = ForwardedElement(text, of: id, named: name, at: Timestamp(seconds: 5)).encoded
            guard case .forwarded(let read, _) = try ChatPayload.elements(of: element)[0].content.get() else {
                throw DecodeError.invalid("forwarded element")
            }
            #expect(name.hasPrefix(read.memberName ?? "-") && read.encoded == element)
        }
    }
}

/// Binary batches written by hand.
private enum Batch {
    static func encoded(_ elements: [Bytes]) -> Bytes {
        var writer = ByteWriter()
        writer.character("=")
        writer.list(elements) { $0.largeBytes($1) }
        return writer.bytes
    }
}

extension ChatElement {
    /// The element with its signature.
    fileprivate var whole: Bytes { signature?.encoded ?? bytes }

    fileprivate var error: PayloadError? {
        if case .failure(let error) = content { error } else { nil }
    }
}
