public import ByteCoding
public import CryptoCore

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

/// The private halves of ``RatchetOffer`` or ``RatchetParameters``: two X448 keys in order, and perhaps a KEM key.
///
/// They are made once for an attempt to connect and used again when it is retried.
public struct X3DHPrivateKeys: Sendable {
    public let key1: X448.PrivateKey
    public let key2: X448.PrivateKey
    public let kem: KEM?

    /// The post-quantum part.
    public enum KEM: Sendable {
        /// A key that the other side may encapsulate to.
        case proposed(KEMKeyPair)
        /// The same, together with a secret for the key that the other side proposed.
        case accepted(KEMKeyPair, Encapsulation)

        /// The own key pair.
        var pair: KEMKeyPair {
            switch self {
            case .proposed(let pair), .accepted(let pair, _): pair
            }
        }

        /// What was encapsulated to the key of the other side.
        var encapsulation: Encapsulation? {
            switch self {
            case .proposed: nil
            case .accepted(_, let encapsulation): encapsulation
            }
        }
    }

    public init(key1: X448.PrivateKey, key2: X448.PrivateKey, kem: KEM?) {
        self.key1 = key1
        self.key2 = key2
        self.kem = kem
    }

    /// New keys of an initiator.
    ///
    /// - Parameter proposesKEM: Whether the link proposes a KEM key, which makes it longer by 1,550 characters.
    public init(proposesKEM: Bool = false, random: any RatchetRandomness) {
        self.init(
            key1: random.x448PrivateKey(), key2: random.x448PrivateKey(),
            kem: proposesKEM ? .proposed(random.kem.keyPair()) : nil)
    }

    /// New keys of a joiner: one that uses the KEM accepts a key that the initiator proposes, or proposes one.
    public init(
        answering peer: RatchetParameters, usesKEM: Bool, random: any RatchetRandomness
    ) throws(RatchetError) {
        let key1 = random.x448PrivateKey(), key2 = random.x448PrivateKey()
        guard usesKEM, peer.version >= RatchetVersion.postQuantum else {
            self.init(key1: key1, key2: key2, kem: nil)
            return
        }
        let pair = random.kem.keyPair()
        guard let proposed = peer.kem?.publicKey else {
            self.init(key1: key1, key2: key2, kem: .proposed(pair))
            return
        }
        guard let made = random.kem.encapsulate(to: proposed) else { throw .invalidKEM }
        self.init(key1: key1, key2: key2, kem: .accepted(pair, made))
    }

    /// The public halves for a link. A KEM key is offered only as a proposal.
    public func offer(_ versions: VersionRange) -> RatchetOffer {
        RatchetOffer(versions: versions, key1: key1.publicKey, key2: key2.publicKey, kemKey: kem?.pair.publicKey)
    }

    /// The public halves for a confirmation.
    public func parameters(for version: UInt16) -> RatchetParameters {
        let parameter: KEMParameter? =
            switch kem {
            case nil: nil
            case .proposed(let pair): .proposed(publicKey: pair.publicKey)
            case .accepted(let pair, let encapsulation):
                .accepted(ciphertext: encapsulation.ciphertext, publicKey: pair.publicKey)
            }
        return RatchetParameters(version: version, key1: key1.publicKey, key2: key2.publicKey, kem: parameter)
    }
}
