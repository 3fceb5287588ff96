public import ByteCoding

/// The versions of the chat protocol (chat.md 1.2). A version promises what its sender can read.
public enum ChatVersion {
    /// The versions that this program announces. The next versions, from 20 on, require group keys.
    public static let supported = VersionRange(1, 19)
    /// The range of a message without a range.
    public static let initial = VersionRange(1)

    /// The first version that joins through a group link without a direct contact.
    public static let groupLinks: UInt16 = 3
    /// The first version that forwards messages in groups.
    public static let groupForwarding: UInt16 = 4
    /// The first version with arrays of messages in groups.
    public static let groupBatches: UInt16 = 5
    /// The first version that receives the welcome message of a group after its history.
    public static let groupWelcome: UInt16 = 6
    /// The first version that receives changed profiles of members.
    public static let memberProfiles: UInt16 = 7
    /// The first version with Zstandard compression and post-quantum encryption.
    public static let compression: UInt16 = 8
    /// The first version with arrays of messages between two contacts, and that forwards the elements of arrays in
    /// groups.
    public static let batches: UInt16 = 9
    /// The first version with business chats.
    public static let businessChats: UInt16 = 10
    /// The first version with changed preferences of business chats.
    public static let businessPreferences: UInt16 = 11
    /// The first version with reports to moderators.
    public static let reports: UInt16 = 12
    /// The first version with rejected requests to join a group.
    public static let groupRejection: UInt16 = 14
    /// The first version with scopes of messages and reviews of new members.
    public static let messageScopes: UInt16 = 15
    /// The first version with data in short links.
    public static let shortLinkData: UInt16 = 16
    /// The first version that accepts voice messages of moderators while it waits for its admission, and that reads
    /// binary payloads. Versions 18 and 19 concern groups with relays only.
    public static let admissionVoice: UInt16 = 17

    /// The first version with rosters of channels.
    public static let rosters: UInt16 = 19
    /// The lowest version of owners that relays tell what they can do (network-7.md 2.3).
    public static let relayCapabilities: UInt16 = 18

    /// Returns true if a member accepts an array of messages. Old programs of admins forward only single messages.
    public static func allowsBatches(to role: GroupRole, _ version: UInt16) -> Bool {
        version >= (role >= .admin ? batches : groupBatches)
    }
}

/// The size limits in bytes, unless stated otherwise (chat.md 1.5).
public enum ChatLimit {
    /// The largest encoded message or batch.
    public static let message = 15602
    /// The largest message that forwards another one, the same as a chunk of a file. A ``message`` of any size and the id
    /// of its author fit; the author's name need not.
    public static let forwardingMessage = 15780
    /// The largest message on a connection with post-quantum encryption, whose larger headers leave less room.
    public static let postQuantumMessage = 13380
    /// The largest message in the handshake of a connection.
    public static let handshake = 14694
    /// The largest message in a handshake with post-quantum encryption.
    public static let postQuantumHandshake = 10968
    /// The largest content of a compressed payload.
    public static let decompressed = 65536
    /// The largest content of a link before compression. The record of the link limits it further.
    public static let plainLinkContent = 10240
    /// The largest number of elements in a payload.
    public static let elements = 255
}

/// The agreed chat version of one connection.
///
/// It never decreases, even if the other side announces less than before.
public struct AgreedChatVersion: Hashable, Sendable {
    /// The agreed version.
    public private(set) var version: UInt16
    /// The range that the other side announced last; nil before its first message.
    public private(set) var peer: VersionRange?

    /// Creates the version of a first contact.
    ///
    /// Ranges without a common version do not end a connection. The version is then the nearest one of the other side.
    public init(peer: VersionRange, local: VersionRange = ChatVersion.supported) {
        self.peer = peer
        version = local.agreed(with: peer) ?? (peer.min > local.max ? peer.min : peer.max)
    }

    /// Creates the version of a peer that has sent no message yet, from the agent version in its link. Programs with
    /// the newer agent version in their links support compression.
    public init(linkAgentVersion: UInt16) {
        peer = nil
        let isNew = linkAgentVersion >= AgreedChatVersion.postQuantumAgent
        version = isNew ? ChatVersion.compression : ChatVersion.initial.max
    }

    /// The version of the agent protocol that added post-quantum ratchets, at the same time as
    /// ``ChatVersion/compression``.
    private static let postQuantumAgent: UInt16 = 5

    /// Creates a version from stored values.
    public init(version: UInt16, peer: VersionRange?) {
        self.version = version
        self.peer = peer
    }

    /// Updates the version with the range in a received message. Returns true if a value changed.
    public mutating func update(peer range: VersionRange, local: VersionRange = ChatVersion.supported) -> Bool {
        let before = self
        peer = range
        version = max(version, local.agreed(with: range) ?? version)
        return self != before
    }
}
