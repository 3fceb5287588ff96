public import ByteCoding

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
