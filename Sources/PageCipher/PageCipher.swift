/// SQLite databases of which the disk sees nothing but their size: a layer below SQLite (a VFS) that encrypts what is
/// written and checks what is read.
///
/// - ``StoreKey`` encrypts a store; ``KeySlots`` wraps it for each ``Credential``, in the ``FileHeader`` of each database.
/// - ``CipherVFS`` is what a connection is opened through.
///
/// ## What is where
///
/// A header of 4,096 bytes stands in front of the database; every offset of SQLite is shifted by it. A page has 40 bytes
/// that SQLite reserves at its end (the 21st byte of its own header says so). What SQLite writes around a page is encrypted
/// together with it, and the 40 bytes hold nonce and tag of the whole, so nothing else changes its size or its place:
///
///     page                       4,056 bytes encrypted | nonce 24 | tag 16
///     log        32 bytes in clear: SQLite's header, which is random numbers and a page size
///       frame    24 of frame header and 4,056 of a page, encrypted | nonce 24 | tag 16
///     journal    512 bytes in clear: SQLite's header, sizes and a random number
///       record   4 of page number, 4,056 of a page, 4 of checksum, encrypted | nonce 24 | tag 16
///
/// The cipher is XChaCha20-Poly1305, with a random nonce for each write. Its keys are derived with HKDF from the key of the
/// store and the salt in the header of the file, one for pages, one for frames, one for records; the number of the page,
/// of the frame, or the offset of the record is authenticated with it. A page that was changed, moved, or taken from
/// another file is an error (`SQLITE_IOERR_DATA`); it is never handed on. Temporary files have a key of their own that
/// is forgotten when they are closed.
///
/// ## After a crash
///
/// One block of the cipher is one write of SQLite, and nothing is encrypted again that a sync made durable, except a page
/// that SQLite overwrites itself and could restore. So recovery is SQLite's: a frame or a record that was torn reads as
/// zeros, whose checksum is wrong, and ends the log as it would in a plain file.
///
/// ## What this does not do
///
/// Whoever can write to the disk can put back an older version of a page, of the log, or of all files, from a copy made
/// before, and can cut off the end of the log: each is authentic. The sizes of files, which pages are written and when, and
/// the index of the log (`-shm`: page numbers, and SQLite's running checksum of eight bytes) can be seen. A slot that was
/// removed may survive in blocks that a disk has replaced by others.
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
