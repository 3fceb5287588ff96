public import ByteCoding

/// A secret that several values refer to: immutable, shared, wiped when the last reference goes.
///
/// Values like a ratchet state are copied to try a step and to roll it back; their keys are held by reference so that a
/// copy duplicates no key material (Swift has no arrays or dictionaries of ``SecretBytes``).
public final class Secret: Sendable {
    private let bytes: SecretBytes

    public init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    public convenience init(copying bytes: Bytes) {
        self.init(SecretBytes(copying: bytes))
    }

    public convenience init(copying bytes: RawSpan) {
        unsafe self.init(
            SecretBytes(count: bytes.byteCount) { target in
                unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            })
    }

    public convenience init(random source: any RandomSource, count: Int) {
        self.init(SecretBytes(random: source, count: count))
    }

    public var count: Int { bytes.count }

    /// Lends the bytes to `body`. They must not be kept longer than the call.
    public func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes(body)
    }

    /// Lends the memory to a C function, which must not keep the pointer.
    @unsafe
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe bytes.withUnsafeBytes(body)
    }

    /// Whether both hold the same bytes, in a time that depends on the lengths only.
    public func isEqual(to other: Secret) -> Bool {
        bytes.isEqual(to: other.bytes)
    }

    /// A copy outside of secret memory, for storage and for encodings that carry a key. The caller wipes it.
    public func copyBytes() -> Bytes {
        unsafe withUnsafeBytes { unsafe Bytes($0) }
    }

    /// The parts of the given sizes, in order; together they must be the whole.
    public func split(_ sizes: Int...) -> [Secret] {
        precondition(sizes.reduce(0, +) == count, "the parts of a secret must add up to it")
        var start = 0
        return sizes.map { size in
            defer { start += size }
            return slice(start, size)
        }
    }

    /// `size` bytes from `start` on, which must be inside.
    func slice(_ start: Int, _ size: Int) -> Secret {
        unsafe withUnsafeBytes { whole in
            unsafe Secret(
                SecretBytes(count: size) { target in
                    unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: whole[start..<start + size]))
                })
        }
    }
}
