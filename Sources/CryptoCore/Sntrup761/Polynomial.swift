/// An element of Z[x] / (x^761 - x - 1) whose coefficients are small, or stand for residues.
///
/// A *small* polynomial has coefficients -1, 0 and 1; a *short* one is small and has exactly 286 that are not zero.
struct Polynomial: ~Copyable {
    /// The number of coefficients.
    static let size = 761
    /// The number of coefficients of a short polynomial that are not zero.
    static let weight = 286
    /// The size of an array that a whole number of vectors covers.
    static let paddedSize = 768

    /// The coefficients by degree, behind them zeros up to ``paddedSize``.
    let coefficients = SecretArray<Int16>(repeating: 0, count: paddedSize)

    /// A polynomial whose coefficients `coefficient` gives.
    @inline(__always)
    init(_ coefficient: (Int) -> Int16) {
        for index in 0..<Polynomial.size {
            coefficients[index] = coefficient(index)
        }
    }

    @inline(__always)
    subscript(index: Int) -> Int16 { coefficients[index] }

    /// The polynomial whose coefficients `transform` makes of these.
    @inline(__always)
    borrowing func map(_ transform: (Int16) -> Int16) -> Polynomial {
        Polynomial { transform(self[$0]) }
    }

    // MARK: - Small polynomials

    /// The bytes of a small polynomial.
    static let smallSize = 191

    /// Reads a small polynomial: four coefficients in a byte, those of low degree in the low bits.
    init(small bytes: borrowing SecretArray<UInt8>) {
        self.init { index in Int16(bytes[index / 4] >> UInt8(2 * (index % 4)) & 3) &- 1 }
    }

    /// The bytes of a small polynomial.
    borrowing func smallBytes() -> SecretArray<UInt8> {
        let bytes = SecretArray<UInt8>(repeating: 0, count: Polynomial.smallSize)
        for index in 0..<Polynomial.size {
            bytes[index / 4] |= UInt8(truncatingIfNeeded: self[index] &+ 1) << UInt8(2 * (index % 4))
        }
        return bytes
    }

    /// This small polynomial if it is short, or else a short one that everybody knows, in the same time.
    borrowing func orFixedShort() -> Polynomial {
        var weight = 0
        for index in 0..<Polynomial.size {
            weight &+= Int(self[index] & 1)
        }
        let difference = weight &- Polynomial.weight
        let isOther = Int16(truncatingIfNeeded: (difference | (0 &- difference)) &>> 63)
        return Polynomial { index in
            let fixed: Int16 = index < Polynomial.weight ? 1 : 0
            return self[index] ^ (isOther & (self[index] ^ fixed))
        }
    }
}
