public import ByteCoding
internal import CSodium

/// Where random bytes come from. Programs use ``SystemRandom``; tests replay a seed or a recording.
public protocol RandomSource: Sendable {
    /// Fills the whole buffer.
    @unsafe
    func fill(_ buffer: UnsafeMutableRawBufferPointer)
}

extension RandomSource {
    /// `count` random bytes that are not secret: ids, nonces.
    public func bytes(_ count: Int) -> Bytes {
        unsafe Bytes(unsafeUninitializedCapacity: count) { buffer, initialized in
            unsafe fill(UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }
}

/// The generator of the operating system, through libsodium.
public struct SystemRandom: RandomSource {
    public init() {
        Sodium.require()
    }

    @unsafe
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let start = buffer.baseAddress else { return }
        unsafe randombytes_buf(start, buffer.count)
    }
}
