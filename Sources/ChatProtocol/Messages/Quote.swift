public import ByteCoding
public import JSONCoding

/// The message to which another one replies (chat.md 2.2).
public struct Quote: Hashable, Sendable {
    /// The reference to the quoted message.
    public let reference: MessageReference
    /// The quoted content, shortened by its sender.
    public let content: MessageContent
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a quote from its parts.
    public init(_ reference: MessageReference, content: MessageContent, otherFields: JSONObject = [:]) {
        self.reference = reference
        self.content = content
        self.otherFields = otherFields
    }
}

/// A reference to a message, with enough data to find one without a known id.
public struct MessageReference: Hashable, Sendable {
    /// The id of the message, if it has one.
    public let id: SharedMessageID?
    /// The time at which the message was sent.
    public let sentAt: WireTime
    /// True if the referring side sent the message.
    public let isOwn: Bool
    /// The author of a message in a group; nil between contacts.
    public let memberID: MemberID?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a message reference from its parts.
    public init(
        id: SharedMessageID?, sentAt: WireTime, isOwn: Bool, memberID: MemberID? = nil, otherFields: JSONObject = [:]
    ) {
        self.id = id
        self.sentAt = sentAt
        self.isOwn = isOwn
        self.memberID = memberID
        self.otherFields = otherFields
    }
}

/// A time in a message with all its digits. They are more precise than a ``Timestamp`` and are written back unchanged.
public struct WireTime: Hashable, Sendable {
    /// The RFC 3339 text.
    public let text: String
    /// The time in milliseconds.
    public let timestamp: Timestamp

    /// Creates the text of a timestamp.
    public init(_ timestamp: Timestamp) {
        text = timestamp.description
        self.timestamp = timestamp
    }

    /// Reads RFC 3339 text.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        timestamp = try Timestamp(text: text)
        self.text = text
    }
}

extension Quote: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        reference = try fields.required("msgRef")
        content = try fields.required("content")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        otherFields.merging(["msgRef": reference.json, "content": content.json])
    }
}

extension MessageReference: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        id = try fields.optionalID("msgId")
        guard let time = try? WireTime(text: try fields.text("sentAt")) else { throw .invalid("sentAt") }
        sentAt = time
        isOwn = try fields.bool("sent")
        memberID = try fields.optionalMemberID("memberId")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields["msgId"] = id?.json
        fields.set("sentAt", sentAt.text)
        fields.set("sent", isOwn)
        fields["memberId"] = memberID?.json
        return fields
    }
}
