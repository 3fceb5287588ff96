/// An element of Z[x] / (x^761 - x - 1) with small coefficients or residues.
///
/// A *small* polynomial has coefficients -1, 0 and 1. A *short* one is small and has exactly 286 coefficients that are
/// not zero.
struct Polynomial: ~Copyable {
    /// The number of coefficients.
    static let size = 761
    /// The number of nonzero coefficients of a short polynomial.
    static let weight = 286
    /// The size of an array that a whole number of vectors covers.
    static let paddedSize = 768

    /// The coefficients by degree, followed by zeros up to ``paddedSize``.
    let coefficients = SecretArray<Int16>(repeating: 0, count: paddedSize)

    /// Creates a polynomial from its coefficients.
    @inline(__always)
    init(_ coefficient: (Int) -> Int16) {
        for index in 0..<Polynomial.size {
            coefficients[index] = coefficient(index)
        }
    }

    @inline(__always)
    subscript(index: Int) -> Int16 { coefficients[index] }

    /// Returns a polynomial with each coefficient transformed.
    @inline(__always)
    borrowing func map(_ transform: (Int16) -> Int16) -> Polynomial {
        Polynomial { transform(self[$0]) }
    }

    // MARK: - Small polynomials

    /// The encoded size of a small polynomial in bytes.
    static let smallSize = 191

    /// Reads a small polynomial: four coefficients in a byte, low degrees in the low bits.
    init(small bytes: borrowing SecretArray<UInt8>) {
        self.init { index in Int16(bytes[index / 4] >> UInt8(2 * (index % 4)) & 3) &- 1 }
    }

    /// Returns the encoding of a small polynomial.
    borrowing func smallBytes() -> SecretArray<UInt8> {
        let bytes = SecretArray<UInt8>(repeating: 0, count: Polynomial.smallSize)
        for index in 0..<Polynomial.size {
            bytes[index / 4] |= UInt8(truncatingIfNeeded: self[index] &+ 1) << UInt8(2 * (index % 4))
        }
        return bytes
    }

    /// Returns this small polynomial if it is short, else a fixed short one, in constant time.
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
    /// Returns the product with a small polynomial modulo q.
    borrowing func timesModQ(_ small: borrowing Polynomial) -> Polynomial {
        let sums = sums(with: small)
        return Polynomial { Residue.modQ(sums[place(of: $0)]) }
    }

    /// Returns the product of two small polynomials modulo 3.
    borrowing func timesMod3(_ small: borrowing Polynomial) -> Polynomial {
        let sums = sums(with: small)
        return Polynomial { Residue.mod3(sums[place(of: $0)]) }
    }

    /// The number of rows that can be added in 16 bits: 7 * 2 * 2295 < 2^15.
    private static let rows = 7

    /// Returns the sums of products that are the coefficients of the product with `small`, see ``place(of:)``.
    ///
    /// Multiplied by x, a polynomial moves up one place, and its top coefficient returns at the degrees 0 and 1,
    /// because x^761 = x + 1. So the multiples by x, x^2, ... are windows of one long row of numbers. The row continues
    /// downwards with sums of neighbours: row[k] = row[k + 761] + row[k + 760]. Only degree 0 does not fit; it stands
    /// at the top, as degree 761.
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

    /// Returns the index of the sum for a degree.
    private func place(of degree: Int) -> Int {
        degree == 0 ? Polynomial.size - 1 : degree - 1
    }

    /// Adds as many rows as fit in 16 bits, each one place below the previous one.
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
    /// Returns a random small polynomial. Takes 761 words of the source at once.
    static func randomSmall(_ source: any RandomSource) -> Polynomial {
        let words = randomWords(source)
        return Polynomial { index in Int16(truncatingIfNeeded: ((words[index] & 0x3fff_ffff) &* 3) &>> 30) &- 1 }
    }

    /// Returns a random short polynomial. Takes 761 words of the source at once.
    ///
    /// The nonzero coefficients come first and are shuffled by sorting: the upper 30 bits of a word are the sort key,
    /// the lower two the coefficient. Its sign comes from a random bit.
    static func randomShort(_ source: any RandomSource) -> Polynomial {
        let words = randomWords(source)
        for index in 0..<size {
            words[index] = index < weight ? words[index] & ~1 : words[index] & ~3 | 1
        }
        sort(words)
        return Polynomial { index in Int16(words[index] & 3) &- 1 }
    }

    /// Returns random words from bytes in little-endian order.
    private static func randomWords(_ source: any RandomSource) -> SecretArray<UInt32> {
        let words = SecretArray<UInt32>(repeating: 0, count: size)
        unsafe source.fill(UnsafeMutableRawBufferPointer(start: words.start, count: 4 * size))
        for index in 0..<size {
            words[index] = UInt32(littleEndian: words[index])
        }
        return words
    }

    /// Sorts by compare-and-exchange of pairs that do not depend on the words (merge exchange: Knuth, The Art of
    /// Computer Programming, volume 3, algorithm 5.2.2M).
    private static func sort(_ words: borrowing SecretArray<UInt32>) {
        var merged = 1
        while merged < size {
            var distance = merged
            while distance > 0 {
                for start in stride(from: distance % merged, to: size - distance, by: 2 * distance) {
                    // Pairs across two runs of sorted words are left out.
                    guard start / (2 * merged) == (start + distance) / (2 * merged) else { continue }
                    let count = min(distance, size - distance - start)
                    unsafe exchange(words.start + start, words.start + start + distance, count)
                }
                distance /= 2
            }
            merged *= 2
        }
    }

    /// Moves the smaller word of each pair to the left.
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

    /// Encodes this polynomial modulo q as a public key.
    borrowing func publicKey() -> [UInt8] {
        Polynomial.publicKeys.encode { index in UInt32(truncatingIfNeeded: Int32(self[index]) &+ Residue.halfQ) }
            .copyBytes()
    }

    /// Reads the rounded polynomial at the start of a ciphertext of the right size.
    init(ciphertext: [UInt8]) {
        let numbers = Polynomial.roundedPolynomials.decode(ciphertext.prefix(Polynomial.roundedPolynomials.size))
        self.init { index in 3 * Int16(numbers[index]) - Int16(Residue.halfQ) }
    }

    /// Returns the start of a ciphertext: this polynomial modulo q, each coefficient rounded to the nearest multiple of
    /// three.
    borrowing func roundedBytes() -> SecretArray<UInt8> {
        Polynomial.roundedPolynomials.encode { index in
            let rounded = Int32(self[index] &- Residue.mod3(Int32(self[index])))
            // A third of a multiple of three up to 4590, without a division.
            return UInt32(truncatingIfNeeded: (rounded &+ Residue.halfQ) &* 10923) &>> 15
        }
    }
}
