public import ByteCoding
internal import CSodium

/// Bytes that nobody else may see: one owner, wiped at the end of its life.
///
/// Use it for key material on its way between a primitive and its user, and for passphrases. A key that several values
/// refer to is a ``Secret``. The memory is neither swapped nor dumped, see ``LockedMemory``.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Safe because the memory has a single owner and is never written after the initialiser returns.
    private let buffer: UnsafeMutableRawBufferPointer

    /// Memory of `count` bytes, filled by `fill`, which must write all of them.
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

    /// A copy of `bytes`. The caller's copy stays where it is; prefer to create secrets in place.
    public init(copying bytes: Bytes) {
        unsafe self.init(count: bytes.count) { target in
            unsafe target.copyBytes(from: bytes)
        }
    }

    /// `count` random bytes.
    public init(random source: any RandomSource, count: Int) {
        unsafe self.init(count: count) { target in
            unsafe source.fill(target)
        }
    }

    deinit {
        unsafe LockedMemory.deallocate(buffer)
    }

    public var count: Int { unsafe buffer.count }

    /// Lends the bytes to `body`. They must not be kept longer than the call.
    public borrowing func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(buffer).bytes)
    }

    /// Lends the memory to a C function, which must not keep the pointer.
    @unsafe
    public borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(buffer))
    }

    /// Whether both hold the same bytes, in a time that depends on the lengths only.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe other.withUnsafeBytes { theirs in
            unsafe sodium_memcmp(buffer.baseAddress, theirs.baseAddress, count) == 0
        }
    }
}
