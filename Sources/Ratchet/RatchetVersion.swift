public import ByteCoding

/// The versions of the end-to-end encryption.
public enum RatchetVersion {
    /// What this program speaks.
    public static let supported = VersionRange(2, 3)
    /// From this version on headers have a KEM field and lengths have two bytes.
    public static let postQuantum: UInt16 = 3
}
