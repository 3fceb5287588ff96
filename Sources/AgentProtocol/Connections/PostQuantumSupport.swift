import Ratchet

/// The setting of this side for the post-quantum KEM in a connection.
///
/// The KEM protects messages if both sides enable it, with agent version 5 and ratchet version 3 (smp-agent.md 8.10).
public enum PostQuantumSupport: Hashable, Sendable {
    /// X448 alone protects messages of up to 15,795 bytes.
    case off
    /// The KEM is used if the other side enables it, and protects messages from the first response on. They have up to
    /// 13,573 bytes, because the KEM keys travel with each message.
    case on
    /// The same as ``on``, and the link proposes a KEM key, so that the KEM protects the first message already. The
    /// link is
    /// 1,550 characters longer: too long for a QR code, and short enough for a request to a contact address. For a
    /// joiner, the same as ``on``.
    case inLink

    /// Returns true if messages leave room for the KEM with these versions.
    func isUsed(agentVersion: UInt16, ratchetVersion: UInt16) -> Bool {
        self != .off && PostQuantumSupport.isPossible(agentVersion: agentVersion, ratchetVersion: ratchetVersion)
    }

    /// Returns true if the agreed versions support the KEM.
    static func isPossible(agentVersion: UInt16, ratchetVersion: UInt16) -> Bool {
        agentVersion >= AgentVersion.postQuantum && ratchetVersion >= RatchetVersion.postQuantum
    }
}
