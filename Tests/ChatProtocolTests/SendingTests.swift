import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import TestSupport
import Testing

@Suite struct SendingTests {
    /// A message of this many bytes, with text that compresses well or not at all.
    private func message(_ size: Int, compressible: Bool = true) -> Bytes {
        func encoded(_ text: String) -> Bytes {
            ChatMessage(id: SharedMessageID([1]), event: .message(MessageContainer(MessageContent(text)))).encoded
        }
        let random = Base64.encode(SeededRandom(seed: UInt64(size)).bytes(size))
        let count = size - encoded("").count
        return encoded(compressible ? String(repeating: "a", count: count) : String(random.prefix(count)))
    }

    @Test(arguments: [
        (ChatPayload.Destination.connection, 15602, 13380), (.handshake, 14694, 10968),
    ])
    func limits(destination: ChatPayload.Destination, limit: Int, postQuantumLimit: Int) throws {
        for size in [1000, postQuantumLimit, postQuantumLimit + 1, limit] {
            #expect(try ChatPayload.prepare(message(size), for: destination, postQuantum: false) == message(size))
        }
        for size in [1000, postQuantumLimit] {
            #expect(try ChatPayload.prepare(message(size), for: destination, postQuantum: true) == message(size))
        }
        for size in [postQuantumLimit + 1, limit] {
            let payload = message(size)
            let compressed = try ChatPayload.prepare(payload, for: destination, postQuantum: true)
            #expect(compressed.starts(with: [UInt8(ascii: "X"), 1, UInt8(ascii: "1")]))
            #expect(compressed.count < 200)
            let element = ChatElement(bytes: payload, content: .success(.message(try ChatMessage(decoding: payload))))
            #expect(ChatPayload.elements(of: compressed) == [element])
        }
        for postQuantum in [false, true] {
            #expect(throws: PayloadSizeError.tooLarge(size: limit + 1, limit: limit)) {
                try ChatPayload.prepare(message(limit + 1), for: destination, postQuantum: postQuantum)
            }
        }
    }

    /// Base64 shrinks by a quarter: what is just above the limit fits, random text of all letters hardly does.
    @Test func incompressible_payload_is_rejected() throws {
        let random = SeededRandom(seed: 1).bytes(13_381)
        #expect {
            try ChatPayload.prepare(random, postQuantum: true)
        } throws: { error in
            guard case .tooLarge(let size, let limit) = error as? PayloadSizeError else { return false }
            return limit == 13_380 && size > 13_381
        }
        let text = message(13_381, compressible: false)
        let compressed = try ChatPayload.prepare(text, postQuantum: true)
        #expect(compressed.count < 13_380)
        #expect(ChatPayload.elements(of: compressed).map(\.bytes) == [text])
    }

    @Test func batches() {
        let small = message(150), half = message(7799), other = message(7800), full = message(15602)
        func array(_ messages: Bytes...) -> Bytes {
            Bytes("[".utf8) + messages.joined(separator: Bytes(",".utf8)) + Bytes("]".utf8)
        }
        #expect(ChatPayload.batches([]) == [])
        #expect(ChatPayload.batches([small]) == [.payload(small, count: 1)])
        #expect(ChatPayload.batches([full]) == [.payload(full, count: 1)])
        #expect(ChatPayload.batches([small, small]) == [.payload(array(small, small), count: 2)])
        // 7799 + 7800 and three characters between and around them.
        #expect(array(half, other).count == 15602)
        #expect(ChatPayload.batches([half, other]) == [.payload(array(half, other), count: 2)])
        #expect(ChatPayload.batches([other, other]) == [.payload(other, count: 1), .payload(other, count: 1)])
        #expect(
            ChatPayload.batches([small, full, small, small])
                == [.payload(small, count: 1), .payload(full, count: 1), .payload(array(small, small), count: 2)])
        #expect(
            ChatPayload.batches([small, message(15603), small])
                == [.payload(small, count: 1), .tooLarge(size: 15603), .payload(small, count: 1)])
    }

    @Test func batches_respect_element_limit() {
        let tiny = Bytes("{}".utf8)
        let parts = ChatPayload.batches(Array(repeating: tiny, count: 256))
        guard parts.count == 2, case .payload(let first, 255) = parts[0] else {
            Issue.record("\(parts.count) parts")
            return
        }
        #expect(ChatPayload.elements(of: first).count == 255)
        #expect(parts[1] == .payload(tiny, count: 1))
    }
}
