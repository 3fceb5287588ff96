public import ByteCoding
public import JSONCoding

/// One message of the chat protocol, `{"v":...,"msgId":...,"event":...,"params":{...}}`.
public struct ChatMessage: Hashable, Sendable {
    /// The versions that the sender speaks.
    public let versions: VersionRange
    /// Absent in the handshake of a connection.
    public let id: SharedMessageID?
    public let event: Event

    public init(versions: VersionRange = ChatVersion.supported, id: SharedMessageID? = nil, event: Event) {
        self.versions = versions
        self.id = id
        self.event = event
    }
}

extension ChatMessage: JSONObjectCodable {
    /// Fields next to the known ones are ignored.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        if let range = try fields.optionalText("v") {
            guard let versions = try? VersionRange(text: range) else { throw .invalid("v") }
            self.versions = versions
        } else {
            versions = ChatVersion.initial
        }
        id = try fields.optionalID("msgId")
        let name = try fields.text("event")
        event = try Event(name: name, parameters: try fields.object("params"))
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["v": .string(versions.description)]
        fields["msgId"] = id?.json
        return fields.merging(["event": .string(event.name), "params": .object(event.parameters)])
    }
}
