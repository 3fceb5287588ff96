public import ByteCoding

/// Versions and sizes of the agent protocol.
public enum AgentVersion {
    /// What this program speaks.
    public static let supported = VersionRange(2, 7)
    /// New ratchets in the place of lost ones.
    public static let synchronizes: UInt16 = 3
    /// Receipts.
    public static let receipts: UInt16 = 4
    /// Post-quantum keys in the ratchet.
    public static let postQuantum: UInt16 = 5
    /// The reply queue is secured by its sender; no HELLO.
    public static let senderSecuresReply: UInt16 = 6
}

/// The padded sizes of what goes through the ratchet. Connections that may use the KEM leave room for its larger headers.
public enum PaddedSize {
    /// Connection information in confirmations.
    public static func connectionInfo(postQuantum: Bool) -> Int {
        postQuantum ? 11106 : 14832
    }

    /// Everything else.
    public static func message(postQuantum: Bool) -> Int {
        postQuantum ? 13618 : 15840
    }

    /// The longest body of a user's message: the padded size without the padding's length (2) and the header (43).
    public static func largestBody(postQuantum: Bool) -> Int {
        message(postQuantum: postQuantum) - 45
    }
}
