public import ByteCoding
public import CryptoCore

/// The result of the X3DH key agreement, the same on both sides (smp-agent.md 8.2).
package struct X3DH {
    /// The raw first keys, 112 bytes: 56 of the joiner, then 56 of the initiator.
    package let associatedData: Bytes
    /// The header key of the joiner's first sending chain.
    package let joinerHeaderKey: HeaderKey
    /// The header key of the initiator's first sending chain.
    package let initiatorHeaderKey: HeaderKey
    /// The first root key.
    package let rootKey: RootKey

    /// Computes the joiner's side. `kemSecret` is the secret encapsulated to a key of the offer.
    ///
    /// - Throws: ``CryptoError/invalidKey`` if an agreement has no contribution.
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

    /// Computes the initiator's side. `kemSecret` is the secret decapsulated with its proposed key.
    ///
    /// - Throws: ``CryptoError/invalidKey`` if an agreement has no contribution.
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

/// The private halves of ``RatchetOffer`` or ``RatchetParameters``: two X448 keys in order and an optional KEM key.
///
/// The keys are made once for an attempt to connect. A retry uses the same keys.
public struct X3DHPrivateKeys: Sendable {
    /// The first X448 key.
    public let key1: X448.PrivateKey
    /// The second X448 key, also the first ratchet key of an initiator.
    public let key2: X448.PrivateKey
    /// The KEM keys; nil without KEM.
    public let kem: KEM?

    /// The KEM part of the keys.
    public enum KEM: Sendable {
        /// A key pair to which the other side may encapsulate.
        case proposed(KEMKeyPair)
        /// A key pair, and a secret for the key that the other side proposed.
        case accepted(KEMKeyPair, Encapsulation)

        /// The own key pair.
        var pair: KEMKeyPair {
            switch self {
            case .proposed(let pair), .accepted(let pair, _): pair
            }
        }

        /// The secret encapsulated to the key of the other side.
        var encapsulation: Encapsulation? {
            switch self {
            case .proposed: nil
            case .accepted(_, let encapsulation): encapsulation
            }
        }
    }

    /// Creates an X3 DH private keys from its parts.
    public init(key1: X448.PrivateKey, key2: X448.PrivateKey, kem: KEM?) {
        self.key1 = key1
        self.key2 = key2
        self.kem = kem
    }

    /// Creates new keys for an initiator.
    ///
    /// - Parameter proposesKEM: True to propose a KEM key in the link, which makes the link 1,550 characters longer.
    public init(proposesKEM: Bool = false, random: any RatchetRandomness) {
        self.init(
            key1: random.x448PrivateKey(), key2: random.x448PrivateKey(),
            kem: proposesKEM ? .proposed(random.kem.keyPair()) : nil)
    }

    /// Creates new keys for a joiner. With KEM, the joiner accepts the initiator's proposed key, or proposes its own.
    ///
    /// - Parameter usesKEM: True to use the KEM from version 3 on.
    /// - Throws: ``RatchetError/invalidKEM`` if the proposed key is not a public key.
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

    /// Returns the public halves for a link. The offer only proposes a KEM key.
    public func offer(_ versions: VersionRange) -> RatchetOffer {
        RatchetOffer(versions: versions, key1: key1.publicKey, key2: key2.publicKey, kemKey: kem?.pair.publicKey)
    }

    /// Returns the public halves for a confirmation of `version`.
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
