extension Polynomial {
    /// A random small polynomial; takes 761 words of the source at once.
    static func randomSmall(_ source: any RandomSource) -> Polynomial {
        let words = randomWords(source)
        return Polynomial { index in Int16(truncatingIfNeeded: ((words[index] & 0x3fff_ffff) &* 3) &>> 30) &- 1 }
    }

    /// A random short polynomial; takes 761 words of the source at once.
    ///
    /// The coefficients that are not zero come first and are shuffled by sorting: the upper 30 bits of a word are its place,
    /// the lower two its coefficient. Both signs come from a random bit.
    static func randomShort(_ source: any RandomSource) -> Polynomial {
        let words = randomWords(source)
        for index in 0..<size {
            words[index] = index < weight ? words[index] & ~1 : words[index] & ~3 | 1
        }
        sort(words)
        return Polynomial { index in Int16(words[index] & 3) &- 1 }
    }

    /// Random words, from bytes with the lowest first.
    private static func randomWords(_ source: any RandomSource) -> SecretArray<UInt32> {
        let words = SecretArray<UInt32>(repeating: 0, count: size)
        unsafe source.fill(UnsafeMutableRawBufferPointer(start: words.start, count: 4 * size))
        for index in 0..<size {
            words[index] = UInt32(littleEndian: words[index])
        }
        return words
    }

    /// Sorts by comparing and exchanging pairs whose places do not depend on the words (merge exchange: Knuth, The Art of
    /// Computer Programming, volume 3, algorithm 5.2.2M).
    private static func sort(_ words: borrowing SecretArray<UInt32>) {
        var merged = 1
        while merged < size {
            var distance = merged
            while distance > 0 {
                for start in stride(from: distance % merged, to: size - distance, by: 2 * distance) {
                    // Pairs of two different runs of sorted words are none.
                    guard start / (2 * merged) == (start + distance) / (2 * merged) else { continue }
                    let count = min(distance, size - distance - start)
                    unsafe exchange(words.start + start, words.start + start + distance, count)
                }
                distance /= 2
            }
            merged *= 2
        }
    }

    /// Puts the smaller word of each pair to the left.
    @inline(__always)
    private static func exchange(
        _ left: UnsafeMutablePointer<UInt32>, _ right: UnsafeMutablePointer<UInt32>, _ count: Int
    ) {
        for index in 0..<count {
            let (low, high) = unsafe (left[index], right[index])
            let isWrong = UInt32(truncatingIfNeeded: (UInt64(high) &- UInt64(low)) &>> 32)
            let difference = (low ^ high) & isWrong
            unsafe left[index] = low ^ difference
            unsafe right[index] = high ^ difference
        }
    }
}
