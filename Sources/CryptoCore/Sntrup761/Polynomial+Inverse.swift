/// A random small polynomial that is invertible modulo 3, with its inverse.
struct InvertiblePolynomial: ~Copyable {
    let polynomial: Polynomial
    let inverse: Polynomial

    /// Tries random polynomials until one is invertible.
    init(random source: any RandomSource) {
        while true {
            let polynomial = Polynomial.randomSmall(source)
            guard let inverse = polynomial.inverseMod3() else { continue }
            self.polynomial = polynomial
            self.inverse = inverse
            return
        }
    }
}

extension Polynomial {
    /// Returns the inverse modulo q of three times this short polynomial. Every polynomial but zero has one.
    ///
    /// Bernstein, Yang: Fast constant-time gcd computation and modular inversion, 2019, section 5. The division steps
    /// do not depend on the polynomial and carry the parts of the inverse along. Each step may multiply both rows (`f`,
    /// `v`) and (`g`, `r`) by any number, because only the quotient of `v` and `f` counts.
    borrowing func inverseOfTripleModQ() -> Polynomial {
        let size = Polynomial.size, steps = 2 * size - 1
        // Polynomials with the highest coefficient first, at the lowest index.
        let f = Polynomial.workingRow(), g = Polynomial.workingRow()
        f[0] = 1
        f[size - 1] = -1
        f[size] = -1
        // These rows grow and have their lowest coefficient last.
        let v = Polynomial.workingRow(), r = Polynomial.workingRow()
        r[size - 1] = 1
        for degree in 0..<size {
            g[size - 1 - degree] = self[degree]
        }
        let f0 = Polynomial.workingRow(), g0 = Polynomial.workingRow()
        var delta = 1
        for step in 0..<steps {
            unsafe Polynomial.fill(f0.start, Residue.modQ(Int32(f[0])))
            unsafe Polynomial.fill(g0.start, Residue.modQ(Int32(g[0])))
            let isExchange = Polynomial.exchangeMask(delta: delta, g0: Int(g0[0]))
            delta = (delta ^ isExchange) &- isExchange &+ 1
            let mask = Int16(truncatingIfNeeded: isExchange)
            // Each step drops one coefficient, and `v` and `r` grow by one.
            let needed = min(size + 1, steps - step), empty = max(0, size - 2 - step)
            unsafe Polynomial.divide(f.start, g.start, (needed + 7) & ~7, f0.start, g0.start, exchange: mask)
            unsafe Polynomial.follow(v.start, r.start, empty & ~7, f0.start, g0.start, exchange: mask)
        }
        let scale = Residue.inverseModQ(Residue.modQ(3 &* Int32(Residue.modQ(Int32(f[0])))))
        return Polynomial { Residue.modQ(Int32(scale) &* Int32(v[$0])) }
    }

    /// Returns a mask that is set if a division step exchanges its rows: `delta` is positive and `g0` is not zero.
    @inline(__always)
    static func exchangeMask(delta: Int, g0: Int) -> Int {
        ((0 &- delta) &>> 63) & ((g0 | (0 &- g0)) &>> 63)
    }

    /// Returns a row of zeros. The steps read one index behind the last written one.
    private static func workingRow() -> SecretArray<Int16> {
        SecretArray(repeating: 0, count: paddedSize + 8)
    }

    /// Fills a row with one factor. If the compiler knows that all factors are equal, it moves the 32-bit form out of
    /// the loop. Then it does not see that only the upper half of a 16-bit product is needed, which is four times
    /// faster.
    private static func fill(_ row: UnsafeMutablePointer<Int16>, _ factor: Int16) {
        for index in 0..<paddedSize {
            unsafe row[index] = factor
        }
    }

    /// Performs the division of a step: `f` becomes `g` or stays, `g` becomes (f0 g - g0 f) / x. After an exchange the
    /// sign is inverted, which has no effect on the quotient.
    private static func divide(
        _ f: UnsafeMutablePointer<Int16>, _ g: UnsafeMutablePointer<Int16>, _ count: Int,
        _ f0: UnsafeMutablePointer<Int16>, _ g0: UnsafeMutablePointer<Int16>, exchange: Int16
    ) {
        let (f0Scaled, g0Scaled) = unsafe (f0[0] &* Residue.scale, g0[0] &* Residue.scale)
        for index in 0..<count {
            let left = unsafe Residue.product(g[index + 1], f0[index], scaled: f0Scaled)
            let right = unsafe Residue.product(f[index + 1], g0[index], scaled: g0Scaled)
            unsafe f[index] ^= exchange & (f[index] ^ g[index])
            unsafe g[index] = left &- right
        }
    }

    /// Applies the step to `v` and `r`, where `v` is multiplied by x instead of dividing.
    private static func follow(
        _ v: UnsafeMutablePointer<Int16>, _ r: UnsafeMutablePointer<Int16>, _ start: Int,
        _ f0: UnsafeMutablePointer<Int16>, _ g0: UnsafeMutablePointer<Int16>, exchange: Int16
    ) {
        let (f0Scaled, g0Scaled) = unsafe (f0[0] &* Residue.scale, g0[0] &* Residue.scale)
        for index in start..<paddedSize {
            let (shifted, other) = unsafe (v[index + 1], r[index])
            let left = unsafe Residue.product(other, f0[index], scaled: f0Scaled)
            let right = unsafe Residue.product(shifted, g0[index], scaled: g0Scaled)
            unsafe v[index] = shifted ^ (exchange & (shifted ^ other))
            unsafe r[index] = left &- right
        }
    }
}

extension Polynomial {
    /// Returns the inverse of this small polynomial modulo 3, or nil if there is none (one of fifty has none).
    ///
    /// The division steps are those modulo q, for 64 coefficients at once. Two bits encode a coefficient: one for "not
    /// zero", one for "negative".
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
            // f(0) is never zero and is its own inverse.
            let f0 = f.first, g0 = g.first
            let factor = SmallRow.Word(nonZero: g0.nonZero, negative: g0.nonZero & ~(f0.negative ^ g0.negative))
            let isExchange = Polynomial.exchangeMask(delta: delta, g0: Int(truncatingIfNeeded: g0.nonZero))
            delta = (delta ^ isExchange) &- isExchange &+ 1
            let mask = UInt64(bitPattern: Int64(isExchange))
            SmallRow.divide(f, g, factor, exchange: mask)
            SmallRow.follow(v, r, factor, exchange: mask)
        }
        // The existence of an inverse reveals nothing about the polynomials that are used.
        guard delta == 0 else { return nil }
        let f0 = f.first
        return Polynomial { index in
            let coefficient = v.coefficient(index)
            // Negated if f(0) is negative.
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
        /// The negative coefficients, a subset of ``nonZero``.
        var negative: UInt64

        /// Returns all coefficients multiplied by those of `factor`.
        @inline(__always)
        func times(_ factor: Word) -> Word {
            let nonZero = nonZero & factor.nonZero
            return Word(nonZero: nonZero, negative: (negative ^ factor.negative) & nonZero)
        }

        /// Returns the sums modulo 3.
        @inline(__always)
        static func + (left: Word, right: Word) -> Word {
            let one = left.nonZero ^ right.nonZero, both = left.nonZero & right.nonZero
            let anyNegative = left.negative | right.negative
            // 1 + 1 = -1, -1 - 1 = 1.
            return Word(
                nonZero: one | (both & ~(left.negative ^ right.negative)),
                negative: (one & anyNegative) | (both & ~anyNegative))
        }

        /// Returns this word, or the other one where the mask is set.
        @inline(__always)
        func exchanged(for other: Word, _ mask: UInt64) -> Word {
            Word(
                nonZero: nonZero ^ (mask & (nonZero ^ other.nonZero)),
                negative: negative ^ (mask & (negative ^ other.negative)))
        }

        /// Returns the coefficients shifted down by one, with the lowest of the next word on top.
        @inline(__always)
        func shifted(_ next: Word) -> Word {
            Word(nonZero: nonZero >> 1 | next.nonZero << 63, negative: negative >> 1 | next.negative << 63)
        }
    }

    /// One more word than the coefficients need, which stays zero.
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

    /// Sets a coefficient whose value is zero.
    func set(_ index: Int, _ coefficient: Int16) {
        nonZero[index / 64] |= UInt64(coefficient & 1) << UInt64(index % 64)
        negative[index / 64] |= UInt64((coefficient >> 1) & 1) << UInt64(index % 64)
    }

    func coefficient(_ index: Int) -> Int16 {
        let bit = UInt64(index % 64)
        return Int16(nonZero[index / 64] >> bit & 1) &- 2 &* Int16(negative[index / 64] >> bit & 1)
    }

    /// The lowest coefficient, repeated 64 times.
    var first: Word {
        Word(nonZero: 0 &- (nonZero[0] & 1), negative: 0 &- (negative[0] & 1))
    }

    /// Performs the division of a step: `f` becomes `g` or stays, `g` becomes (g + factor f) / x.
    static func divide(_ f: borrowing SmallRow, _ g: borrowing SmallRow, _ factor: Word, exchange: UInt64) {
        var sum = g[0] + f[0].times(factor)
        for index in 0..<words {
            let next = g[index + 1] + f[index + 1].times(factor)
            f[index] = f[index].exchanged(for: g[index], exchange)
            g[index] = sum.shifted(next)
            sum = next
        }
    }

    /// Applies the step to `v` and `r`: `v` times x becomes `r` or stays, `r` becomes r + factor x v.
    static func follow(_ v: borrowing SmallRow, _ r: borrowing SmallRow, _ factor: Word, exchange: UInt64) {
        for index in 0..<words {
            let shifted = v[index].shifted(v[index + 1]), other = r[index]
            v[index] = shifted.exchanged(for: other, exchange)
            r[index] = other + shifted.times(factor)
        }
    }
}
