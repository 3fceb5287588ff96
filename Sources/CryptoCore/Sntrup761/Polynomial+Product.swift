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
