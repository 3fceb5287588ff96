public import ByteCoding

/// A secret shared by reference: immutable, and wiped with its last reference.
///
/// Values such as a ratchet state are copied to try a step and to roll it back. They hold their keys by reference, so a
/// copy duplicates no key material (Swift has no arrays or dictionaries of ``SecretBytes``).
public final class Secret: Sendable {
    private let bytes: SecretBytes

    /// Takes ownership of `bytes`.
    public init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    /// Copies `bytes`. The caller's copy remains in memory.
    public convenience init(copying bytes: Bytes) {
        self.init(SecretBytes(copying: bytes))
    }

    /// Copies `bytes`. The caller's copy remains in memory.
    public convenience init(copying bytes: RawSpan) {
        unsafe self.init(
            SecretBytes(count: bytes.byteCount) { target in
                unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            })
    }

    /// Creates a secret of `count` random bytes.
    public convenience init(random source: any RandomSource, count: Int) {
        self.init(SecretBytes(random: source, count: count))
    }

    /// The size in bytes.
    public var count: Int { bytes.count }

    /// Lends the bytes to `body`. They are valid during the call only.
    public func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes(body)
    }

    /// Lends the memory to a C function. The pointer is valid during the call only.
    @unsafe
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe bytes.withUnsafeBytes(body)
    }

    /// Returns true if both hold the same bytes. The time depends only on the lengths.
    public func isEqual(to other: Secret) -> Bool {
        bytes.isEqual(to: other.bytes)
    }

    /// Returns a copy outside of secret memory, for storage and encodings. The caller wipes the copy.
    public func copyBytes() -> Bytes {
        unsafe withUnsafeBytes { unsafe Bytes($0) }
    }

    /// Splits the secret into parts of the given sizes, whose sum must be the size of the secret.
    public func split(_ sizes: Int...) -> [Secret] {
        precondition(sizes.reduce(0, +) == count, "the parts of a secret must add up to it")
        var start = 0
        return sizes.map { size in
            defer { start += size }
            return slice(start, size)
        }
    }

    /// Returns `size` bytes from `start` on. The range must be inside the secret.
    func slice(_ start: Int, _ size: Int) -> Secret {
        unsafe withUnsafeBytes { whole in
            unsafe Secret(
                SecretBytes(count: size) { target in
                    unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: whole[start..<start + size]))
                })
        }
    }
}
