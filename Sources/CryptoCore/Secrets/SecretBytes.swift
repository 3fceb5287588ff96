public import ByteCoding
internal import CSodium

/// Secret bytes with one owner, wiped at the end of their life.
///
/// Use it for passphrases, and for key material between a primitive and its user. A shared key is a ``Secret``. The
/// memory is neither swapped nor dumped, see ``LockedMemory``.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Safe because the memory has a single owner and is never written after the initialiser returns.
    private let buffer: UnsafeMutableRawBufferPointer

    /// Allocates `count` bytes and calls `fill`, which must write all of them.
    @unsafe
    public init<Failure: Error>(
        count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let memory = unsafe LockedMemory.allocate(count)
        do throws(Failure) {
            try unsafe fill(memory)
        } catch {
            unsafe LockedMemory.deallocate(memory)
            throw error
        }
        unsafe buffer = memory
    }

    /// Copies `bytes`. The caller's copy remains in memory; prefer to create secrets in place.
    public init(copying bytes: Bytes) {
        unsafe self.init(count: bytes.count) { target in
            unsafe target.copyBytes(from: bytes)
        }
    }

    /// Creates `count` random bytes.
    public init(random source: any RandomSource, count: Int) {
        unsafe self.init(count: count) { target in
            unsafe source.fill(target)
        }
    }

    deinit {
        unsafe LockedMemory.deallocate(buffer)
    }

    /// The size in bytes.
    public var count: Int { unsafe buffer.count }

    /// Lends the bytes to `body`. They are valid during the call only.
    public borrowing func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(buffer).bytes)
    }

    /// Lends the memory to a C function. The pointer is valid during the call only.
    @unsafe
    public borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(buffer))
    }

    /// Returns true if both hold the same bytes. The time depends only on the lengths.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe other.withUnsafeBytes { theirs in
            unsafe sodium_memcmp(buffer.baseAddress, theirs.baseAddress, count) == 0
        }
    }
}
