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

extension Polynomial {
    /// The product with a small polynomial modulo q.
    borrowing func timesModQ(_ small: borrowing Polynomial) -> Polynomial {
        let sums = sums(with: small)
        return Polynomial { Residue.modQ(sums[place(of: $0)]) }
    }

    /// The product of two small polynomials modulo 3.
    borrowing func timesMod3(_ small: borrowing Polynomial) -> Polynomial {
        let sums = sums(with: small)
        return Polynomial { Residue.mod3(sums[place(of: $0)]) }
    }

    /// How many rows are added up before the sums need more than 16 bits: 7 * 2 * 2295 < 2^15.
    private static let rows = 7

    /// The sums of products that are the coefficients of the product with `small`, see ``place(of:)``.
    ///
    /// Multiplied by x, a polynomial moves up one place, and the coefficient that leaves at the top returns at the degrees 0
    /// and 1, because x^761 = x + 1. So the multiples by x, x^2, ... are windows of one long row of numbers, which goes on
    /// downwards with sums of neighbours: row[k] = row[k + 761] + row[k + 760]. Only the degree 0 does not fit; it stands at
    /// the top, as degree 761.
    private borrowing func sums(with small: borrowing Polynomial) -> SecretArray<Int32> {
        let size = Polynomial.size, below = Polynomial.paddedSize
        let row = SecretArray<Int16>(repeating: 0, count: below + Polynomial.paddedSize + Polynomial.rows)
        for degree in 1..<size {
            row[below + degree] = self[degree]
        }
        row[below + size] = self[0]
        for degree in stride(from: 0, through: 2 - size, by: -1) {
            row[below + degree] = row[below + degree + size] &+ row[below + degree + size - 1]
        }
        let sums = SecretArray<Int32>(repeating: 0, count: Polynomial.paddedSize)
        for first in stride(from: 0, to: size, by: Polynomial.rows) {
            unsafe Polynomial.add(
                row.start + (below + 1 - first - (Polynomial.rows - 1)), times: small.coefficients.start + first,
                to: sums.start)
        }
        return sums
    }

    /// Where the sum for a degree is.
    private func place(of degree: Int) -> Int {
        degree == 0 ? Polynomial.size - 1 : degree - 1
    }

    /// Adds as many rows as fit, each one place below the one before.
    private static func add(
        _ row: UnsafeMutablePointer<Int16>, times factors: UnsafeMutablePointer<Int16>,
        to sums: UnsafeMutablePointer<Int32>
    ) {
        let (f0, f1, f2, f3) = unsafe (factors[0], factors[1], factors[2], factors[3])
        let (f4, f5, f6) = unsafe (factors[4], factors[5], factors[6])
        for index in 0..<paddedSize {
            var sum = unsafe row[index] &* f6 &+ row[index + 1] &* f5
            unsafe sum &+= row[index + 2] &* f4 &+ row[index + 3] &* f3
            unsafe sum &+= row[index + 4] &* f2 &+ row[index + 5] &* f1 &+ row[index + 6] &* f0
            unsafe sums[index] &+= Int32(sum)
        }
    }
}

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

/// Public keys and ciphertexts.
extension Polynomial {
    private static let publicKeys = MixedRadix(modulus: UInt32(Residue.q))
    private static let roundedPolynomials = MixedRadix(modulus: UInt32(Residue.q + 2) / 3)

    /// Reads a public key of the right size.
    init(publicKey: [UInt8]) {
        let numbers = Polynomial.publicKeys.decode(publicKey[...])
        self.init { index in Int16(numbers[index]) - Int16(Residue.halfQ) }
    }

    /// The public key that this polynomial modulo q is.
    borrowing func publicKey() -> [UInt8] {
        Polynomial.publicKeys.encode { index in UInt32(truncatingIfNeeded: Int32(self[index]) &+ Residue.halfQ) }
            .copyBytes()
    }

    /// Reads the rounded polynomial that a ciphertext of the right size begins with.
    init(ciphertext: [UInt8]) {
        let numbers = Polynomial.roundedPolynomials.decode(ciphertext.prefix(Polynomial.roundedPolynomials.size))
        self.init { index in 3 * Int16(numbers[index]) - Int16(Residue.halfQ) }
    }

    /// The beginning of a ciphertext: this polynomial modulo q with each coefficient moved to the nearest multiple of three.
    borrowing func roundedBytes() -> SecretArray<UInt8> {
        Polynomial.roundedPolynomials.encode { index in
            let rounded = Int32(self[index] &- Residue.mod3(Int32(self[index])))
            // A third of a multiple of three up to 4590, without a division.
            return UInt32(truncatingIfNeeded: (rounded &+ Residue.halfQ) &* 10923) &>> 15
        }
    }
}
