package import CryptoCore

/// The key that each new agreement is mixed into; chains and header keys come out of it. 32 bytes.
package struct RootKey: Sendable {
    package let secret: Secret

    package init(_ secret: Secret) {
        self.secret = secret
    }

    /// What one agreement makes of the root key.
    package struct Step {
        package let rootKey: RootKey
        package let chainKey: ChainKey
        /// For the chain after the one that begins now.
        package let nextHeaderKey: HeaderKey
    }

    /// The next root key, and a chain, for the output of an X448 agreement and perhaps a KEM secret.
    package func step(agreement: Secret, kemSecret: Secret?) -> Step {
        let material = [agreement] + (kemSecret.map { [$0] } ?? [])
        let keys = HKDF.derive(96, from: material, salt: .secret(secret), info: "SimpleXRootRatchet").split(32, 32, 32)
        return Step(rootKey: RootKey(keys[0]), chainKey: ChainKey(keys[1]), nextHeaderKey: HeaderKey(keys[2]))
    }
}
