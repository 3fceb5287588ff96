public import ByteCoding

/// The versions of the end-to-end encryption (smp-agent.md 8.4).
public enum RatchetVersion {
    /// The versions that this program supports.
    public static let supported = VersionRange(2, 3)
    /// The first version with a KEM field in headers and two-byte lengths.
    public static let postQuantum: UInt16 = 3
}
