public import ByteCoding
public import JSONCoding

/// A part of the description with which a file is downloaded (chat.md 2.2).
public struct DescriptionPart: Hashable, Sendable {
    /// The text of the part.
    public let text: String
    /// The number of the part, from 1; 0 for an empty description in a file message.
    public let part: Int64
    /// True if this is the last part.
    public let isComplete: Bool
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a file description from its parts.
    public init(_ text: String, part: Int64, isComplete: Bool, otherFields: JSONObject = [:]) {
        self.text = text
        self.part = part
        self.isComplete = isComplete
        self.otherFields = otherFields
    }
}

extension DescriptionPart: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        text = try fields.text("fileDescrText")
        part = try fields.integer("fileDescrPartNo")
        isComplete = try fields.bool("fileDescrComplete")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("fileDescrText", text)
        fields.set("fileDescrPartNo", part)
        fields.set("fileDescrComplete", isComplete)
        return fields
    }
}

/// The parameters of `x.msg.file.descr`: a part of a file description (chat.md 2.3).
public struct FileDescriptionPart: Hashable, Sendable {
    /// The id of the message with the file.
    public let messageID: SharedMessageID
    /// The part of the description.
    public let description: DescriptionPart
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a file description part from its parts.
    public init(_ messageID: SharedMessageID, _ description: DescriptionPart, otherFields: JSONObject = [:]) {
        self.messageID = messageID
        self.description = description
        self.otherFields = otherFields
    }
}

extension FileDescriptionPart: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        messageID = try fields.requiredID("msgId")
        description = try fields.required("fileDescr")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        otherFields.merging(["msgId": messageID.json, "fileDescr": description.json])
    }
}
