/// A random small polynomial that has an inverse modulo 3, and that.
struct InvertiblePolynomial: ~Copyable {
    let polynomial: Polynomial
    let inverse: Polynomial

    /// Tries polynomials until one has an inverse.
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
