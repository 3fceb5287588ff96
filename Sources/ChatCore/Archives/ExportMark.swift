public import ByteCoding

/// What a store remembers of one export. The archive carries the same mark, so that whoever has both knows how they are
/// related.
///
/// Two stores that go on from one state send different messages with the same keys: relays deliver each message to one of
/// them only, and the ratchets of contacts follow whoever speaks first. Nothing can prevent that from afar, so the mark
/// serves three purposes: an exporting store says that there is an archive, an imported one that it came from elsewhere,
/// and an import into the store that exported tells whether that went on meanwhile.
public struct ExportMark: Hashable, Sendable {
    /// Random, 16 bytes.
    public let id: Bytes
    /// How many exports the store has seen, this one included.
    public let number: Int64
    public let exportedAt: Timestamp
    /// Whether the archive was written to its end, as far as this store knows. In the archive itself it never is.
    public let isComplete: Bool
    /// Whether the store refuses to go on, because it goes on elsewhere.
    public let isFrozen: Bool
    /// How many messages all connections had sent and received: more of them mean that the store went on.
    let steps: Int64
    /// When the archive became this store, if it did.
    public let importedAt: Timestamp?
    /// True if the store is not the one that was exported but a copy of it, which stands still until the original is lost.
    public let isBackup: Bool

    static let idSize = 16
}
