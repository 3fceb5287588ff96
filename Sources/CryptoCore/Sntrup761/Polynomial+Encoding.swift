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
