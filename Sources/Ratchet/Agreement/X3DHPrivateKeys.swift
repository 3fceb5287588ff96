public import ByteCoding
public import CryptoCore

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
