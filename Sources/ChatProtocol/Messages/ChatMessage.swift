public import ByteCoding

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

    /// Reads one JSON object. Fields next to the known ones are ignored.
    public init(decoding json: Bytes) throws(DecodeError) {
        var fields = try JSONFields(decoding: json)
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

    /// The message as JSON text.
    public var encoded: Bytes {
        var fields: JSONObject = [
            "v": .string(versions.description), "event": .string(event.name), "params": .object(event.parameters),
        ]
        fields["msgId"] = id?.json
        return JSONValue.object(fields).encoded
    }
}
