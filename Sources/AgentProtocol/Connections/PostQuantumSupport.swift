import Ratchet

/// What this side wants of the post-quantum KEM in a connection.
///
/// The KEM protects messages when both sides want it, and both speak agent version 5 and version 3 of the ratchet.
public enum PostQuantumSupport: Hashable, Sendable {
    /// Messages are protected by X448 alone, and are up to 15,795 bytes long.
    case off
    /// The KEM is used if the other side wants it, and protects messages from the first answer on. They are up to 13,573 bytes
    /// long, because its keys travel with each of them.
    case on
    /// The same, and the link proposes a KEM key, so that the first message is protected already. The link is longer by 1,550
    /// characters: too long to be shown as a QR code, and short enough for the request that carries it to a contact address.
    /// To a joiner it means ``on``.
    case inLink

    /// Whether messages leave room for the KEM, with versions that allow it.
    func isUsed(agentVersion: UInt16, ratchetVersion: UInt16) -> Bool {
        self != .off && PostQuantumSupport.isPossible(agentVersion: agentVersion, ratchetVersion: ratchetVersion)
    }

    /// Whether the agreed versions have the KEM.
    static func isPossible(agentVersion: UInt16, ratchetVersion: UInt16) -> Bool {
        agentVersion >= AgentVersion.postQuantum && ratchetVersion >= RatchetVersion.postQuantum
    }
}
