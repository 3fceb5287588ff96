import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

/// `chat-messages.tsv`: messages of the official clients.
@Suite struct ChatVectors {
    @Test(arguments: RecordedMessage.all)
    func readsAndWrites(line: RecordedMessage) throws {
        let message = try ChatMessage(decoding: line.bytes)
        let expected = try #require(try ForeignJSON(line.bytes).value.object)
        #expect(message.event.name == expected["event"]?.string)
        #expect(message.versions.description == expected["v"]?.string)
        if line.isWritten {
            #expect(try ForeignJSON(message.encoded).value == .object(expected))
        }
        #expect(try ChatMessage(decoding: message.encoded) == message)
        #expect(
            ChatPayload.elements(of: line.bytes) == [.init(bytes: line.bytes, content: .success(.message(message)))])
    }

    @Test func allLinesAreThere() {
        #expect(RecordedMessage.all.map(\.number) == Array(1...66))
    }

    @Test(arguments: Constructed.messages)
    func typedEvents(number: Int, message: ChatMessage) throws {
        let line = RecordedMessage.line(number)
        #expect(try ChatMessage(decoding: line.bytes) == message)
        if line.isWritten {
            #expect(try ForeignJSON(message.encoded).value == ForeignJSON(line.bytes).value)
        }
    }

    @Test func otherEventsKeepTheirParameters() throws {
        for line in RecordedMessage.all where !Constructed.messages.contains(where: { $0.0 == line.number }) {
            let event = try ChatMessage(decoding: line.bytes).event
            switch event {
            case .other, .probe: break
            default: Issue.record("line \(line.number) became \(event)")
            }
            let expected = try ForeignJSON(line.bytes).value.object
            #expect(event.name == expected?["event"]?.string)
            #expect(event.parameters == expected?["params"]?.object)
        }
    }

    @Test func batch() throws {
        let text = RecordedMessage.line(7).bytes
        let payload = Bytes("[".utf8) + text + Bytes(",".utf8) + text + Bytes("]".utf8)
        let element = ChatElement(bytes: text, content: .success(.message(try ChatMessage(decoding: text))))
        #expect(ChatPayload.elements(of: payload) == [element, element])
        #expect(ChatPayload.batches([text, text]) == [.payload(payload, count: 2)])
    }

    @Test func chunks() throws {
        let id = SharedMessageID([1, 2, 3, 4])
        let data = FileChunk(messageID: id, .data(number: 1, Bytes("AB".utf8)))
        #expect(data.encoded == (try Hex.decode("46000401020304014142")))
        let cancelled = FileChunk(messageID: id, .cancelled)
        #expect(cancelled.encoded == (try Hex.decode("4600040102030400")))
        for chunk in [data, cancelled] {
            let element = ChatElement(bytes: chunk.encoded, content: .success(.chunk(chunk)))
            #expect(ChatPayload.elements(of: chunk.encoded) == [element])
        }
        // Nothing comes behind the number of a cancelled transfer.
        #expect(ChatPayload.elements(of: cancelled.encoded + [1])[0].content == .failure(.malformed(.trailing)))
    }

    /// Damage to the text of a message is noticed, or makes it another message.
    @Test(arguments: [4, 9, 20, 31, 36, 58])
    func damagedMessages(number: Int) {
        Damage.check(RecordedMessage.line(number).bytes) { try ChatMessage(decoding: $0) }
    }
}
