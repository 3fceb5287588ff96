public import ByteCoding
import Compression
public import JSONCoding

/// The content behind a short link, as JSON, compressed if it is long (chat.md 3.2).
///
/// Unlike messages, it has no count and no items: a letter and one Zstandard frame, or the plain text.
public protocol LinkContent: JSONObjectCodable {}

extension LinkContent {
    /// Returns the bytes for the record behind a link, at most `limit`.
    ///
    /// - Throws: ``PayloadSizeError/tooLarge(size:limit:)`` if the content exceeds `limit` or the limit for
    ///   decompression.
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
    ///
    /// - Throws: ``PayloadError``.
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

/// The content of an invitation or an address.
public struct ContactLinkContent: Hashable, Sendable {
    /// The profile of the owner.
    public let profile: Profile
    /// The welcome message for all visitors.
    public let welcome: MessageContent?
    /// True if the owner is a business. Each request to it becomes a group with several people.
    public let isBusiness: Bool
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a contact link content from its parts.
    public init(
        profile: Profile, welcome: MessageContent? = nil, isBusiness: Bool = false, otherFields: JSONObject = [:]
    ) {
        self.profile = profile
        self.welcome = welcome
        self.isBusiness = isBusiness
        self.otherFields = otherFields
    }

    /// The smallest content: a name and preferences, for a profile that is too large for a link.
    public var reduced: ContactLinkContent {
        ContactLinkContent(
            profile: Profile(displayName: profile.displayName, preferences: profile.preferences),
            isBusiness: isBusiness)
    }
}

extension ContactLinkContent: LinkContent {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("profile")
        welcome = try fields.optional("message")
        isBusiness = try fields.optionalBool("business") ?? false
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("profile", profile)
        fields.set("message", welcome)
        // Other clients require the field.
        fields.set("business", isBusiness)
        return fields
    }
}

/// The content of a group link.
public struct GroupLinkContent: Hashable, Sendable {
    /// The public data of a group.
    public struct Summary: Hashable, Sendable {
        /// The number of members.
        public let memberCount: Int64
        /// The unknown fields, kept as received.
        public let otherFields: JSONObject

        /// Creates a summary from its parts.
        public init(memberCount: Int64, otherFields: JSONObject = [:]) {
            self.memberCount = memberCount
            self.otherFields = otherFields
        }
    }

    /// The profile of the group.
    public let profile: GroupProfile
    /// The public data, of groups that publish their member count only.
    public let summary: Summary?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a group link content from its parts.
    public init(profile: GroupProfile, summary: Summary? = nil, otherFields: JSONObject = [:]) {
        self.profile = profile
        self.summary = summary
        self.otherFields = otherFields
    }

    /// The smallest content: the name and the rules of the group, for a profile that is too large for a link.
    public var reduced: GroupLinkContent {
        GroupLinkContent(
            profile: GroupProfile(
                displayName: profile.displayName, publicGroup: profile.publicGroup, preferences: profile.preferences,
                admission: profile.admission),
            summary: summary)
    }
}

extension GroupLinkContent: LinkContent {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("groupProfile")
        summary = try fields.optional("publicGroupData")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("groupProfile", profile)
        fields.set("publicGroupData", summary)
        return fields
    }
}

extension GroupLinkContent.Summary: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        memberCount = try fields.integer("publicMemberCount")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("publicMemberCount", memberCount)
        return fields
    }
}

/// The content of the address of a relay, and of its link for one channel (network-7.md 4.5).
public struct RelayLinkContent: Hashable, Sendable {
    /// The profile of the relay.
    public let profile: Profile
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a relay link content from its parts.
    public init(profile: Profile, otherFields: JSONObject = [:]) {
        self.profile = profile
        self.otherFields = otherFields
    }
}

extension RelayLinkContent: LinkContent {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("relayProfile")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("relayProfile", profile)
        return fields
    }
}

/// The mark of a group link: the text for the application in the full link.
public struct GroupLinkMark: Hashable, Sendable {
    /// The id of the link among those of the group, ``idSize`` random bytes in the official clients.
    public let linkID: Bytes

    /// The number of bytes in the id of a new link.
    public static let idSize = 16

    /// Creates a group link mark from its parts.
    public init(linkID: Bytes) {
        self.linkID = linkID
    }

    /// Reads the text in a link, or returns nil if it is not the mark of a group. Official clients leave the type out.
    public init?(clientText: String) {
        guard var fields = try? JSONFields(decoding: Bytes(clientText.utf8)),
            (try? fields.optionalText("type")) ?? GroupLinkMark.type == GroupLinkMark.type,
            let linkID = try? fields.optionalBytes("groupLinkId")
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
