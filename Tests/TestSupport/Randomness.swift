public import ByteCoding
public import CryptoCore
import Synchronization

/// Reproducible random bytes: the same seed gives the same sequence.
public final class SeededRandom: RandomSource, RandomNumberGenerator {
    private let state: Mutex<UInt64>

    public init(seed: UInt64) {
        state = Mutex(seed)
    }

    /// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Not for secrets.
    public func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    @unsafe
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        for index in buffer.indices {
            unsafe buffer[index] = UInt8(truncatingIfNeeded: next() >> 32)
        }
    }
}

/// Hands out recorded values in order; asking for more, or for another size, traps.
public final class RecordedRandom: RandomSource {
    private let values: Mutex<[Bytes]>

    public init(_ values: [Bytes]) {
        self.values = Mutex(values)
    }

    /// How many values were not asked for.
    public var remaining: Int { values.withLock { $0.count } }

    @unsafe
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        let value = values.withLock { values in
            precondition(!values.isEmpty, "more randomness was asked for than was recorded")
            return values.removeFirst()
        }
        precondition(value.count == buffer.count, "randomness of another size was recorded")
        unsafe buffer.copyBytes(from: value)
    }
}
