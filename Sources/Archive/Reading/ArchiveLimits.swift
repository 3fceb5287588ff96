/// How much an archive may demand of whoever reads it.
public struct ArchiveLimits: Hashable, Sendable {
    /// How many entries there may be.
    public var entries = 200_000
    /// The size of the list of entries in bytes, which is in memory.
    public var directory = 64 << 20
    /// The size of all contents together in bytes. What can be afforded depends on the disk, so callers lower it.
    public var total = 1 << 44
    /// How many times larger than its compressed form a content may be, where it is larger than ``freeExpansion``.
    public var expansion = 200
    /// Up to this size in bytes it does not matter how well a content was compressed.
    public var freeExpansion = 64 << 20

    public static let standard = ArchiveLimits()

    public init() {}

    /// Whether a content may have these sizes.
    func allow(size: Int, compressedSize: Int) -> Bool {
        size <= freeExpansion || size / expansion <= compressedSize
    }
}
