extension Polynomial {
    /// The inverse of three times this short polynomial modulo q, where every polynomial but zero has one.
    ///
    /// Bernstein, Yang: Fast constant-time gcd computation and modular inversion, 2019, section 5. The division steps do
    /// not depend on the polynomial; they carry along what the inverse is made of. Each step may multiply both rows
    /// (`f`, `v`) and (`g`, `r`) by any number, because the quotient of `v` and `f` is all that counts.
    borrowing func inverseOfTripleModQ() -> Polynomial {
        let size = Polynomial.size, steps = 2 * size - 1
        // Polynomials with their highest coefficient first; that is what stands at the lowest place.
        let f = Polynomial.workingRow(), g = Polynomial.workingRow()
        f[0] = 1
        f[size - 1] = -1
        f[size] = -1
        // And these, which grow, with their lowest coefficient last.
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
            // One coefficient less counts in every step, and `v` and `r` are longer by one.
            let needed = min(size + 1, steps - step), empty = max(0, size - 2 - step)
            unsafe Polynomial.divide(f.start, g.start, (needed + 7) & ~7, f0.start, g0.start, exchange: mask)
            unsafe Polynomial.follow(v.start, r.start, empty & ~7, f0.start, g0.start, exchange: mask)
        }
        let scale = Residue.inverseModQ(Residue.modQ(3 &* Int32(Residue.modQ(Int32(f[0])))))
        return Polynomial { Residue.modQ(Int32(scale) &* Int32(v[$0])) }
    }

    /// Whether a division step exchanges its rows, as a mask: `delta` is positive and `g0` is not zero.
    @inline(__always)
    static func exchangeMask(delta: Int, g0: Int) -> Int {
        ((0 &- delta) &>> 63) & ((g0 | (0 &- g0)) &>> 63)
    }

    /// A row of zeros. The steps read one place behind what they write.
    private static func workingRow() -> SecretArray<Int16> {
        SecretArray(repeating: 0, count: paddedSize + 8)
    }

    /// Makes a row of one factor. A compiler that knows that all numbers have the same factor takes its 32-bit form out of the
    /// loop, and then does not see that the upper half of a 16-bit product is all that is wanted, which is four times faster.
    private static func fill(_ row: UnsafeMutablePointer<Int16>, _ factor: Int16) {
        for index in 0..<paddedSize {
            unsafe row[index] = factor
        }
    }

    /// The division of a step: `f` becomes `g` or stays, `g` becomes (f0 g - g0 f) / x. The sign of that would be another
    /// one after an exchange, which does not matter.
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

    /// What the step means for `v` and `r`: the same, but that `v` is multiplied by x instead.
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
