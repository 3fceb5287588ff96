/// Arithmetic with the two moduli, in constant time. It does not divide, because division in a processor may be faster
/// for small numbers.
enum Residue {
    /// The modulus of the ring of public keys and ciphertexts, a prime.
    static let q: Int32 = 4591
    /// The largest representative modulo q.
    static let halfQ: Int32 = 2295

    /// Returns the representative of `number` from -2295 to 2295, for numbers of up to 24 bits.
    @inline(__always)
    static func modQ(_ number: Int32) -> Int16 {
        // 2^40 / q, exact enough to round a number of this size to the true quotient.
        let quotient = (Int64(number) &* 239_492_840 &+ (1 << 39)) &>> 40
        return Int16(truncatingIfNeeded: Int64(number) &- quotient &* Int64(q))
    }

    /// Returns the representative of `number` from -1 to 1, for numbers of up to 13 bits.
    @inline(__always)
    static func mod3(_ number: Int32) -> Int16 {
        let quotient = (number &* 10923 &+ (1 << 14)) &>> 15
        return Int16(truncatingIfNeeded: number &- 3 &* quotient)
    }

    /// Returns the inverse modulo q of a number that is not a multiple of q: its power q - 2 (Fermat).
    static func inverseModQ(_ number: Int16) -> Int16 {
        var result: Int16 = 1
        // The exponent is not secret.
        for bit in stride(from: 12, through: 0, by: -1) {
            result = modQ(Int32(result) &* Int32(result))
            if (q - 2) >> bit & 1 == 1 { result = modQ(Int32(result) &* Int32(number)) }
        }
        return result
    }

    /// Returns a number congruent to the product divided by 2^16 (Montgomery), between -3444 and 3444. The bound is
    /// half of q plus at most 2295 / 2^16 of any number.
    ///
    /// - Parameters:
    ///   - factor: A number from -2295 to 2295.
    ///   - scaled: The factor times ``scale``.
    @inline(__always)
    static func product(_ number: Int16, _ factor: Int16, scaled: Int16) -> Int16 {
        high(number, factor) &- high(number &* scaled, Int16(q))
    }

    /// The inverse of q modulo 2^16.
    static let scale: Int16 = 15631

    /// Returns the upper half of a product.
    @inline(__always)
    private static func high(_ left: Int16, _ right: Int16) -> Int16 {
        Int16(truncatingIfNeeded: (Int32(left) &* Int32(right)) &>> 16)
    }
}
