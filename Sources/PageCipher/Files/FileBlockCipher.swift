internal import CryptoCore
internal import Glibc

/// The cipher of one kind of block in one file. A stored block is a ciphertext, a random nonce and a tag.
///
/// It works in the memory of its caller without allocations, because SQLite calls it for every page.
@safe
final class FileBlockCipher {
    static let overhead = XChaCha20Poly1305.nonceSize + XChaCha20Poly1305.tagSize
    /// The number of nonces drawn at once: a call of the generator costs as much as a quarter of a page.
    private static let pooledNonces = 64
    private static let poolSize = pooledNonces * XChaCha20Poly1305.nonceSize

    private let key: Secret
    private let pool: UnsafeMutableRawBufferPointer
    private var used = FileBlockCipher.poolSize

    init(key: Secret) {
        self.key = key
        unsafe pool = .allocate(byteCount: FileBlockCipher.poolSize, alignment: 16)
    }

    deinit {
        unsafe pool.deallocate()
    }

    /// Encrypts `text` into `block`, which is 40 bytes longer and may start at the same address.
    ///
    /// - Parameter number: The unique number of the block in the file.
    @unsafe
    func seal(_ text: UnsafeRawBufferPointer, into block: UnsafeMutablePointer<UInt8>, number: UInt64) {
        if used == FileBlockCipher.poolSize {
            unsafe SystemRandom().fill(pool)
            used = 0
        }
        let nonce = unsafe block + text.count
        unsafe UnsafeMutableRawPointer(nonce).copyMemory(
            from: UnsafeRawPointer(pool.baseAddress.unsafelyUnwrapped) + used, byteCount: XChaCha20Poly1305.nonceSize)
        used += XChaCha20Poly1305.nonceSize
        unsafe withUnsafeBytes(of: number.littleEndian) { number in
            unsafe XChaCha20Poly1305.seal(
                text, into: block, tag: nonce + XChaCha20Poly1305.nonceSize, nonce: nonce, associated: number, key: key)
        }
    }

    /// Decrypts a block into `text`, which has `count` bytes, 40 less than the block, and may start at the same
    /// address. Returns false, with `text` wiped, if the block is not authentic.
    @unsafe
    func open(
        _ block: UnsafePointer<UInt8>, into text: UnsafeMutablePointer<UInt8>, count: Int, number: UInt64
    ) -> Bool {
        let nonce = unsafe block + count
        let isAuthentic = unsafe withUnsafeBytes(of: number.littleEndian) { number in
            unsafe XChaCha20Poly1305.open(
                UnsafeRawBufferPointer(start: block, count: count), into: text,
                tag: nonce + XChaCha20Poly1305.nonceSize, nonce: nonce, associated: number, key: key)
        }
        if !isAuthentic { unsafe memset(text, 0, count) }
        return isAuthentic
    }
}

/// The ciphers of a database and its side files.
struct FileCiphers {
    let pages: FileBlockCipher
    let frames: FileBlockCipher
    let records: FileBlockCipher

    init(_ key: StoreKey, _ header: FileHeader) {
        let size = XChaCha20Poly1305.keySize
        let keys = key.derive(3 * size, salt: header.salt, for: "file").split(size, size, size)
        pages = FileBlockCipher(key: keys[0])
        frames = FileBlockCipher(key: keys[1])
        records = FileBlockCipher(key: keys[2])
    }
}

/// Memory for assembling blocks, wiped at the end of its life.
@safe
final class Scratch {
    @unsafe let start: UnsafeMutablePointer<UInt8>
    private let count: Int

    /// Allocates `count` zero bytes.
    init(_ count: Int) {
        unsafe start = .allocate(capacity: count)
        unsafe start.initialize(repeating: 0, count: count)
        self.count = count
    }

    deinit {
        unsafe explicit_bzero(start, count)
        unsafe start.deallocate()
    }

    /// The whole memory.
    @unsafe var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }
}
