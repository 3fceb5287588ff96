public import ByteCoding

/// The versions and sizes of the agent protocol (smp-agent.md 7.1).
public enum AgentVersion {
    /// The versions that this program supports.
    public static let supported = VersionRange(2, 7)
    /// The first version with ratchet synchronisation.
    public static let synchronizes: UInt16 = 3
    /// The first version with delivery receipts.
    public static let receipts: UInt16 = 4
    /// The first version with post-quantum keys in the ratchet.
    public static let postQuantum: UInt16 = 5
    /// The first version whose joiner's reply queue is secured by its sender, without HELLO.
    public static let senderSecuresReply: UInt16 = 6
}

/// The padded sizes of plaintexts in the ratchet, in bytes (smp-agent.md 8.11). Connections with the KEM leave room for
/// its larger headers.
public enum PaddedSize {
    /// Returns the padded size of connection information in confirmations.
    public static func connectionInfo(postQuantum: Bool) -> Int {
        postQuantum ? 11106 : 14832
    }

    /// Returns the padded size of all other messages.
    public static func message(postQuantum: Bool) -> Int {
        postQuantum ? 13618 : 15840
    }

    /// Returns the largest body of a user's message: the padded size without the padding's length (2) and the header
    /// (43).
    public static func largestBody(postQuantum: Bool) -> Int {
        message(postQuantum: postQuantum) - 45
    }
}
