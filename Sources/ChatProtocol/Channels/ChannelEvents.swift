public import ByteCoding
public import JSONCoding

/// The request of a subscriber to a relay of a channel (`x.member`, network-7.md 8.2 and 9.5).
public struct ChannelJoin: Hashable, Sendable {
    /// The profile of the subscriber.
    public let profile: Profile
    /// The id of the subscriber, the same at all relays.
    public let memberID: MemberID
    /// The DER form of the subscriber's Ed25519 key.
    public let memberKey: Bytes
    /// The id of the relay that is asked. It binds the signed request to one relay.
    public let relayID: MemberID?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a request from its parts.
    public init(
        _ profile: Profile, as memberID: MemberID, key: Bytes, at relayID: MemberID?, otherFields: JSONObject = [:]
    ) {
        self.profile = profile
        self.memberID = memberID
        memberKey = key
        self.relayID = relayID
        self.otherFields = otherFields
    }
}

extension ChannelJoin: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("profile")
        memberID = try fields.requiredMemberID("newMemberId")
        memberKey = try fields.requiredBytes("newMemberKey")
        relayID = try fields.optionalMemberID("viaRelay")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("profile", profile)
        fields["newMemberId"] = memberID.json
        fields.set("newMemberKey", Base64URL.encode(memberKey))
        fields["viaRelay"] = relayID?.json
        return fields
    }
}

/// The request of an owner to a relay to serve a channel (`x.grp.relay.inv`, network-7.md 8.2 and 9.3).
public struct RelayInvitation: Hashable, Sendable {
    /// The owner.
    public let fromMember: MemberIDRole
    /// The profile of the owner.
    public let fromMemberProfile: Profile
    /// The id that the owner chose for the relay.
    public let relayID: MemberID
    /// The short link of the channel.
    public let channelLink: String
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates an invitation from its parts.
    public init(
        from member: MemberIDRole, _ profile: Profile, to relayID: MemberID, channelLink: String,
        otherFields: JSONObject = [:]
    ) {
        fromMember = member
        fromMemberProfile = profile
        self.relayID = relayID
        self.channelLink = channelLink
        self.otherFields = otherFields
    }
}

extension RelayInvitation: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        fromMember = try fields.required("fromMember")
        fromMemberProfile = try fields.required("fromMemberProfile")
        relayID = try fields.requiredMemberID("relayMemberId")
        channelLink = try fields.text("groupLink")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("fromMember", fromMember)
        fields.set("fromMemberProfile", fromMemberProfile)
        fields["relayMemberId"] = relayID.json
        fields.set("groupLink", channelLink)
        return fields
    }
}

/// What a relay can do besides forwarding (`relayCap`, network-7.md 8.2).
public struct RelayCapabilities: Hashable, Sendable {
    /// The domain on which the relay shows channels.
    public let webDomain: String?
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates capabilities from their parts.
    public init(webDomain: String? = nil, otherFields: JSONObject = [:]) {
        self.webDomain = webDomain
        self.otherFields = otherFields
    }
}

extension RelayCapabilities: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        webDomain = try fields.optionalText("webDomain")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("webDomain", webDomain)
        return fields
    }
}

/// Why a relay does not serve a channel (`x.grp.relay.reject`). Later versions may have other reasons.
public struct RelayRejection: RawRepresentable, Hashable, Sendable {
    /// The name in messages.
    public let rawValue: String

    /// Creates a reason from its name in messages.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The operator of the relay left the channel before.
    public static let rejoin = RelayRejection(rawValue: "rejoin_rejected")
}

/// The file of a roster (`fileInv` of `x.grp.roster`, network-7.md 9.8).
public struct RosterFile: Hashable, Sendable {
    /// The size in bytes.
    public let size: Int64
    /// The SHA-512 of the file.
    public let digest: Bytes
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates the description of a file from its parts.
    public init(size: Int64, digest: Bytes, otherFields: JSONObject = [:]) {
        self.size = size
        self.digest = digest
        self.otherFields = otherFields
    }
}

extension RosterFile: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        size = try fields.integer("fileSize")
        digest = try fields.requiredBytes("fileDigest")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        var fields = otherFields
        fields.set("fileSize", size)
        fields.set("fileDigest", Base64URL.encode(digest))
        return fields
    }
}

/// What a role change or a removal says of the roster of a channel (`memberKey`, `rosterVersion`, network-7.md 8.1).
public struct RosterChange: Hashable, Sendable {
    /// The version of the roster that has the change; nil outside of channels.
    public let version: Int64?
    /// The DER form of the member's key, in role changes only.
    public let memberKey: Bytes?

    /// Creates a change from its parts.
    public init(version: Int64?, memberKey: Bytes? = nil) {
        self.version = version
        self.memberKey = memberKey
    }

    /// Takes what the unknown fields of an event say. Malformed fields count as absent.
    public init(_ otherFields: JSONObject) {
        version = otherFields["rosterVersion"]?.integer
        memberKey = (otherFields["memberKey"]?.string).flatMap { try? Base64URL.decode($0) }
    }

    /// The fields for an event.
    public var fields: JSONObject {
        var fields: JSONObject = [:]
        fields.set("memberKey", memberKey.map { Base64URL.encode($0) })
        fields.set("rosterVersion", version)
        return fields
    }
}
