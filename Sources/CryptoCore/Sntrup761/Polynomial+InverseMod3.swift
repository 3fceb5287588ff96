extension Polynomial {
    /// The inverse of this small polynomial modulo 3, or nil if there is none (one of fifty has none).
    ///
    /// The same division steps as modulo q, for 64 coefficients at once: a coefficient is one bit that says that it is not
    /// zero and one that says that it is negative.
    borrowing func inverseMod3() -> Polynomial? {
        let size = Polynomial.size
        let f = SmallRow(), g = SmallRow(), v = SmallRow(), r = SmallRow()
        f.set(0, 1)
        f.set(size - 1, -1)
        f.set(size, -1)
        r.set(size - 1, 1)
        for degree in 0..<size {
            g.set(size - 1 - degree, self[degree])
        }
        var delta = 1
        for _ in 0..<2 * size - 1 {
            // f(0) is never zero, and its own inverse.
            let f0 = f.first, g0 = g.first
            let factor = SmallRow.Word(nonZero: g0.nonZero, negative: g0.nonZero & ~(f0.negative ^ g0.negative))
            let isExchange = Polynomial.exchangeMask(delta: delta, g0: Int(truncatingIfNeeded: g0.nonZero))
            delta = (delta ^ isExchange) &- isExchange &+ 1
            let mask = UInt64(bitPattern: Int64(isExchange))
            SmallRow.divide(f, g, factor, exchange: mask)
            SmallRow.follow(v, r, factor, exchange: mask)
        }
        // Whether there is an inverse says nothing about those that have one.
        guard delta == 0 else { return nil }
        let f0 = f.first
        return Polynomial { index in
            let coefficient = v.coefficient(index)
            // Negated if f(0) is.
            let sign = Int16(truncatingIfNeeded: f0.negative)
            return (coefficient ^ sign) &- sign
        }
    }
}

/// Coefficients -1, 0 and 1 of a polynomial, 64 to a word.
private struct SmallRow: ~Copyable {
    private static let words = Polynomial.paddedSize / 64

    /// 64 coefficients.
    struct Word {
        var nonZero: UInt64
        /// Only bits that ``nonZero`` has, too.
        var negative: UInt64

        /// All coefficients times those of `factor`.
        @inline(__always)
        func times(_ factor: Word) -> Word {
            let nonZero = nonZero & factor.nonZero
            return Word(nonZero: nonZero, negative: (negative ^ factor.negative) & nonZero)
        }

        /// The sums modulo 3.
        @inline(__always)
        static func + (left: Word, right: Word) -> Word {
            let one = left.nonZero ^ right.nonZero, both = left.nonZero & right.nonZero
            let anyNegative = left.negative | right.negative
            // 1 + 1 = -1, -1 - 1 = 1.
            return Word(
                nonZero: one | (both & ~(left.negative ^ right.negative)),
                negative: (one & anyNegative) | (both & ~anyNegative))
        }

        /// This word, or the other one where the mask is set.
        @inline(__always)
        func exchanged(for other: Word, _ mask: UInt64) -> Word {
            Word(
                nonZero: nonZero ^ (mask & (nonZero ^ other.nonZero)),
                negative: negative ^ (mask & (negative ^ other.negative)))
        }

        /// The coefficients one place lower, with the lowest of the next word.
        @inline(__always)
        func shifted(_ next: Word) -> Word {
            Word(nonZero: nonZero >> 1 | next.nonZero << 63, negative: negative >> 1 | next.negative << 63)
        }
    }

    /// One word more than there are coefficients for, which stays zero.
    private let nonZero = SecretArray<UInt64>(repeating: 0, count: words + 1)
    private let negative = SecretArray<UInt64>(repeating: 0, count: words + 1)

    private subscript(index: Int) -> Word {
        @inline(__always)
        get { Word(nonZero: nonZero[index], negative: negative[index]) }
        @inline(__always)
        nonmutating set {
            nonZero[index] = newValue.nonZero
            negative[index] = newValue.negative
        }
    }

    /// Sets a coefficient that is zero.
    func set(_ index: Int, _ coefficient: Int16) {
        nonZero[index / 64] |= UInt64(coefficient & 1) << UInt64(index % 64)
        negative[index / 64] |= UInt64((coefficient >> 1) & 1) << UInt64(index % 64)
    }

    func coefficient(_ index: Int) -> Int16 {
        let bit = UInt64(index % 64)
        return Int16(nonZero[index / 64] >> bit & 1) &- 2 &* Int16(negative[index / 64] >> bit & 1)
    }

    /// The lowest coefficient, 64 times.
    var first: Word {
        Word(nonZero: 0 &- (nonZero[0] & 1), negative: 0 &- (negative[0] & 1))
    }

    /// `f` becomes `g` or stays, `g` becomes (g + factor f) / x.
    static func divide(_ f: borrowing SmallRow, _ g: borrowing SmallRow, _ factor: Word, exchange: UInt64) {
        var sum = g[0] + f[0].times(factor)
        for index in 0..<words {
            let next = g[index + 1] + f[index + 1].times(factor)
            f[index] = f[index].exchanged(for: g[index], exchange)
            g[index] = sum.shifted(next)
            sum = next
        }
    }

    /// `v` times x becomes `r` or stays, `r` becomes r + factor x v.
    static func follow(_ v: borrowing SmallRow, _ r: borrowing SmallRow, _ factor: Word, exchange: UInt64) {
        for index in 0..<words {
            let shifted = v[index].shifted(v[index + 1]), other = r[index]
            v[index] = shifted.exchanged(for: other, exchange)
            r[index] = other + shifted.times(factor)
        }
    }
}
