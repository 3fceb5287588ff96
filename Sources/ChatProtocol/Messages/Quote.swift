public import ByteCoding
public import JSONCoding

/// The message that another one answers.
public struct Quote: Hashable, Sendable {
    public let reference: MessageReference
    /// The quoted content, shortened by its sender.
    public let content: MessageContent
    /// What is not known here.
    public let otherFields: JSONObject

    public init(_ reference: MessageReference, content: MessageContent, otherFields: JSONObject = [:]) {
        self.reference = reference
        self.content = content
        self.otherFields = otherFields
    }
}

/// Which message is meant: enough to find it where its id is not known.
public struct MessageReference: Hashable, Sendable {
    public let id: SharedMessageID?
    public let sentAt: WireTime
    /// Whether the one who refers to the message had sent it.
    public let isOwn: Bool
    /// What is not known here.
    public let otherFields: JSONObject

    public init(id: SharedMessageID?, sentAt: WireTime, isOwn: Bool, otherFields: JSONObject = [:]) {
        self.id = id
        self.sentAt = sentAt
        self.isOwn = isOwn
        self.otherFields = otherFields
    }
}

/// A time in a message, with all the digits it came with: they are more than a ``Timestamp`` keeps, and are written again
/// when the message is.
public struct WireTime: Hashable, Sendable {
    /// RFC 3339 text.
    public let text: String
    /// The moment in milliseconds.
    public let timestamp: Timestamp

    public init(_ timestamp: Timestamp) {
        text = timestamp.description
        self.timestamp = timestamp
    }

    /// Reads RFC 3339 text.
    public init(text: String) throws(DecodeError) {
        timestamp = try Timestamp(text: text)
        self.text = text
    }
}

extension Quote: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        reference = try fields.required("msgRef")
        content = try fields.required("content")
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        otherFields.merging(["msgRef": reference.json, "content": content.json])
    }
}

extension MessageReference: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.optionalID("msgId")
        guard let time = try? WireTime(text: try fields.text("sentAt")) else { throw .invalid("sentAt") }
        sentAt = time
        isOwn = try fields.bool("sent")
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        var fields = otherFields
        fields["msgId"] = id?.json
        fields.set("sentAt", sentAt.text)
        fields.set("sent", isOwn)
        return fields
    }
}
