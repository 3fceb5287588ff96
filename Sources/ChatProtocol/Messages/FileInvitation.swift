public import ByteCoding
public import JSONCoding

/// The file of a message (chat.md 2.2).
public struct FileInvitation: Hashable, Sendable {
    /// The name that the sender gave the file. It may be anything, with folders and control characters.
    public let name: String
    /// The size of the content in bytes, as the sender says.
    public let size: Int64
    /// The description, or its beginning; nil for a file that does not come through file relays.
    public let description: DescriptionPart?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// The ways in which old versions send a file in messages (chat.md 5.1).
    public enum InlineMode: String, Hashable, Sendable {
        /// The pieces are sent when the recipient accepts the file.
        case offer
        /// The pieces follow at once.
        case sent
    }

    /// The size of a SHA-512 in bytes.
    private static let digestSize = 64

    /// The SHA-512 of the content, 64 bytes; nil if the sender does not announce it.
    public var contentDigest: Bytes? {
        let digest = otherFields["fileDigest"]?.string.flatMap { try? Base64URL.decode($0) }
        return digest?.count == FileInvitation.digestSize ? digest : nil
    }

    /// The way of a file that comes in messages of this connection; nil for another file.
    public var inlineMode: InlineMode? {
        // One with a connection of its own is older still.
        guard description == nil, otherFields["fileConnReq"] == nil else { return nil }
        return otherFields["fileInline"]?.string.flatMap(InlineMode.init(rawValue:))
    }

    /// Creates an invitation to a file on file relays. Its description follows.
    public init(name: String, size: Int64) {
        self.name = name
        self.size = size
        description = DescriptionPart("", part: 0, isComplete: false)
        otherFields = [:]
    }
}

extension FileInvitation: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        name = try fields.text("fileName")
        size = try fields.integer("fileSize")
        description = try fields.optional("fileDescr")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("fileName", name)
        fields.set("fileSize", size)
        fields.set("fileDescr", description)
        return fields
    }
}

extension MessageContainer {
    /// The file of the message. One that cannot be read counts as none: it does not cost the message.
    public var file: FileInvitation? {
        guard let object = otherFields["file"]?.object else { return nil }
        var fields = JSONFields(object)
        return try? FileInvitation(from: &fields)
    }

    /// Returns the same message with a file.
    public func with(_ file: FileInvitation?) -> MessageContainer {
        guard let file else { return self }
        return MessageContainer(
            content, ttl: ttl, isLive: isLive, isForwarded: isForwarded, quote: quote, mentions: mentions, scope: scope,
            isFromGroup: isFromGroup, otherFields: otherFields.merging(["file": file.json]))
    }
}
