/// Sizes of encrypted databases.
public enum PageCipher {
    /// The size of SQLite's pages, the only one there is.
    public static let pageSize = 4096
    /// The bytes at the end of each page that hold nonce and tag.
    public static let reservedSize = 40
}

/// Why a file cannot be opened with a key, or slots not be changed. It names neither a path nor contents.
public enum CipherError: Error, Hashable, Sendable {
    /// The file is neither an encrypted database nor a plain one.
    case notAStore
    /// Both halves of the header are damaged, or the file ends inside of it.
    case damagedHeader
    /// A newer version of the program made the file.
    case newerFormat
    /// The credential opens no slot, or the key is of another store.
    case wrongKey
    /// All slots are taken.
    case noFreeSlot
    case noSuchSlot
    /// Nothing would open the store any more.
    case lastSlot
    /// Argon2id needs more memory than there is.
    case outOfMemory
    /// The file cannot be read or written; the number is SQLite's extended result code.
    case file(Int32)
}
