public import ByteCoding
import ChatProtocol

/// What a group has that is a channel: its members connect to relays, and not to each other (network-7.md 9).
public struct Channel: Hashable, Sendable {
    /// The id of the channel, the same for all members.
    public var publicID: Bytes
    /// The DER form of the root key of the channel link.
    public var rootKey: Bytes?
    /// True if the user has the private root key.
    public var isRoot = false
    /// The status of the user as a relay of the channel; nil for other members.
    public var ownStatus: RelayStatus?
    /// The number of members that the owner publishes.
    public var memberCount: Int64?
    /// The highest version of the roster that was seen.
    public var rosterGate: Int64?
    /// The version of the roster up to which no change is missing.
    public var rosterVersion: Int64?

    /// Creates a channel of which only the id is known.
    public init(publicID: Bytes) {
        self.publicID = publicID
    }
}

/// How far a relay of a channel has come. The raw values are those of the API.
public enum RelayStatus: String, CaseIterable, Hashable, Sendable {
    case new, invited, accepted, acknowledgedRoster, active, inactive, rejected
}

/// What is known of the signature of a received message (network-7.md 7.3). The raw values are those of the API.
public enum SignatureStatus: String, CaseIterable, Hashable, Sendable {
    /// The key of the author verifies it.
    case verified
    /// It is signed, and the key of the author is not known.
    case noKey = "signedNoKey"
    /// It is not signed, and the channel demands a signature.
    case missing = "sigMissing"
}

extension Group {
    /// True for a channel.
    public var isChannel: Bool { channel != nil }

    /// True for a member that gets what the user sends: in a channel a relay, and for a relay the others (network-7.md 9.6).
    public func reaches(_ member: GroupMember) -> Bool { !isChannel || isServedByUser != member.isRelay }

    /// True if the user is a relay of the channel.
    public var isServedByUser: Bool { channel != nil && membership.role == .relay }
}

extension GroupMember {
    /// True for a relay of a channel.
    public var isRelay: Bool { role == .relay }
}
