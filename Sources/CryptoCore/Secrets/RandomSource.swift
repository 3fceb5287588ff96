public import ByteCoding
internal import CSodium

/// A source of random bytes. Programs use ``SystemRandom``; tests replay a seed or a recording.
public protocol RandomSource: Sendable {
    /// Fills the whole buffer. Must be safe to call from any thread.
    @unsafe
    func fill(_ buffer: UnsafeMutableRawBufferPointer)
}

extension RandomSource {
    /// Returns `count` random bytes that are not secret, such as ids and nonces.
    public func bytes(_ count: Int) -> Bytes {
        unsafe Bytes(unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe fill(UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }
}

/// The random generator of the operating system, through libsodium.
public struct SystemRandom: RandomSource {
    /// Creates a source.
    public init() {
        Sodium.require()
    }

    /// Fills the whole buffer.
    @unsafe
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let start = buffer.baseAddress else { return }
        unsafe randombytes_buf(start, buffer.count)
    }
}
