package import ByteCoding
package import CryptoCore

/// What both sides know when they have each other's public keys.
package struct X3DH {
    /// The raw first keys, 56 bytes each: the joiner's, then the initiator's, on both sides.
    package let associatedData: Bytes
    /// Encrypts the headers of the joiner's first chain.
    package let joinerHeaderKey: HeaderKey
    /// Encrypts the headers of the initiator's first chain.
    package let initiatorHeaderKey: HeaderKey
    package let rootKey: RootKey

    /// The joiner's side. `kemSecret` is what it encapsulated to a key of the offer.
    package init(
        joiner own: X3DHPrivateKeys, initiator peer: RatchetParameters, kemSecret: Secret?
    ) throws(CryptoError) {
        let agreements = [
            try own.key2.agree(with: peer.key1),
            try own.key1.agree(with: peer.key2),
            try own.key2.agree(with: peer.key2),
        ]
        self.init(agreements, kemSecret, joiner: own.key1.publicKey, initiator: peer.key1)
    }

    /// The initiator's side. `kemSecret` is what it decapsulated with its proposed key.
    package init(
        initiator own: X3DHPrivateKeys, joiner peer: RatchetParameters, kemSecret: Secret?
    ) throws(CryptoError) {
        let agreements = [
            try own.key1.agree(with: peer.key2),
            try own.key2.agree(with: peer.key1),
            try own.key2.agree(with: peer.key2),
        ]
        self.init(agreements, kemSecret, joiner: peer.key1, initiator: own.key1.publicKey)
    }

    private init(
        _ agreements: [Secret], _ kemSecret: Secret?, joiner: X448.PublicKey, initiator: X448.PublicKey
    ) {
        let material = agreements + (kemSecret.map { [$0] } ?? [])
        let keys = HKDF.derive(96, from: material, info: "SimpleXX3DH").split(32, 32, 32)
        associatedData = joiner.raw + initiator.raw
        joinerHeaderKey = HeaderKey(keys[0])
        initiatorHeaderKey = HeaderKey(keys[1])
        rootKey = RootKey(keys[2])
    }
}
