/// What agents say to each other through relays: duplex connections made of two one-way queues, as values.
///
/// - Queues: ``QueueAddress`` tells a sender how to reach a queue, ``AgreedQueueAddress`` is the same after the versions were
///   agreed, ``SenderQueueAddress`` names a queue to somebody who knows it.
/// - Links: ``ConnectionLink`` is any link that somebody may paste. ``ConnectionRequest`` is a full one, an invitation or an
///   address; ``ShortLink`` leads to records on a relay, which ``OpenedLink`` reads and ``OwnedLink`` makes
///   (``NewLinkedQueue`` together with the queue).
/// - ``Connection`` takes the steps of a connection, or of an address that many may use.
/// - Messages: ``AgentEnvelope`` is what a relay's client sees, ``AgentMessage`` what is inside of the ratchet.
/// - Connections: ``Connection`` makes them, sends and receives. ``ReceiveRotation`` and ``SendRotation`` move their queues,
///   ``RatchetSynchronization`` says whether their ratchets fit. ``PostQuantumSupport`` is what a side wants of the
///   post-quantum KEM; events and messages say whether it is used.
/// - ``MessageSequence`` numbers messages and says whether some are missing.
///
/// Encryption for a queue is in SMPProtocol, end-to-end encryption in Ratchet; when to send what is decided by Agent.
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
