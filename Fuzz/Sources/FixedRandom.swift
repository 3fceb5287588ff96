import CryptoCore

/// The same bytes for everybody: what a target makes by itself must not differ from run to run.
struct FixedRandom: RandomSource {
    let seed: UInt8

    @unsafe
    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        for index in buffer.indices {
            unsafe buffer[index] = UInt8(truncatingIfNeeded: index &* 167 &+ Int(seed))
        }
    }
}
