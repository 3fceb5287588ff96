public import ByteCoding
import Compression
public import JSONCoding

/// What the owner of a short link shows to whoever opens it: JSON, compressed if it is long.
///
/// Other than messages it has no count and no items: a letter and one Zstandard frame, or the text as it is.
public protocol LinkContent: JSONObjectCodable {}

extension LinkContent {
    /// The bytes for the record behind a link, of which it holds `limit`. What readers would not decompress is refused too.
    public func linkContent(limit: Int) throws(PayloadSizeError) -> Bytes {
        let plain = fields.encoded
        guard plain.count <= ChatLimit.decompressed else {
            throw .tooLarge(size: plain.count, limit: ChatLimit.decompressed)
        }
        let content =
            plain.count > ChatLimit.plainLinkContent
            ? [CompressedPayload.letter] + Zstandard.compress(plain) : plain
        guard content.count <= limit else { throw .tooLarge(size: content.count, limit: limit) }
        return content
    }

    /// Reads the bytes in the record behind a link.
    public init(linkContent content: Bytes) throws(PayloadError) {
        guard let letter = content.first else { throw .empty }
        let plain: Bytes
        if letter == CompressedPayload.letter {
            plain = try CompressedPayload.Item.frame(Bytes(content.dropFirst())).content(limit: ChatLimit.decompressed)
        } else {
            plain = content
        }
        do throws(DecodeError) {
            var fields = try JSONFields(decoding: plain)
            try self.init(from: &fields)
        } catch {
            throw .malformed(error)
        }
    }
}

/// Who is behind an invitation or an address.
public struct ContactLinkContent: Hashable, Sendable {
    public let profile: Profile
    /// What the owner says to everybody who comes.
    public let welcome: MessageContent?
    /// Whether each request becomes a group, in which several people of a business answer.
    public let isBusiness: Bool
    /// What is not known here.
    public let otherFields: JSONObject

    public init(
        profile: Profile, welcome: MessageContent? = nil, isBusiness: Bool = false, otherFields: JSONObject = [:]
    ) {
        self.profile = profile
        self.welcome = welcome
        self.isBusiness = isBusiness
        self.otherFields = otherFields
    }

    /// The least that can be shown: a name and what its owner allows. For a profile that is too large for a link.
    public var reduced: ContactLinkContent {
        ContactLinkContent(
            profile: Profile(displayName: profile.displayName, preferences: profile.preferences),
            isBusiness: isBusiness)
    }
}

extension ContactLinkContent: LinkContent {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("profile")
        welcome = try fields.optional("message")
        isBusiness = try fields.optionalBool("business") ?? false
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        var fields = otherFields
        fields.set("profile", profile)
        fields.set("message", welcome)
        // Other clients require it.
        fields.set("business", isBusiness)
        return fields
    }
}

/// Which group is behind a link.
public struct GroupLinkContent: Hashable, Sendable {
    /// What a group tells about itself to those outside.
    public struct Summary: Hashable, Sendable {
        public let memberCount: Int64
        /// What is not known here.
        public let otherFields: JSONObject

        public init(memberCount: Int64, otherFields: JSONObject = [:]) {
            self.memberCount = memberCount
            self.otherFields = otherFields
        }
    }

    public let profile: GroupProfile
    /// Only of groups that count their members for everybody.
    public let summary: Summary?
    /// What is not known here.
    public let otherFields: JSONObject

    public init(profile: GroupProfile, summary: Summary? = nil, otherFields: JSONObject = [:]) {
        self.profile = profile
        self.summary = summary
        self.otherFields = otherFields
    }
}

extension GroupLinkContent: LinkContent {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("groupProfile")
        summary = try fields.optional("publicGroupData")
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        var fields = otherFields
        fields.set("groupProfile", profile)
        fields.set("publicGroupData", summary)
        return fields
    }
}

extension GroupLinkContent.Summary: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        memberCount = try fields.integer("publicMemberCount")
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        var fields = otherFields
        fields.set("publicMemberCount", memberCount)
        return fields
    }
}

/// What tells the full link of a group from a contact's address: the text for the application that is in it.
public struct GroupLinkMark: Hashable, Sendable {
    /// Names the link among those of the group; 16 random bytes in the official clients.
    public let linkID: Bytes

    public init(linkID: Bytes) {
        self.linkID = linkID
    }

    /// Reads the text in a link; nil if it marks no group.
    public init?(clientText: String) {
        guard var fields = try? JSONFields(decoding: Bytes(clientText.utf8)),
            (try? fields.text("type")) == GroupLinkMark.type, let linkID = try? fields.optionalBytes("groupLinkId")
        else { return nil }
        self.linkID = linkID
    }

    /// The text for a link.
    public var clientText: String {
        let fields: JSONObject = [
            "type": .string(GroupLinkMark.type), "groupLinkId": .string(Base64URL.encode(linkID)),
        ]
        return fields.line
    }

    private static let type = "group"
}
