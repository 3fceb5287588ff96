import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

/// `chat-transcripts.json`: messages as an official client sent them.
@Suite struct TranscriptVectors {
    private static let messages = VectorFile.cases("chat-transcripts", kind: "message")
    private static let containers = VectorFile.cases("chat-transcripts", kind: "container")

    /// One message of each event of groups.
    private static let groupMessages: [Vector] = {
        var names: Set<String> = []
        return messages.filter { $0["event"].text.hasPrefix("x.grp.") && names.insert($0["event"].text).inserted }
    }()

    @Test(arguments: messages)
    func readsAndWrites(vector: Vector) throws {
        let json = vector["message"].json
        let message = try ChatMessage(decoding: json.encoded)
        #expect(message.event.name == vector["event"].text)
        #expect(try JSONValue(decoding: message.encoded) == json)
        #expect(try ChatMessage(decoding: message.encoded) == message)
        if case .other(let name, _) = message.event { Issue.record("no type for \(name)") }
        if vector["event"].text.hasPrefix("x.grp.") {
            guard case .group(_, let otherFields) = message.event else {
                Issue.record("\(message.event.name) has no type")
                return
            }
            #expect(otherFields == [:])
        }
        if case .group(.forwarded(let forwarded), _) = message.event {
            let original = try forwarded.message()
            #expect(original.fields == json.object?["params"]?.object?["msg"]?.object)
            #expect(
                ForwardedMessage(original, of: forwarded.memberID, named: forwarded.memberName, at: forwarded.time)
                    == forwarded)
        }
    }

    @Test func twenty_events_of_groups_are_recorded() {
        let names = Set(TranscriptVectors.groupMessages.map { $0["event"].text })
        #expect(names.count == 20, "\(names.sorted())")
    }

    @Test(arguments: groupMessages)
    func damagedMessages(vector: Vector) {
        Damage.check(vector["message"].json.encoded) { try ChatMessage(decoding: $0) }
    }

    @Test(arguments: containers)
    func batches(vector: Vector) throws {
        let payload = vector.field("payload").map { Bytes($0.text.utf8) } ?? vector["payloadHex"].bytes
        let elements = ChatPayload.elements(of: payload)
        let events = try elements.map { element in
            guard case .message(let message) = try element.content.get() else { throw DecodeError.invalid("message") }
            if case .group(.forwarded(let forwarded), _) = message.event {
                #expect(try forwarded.message().id != nil)
            }
            return message.event.name
        }
        if let recorded = vector.field("events") { #expect(events == recorded.list.map(\.text)) }
        guard vector["form"].text == "array" else { return }
        #expect(ChatPayload.batches(elements.map(\.bytes)) == [.payload(payload, count: elements.count)])
    }
}

extension Vector {
    /// The value as JSON.
    fileprivate var json: JSONValue {
        switch self {
        case .null: .null
        case .boolean(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .string(let value): .string(value)
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let fields):
            .object(fields.reduce(into: JSONObject()) { $0[$1.key] = $1.value.json })
        }
    }
}
