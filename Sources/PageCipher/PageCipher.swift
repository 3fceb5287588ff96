/// The sizes of encrypted databases.
public enum PageCipher {
    /// The size of SQLite's pages in bytes, the only supported one.
    public static let pageSize = 4096
    /// The size of nonce and tag at the end of each page, in bytes.
    public static let reservedSize = 40
}

/// The reason why a file cannot be opened with a key, or slots cannot be changed. It contains neither a path nor
/// content.
public enum CipherError: Error, Hashable, Sendable {
    /// The file is neither an encrypted database nor a plain one.
    case notAStore
    /// Both halves of the header are damaged, or the file ends inside of the header.
    case damagedHeader
    /// A newer version of the program made the file.
    case newerFormat
    /// The credential opens no slot, or the key belongs to another store.
    case wrongKey
    /// All slots are taken.
    case noFreeSlot
    /// There is no slot with this id.
    case noSuchSlot
    /// The slot is the only way into the store.
    case lastSlot
    /// Argon2id needs more memory than available.
    case outOfMemory
    /// The file cannot be read or written. The value is SQLite's extended result code.
    case file(Int32)
}
