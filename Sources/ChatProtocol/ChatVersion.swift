public import ByteCoding

/// The versions of the chat protocol. A version is a promise about what its sender understands.
public enum ChatVersion {
    /// What this program announces. The range ends where the next version obliges to something that is not done here:
    /// 17 and more are about channels and group keys.
    public static let supported = VersionRange(1, 16)
    /// What a message speaks that names no range.
    public static let initial = VersionRange(1)

    /// Zstandard compression and post-quantum encryption.
    public static let compression: UInt16 = 8
    /// Arrays of messages between two contacts.
    public static let batches: UInt16 = 9
}

/// Sizes in bytes, unless something else is said.
public enum ChatLimit {
    /// One message or one batch, encoded.
    public static let message = 15602
    /// The same on a connection with post-quantum encryption, whose larger headers leave less room.
    public static let postQuantumMessage = 13380
    /// The message in the handshake of a connection.
    public static let handshake = 14694
    /// The same on a connection with post-quantum encryption.
    public static let postQuantumHandshake = 10968
    /// All that a compressed payload holds.
    public static let decompressed = 65536
    /// What a link shows, before it is compressed. How much of it there may be is up to the record of the link.
    public static let plainLinkContent = 10240
    /// How many elements a payload may have.
    public static let elements = 255
}

/// The chat version of one connection: what may be sent to the other side.
///
/// It only grows, also when the other side announces less than before.
public struct AgreedChatVersion: Hashable, Sendable {
    public private(set) var version: UInt16
    /// What the other side announced last, or nil before its first message.
    public private(set) var peer: VersionRange?

    /// The version of a first contact.
    ///
    /// Ranges with nothing in common do not end a connection: then it is the version of the other side that is nearest
    /// to ours.
    public init(peer: VersionRange, local: VersionRange = ChatVersion.supported) {
        self.peer = peer
        version = local.agreed(with: peer) ?? (peer.min > local.max ? peer.min : peer.max)
    }

    /// What is assumed of somebody whose link was followed and who has said nothing yet: programs that write a new agent
    /// version into their links also know compression.
    public init(linkAgentVersion: UInt16) {
        peer = nil
        let isNew = linkAgentVersion >= AgreedChatVersion.postQuantumAgent
        version = isNew ? ChatVersion.compression : ChatVersion.initial.max
    }

    /// The version of the agent protocol that brought post-quantum ratchets, at the same time as
    /// ``ChatVersion/compression``.
    private static let postQuantumAgent: UInt16 = 5

    /// A version that was stored.
    public init(version: UInt16, peer: VersionRange?) {
        self.version = version
        self.peer = peer
    }

    /// Takes note of the range in a received message, and says whether anything changed.
    public mutating func update(peer range: VersionRange, local: VersionRange = ChatVersion.supported) -> Bool {
        let before = self
        peer = range
        version = max(version, local.agreed(with: range) ?? version)
        return self != before
    }
}
