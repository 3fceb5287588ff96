package import ByteCoding
import CryptoCore

/// The KEM part of a ratchet state (smp-agent.md 8.9).
///
/// The KEM secrets are not part of the state: each is mixed into the root key when it is made.
package struct PostQuantumState: Sendable {
    /// The own key pair that the next headers propose, with the ciphertext they carry.
    package internal(set) var kem: KEM?
    /// True if headers have room for the KEM. Never turns false again.
    package internal(set) var isSupported: Bool
    /// True if the KEM takes part when the peer begins a new chain.
    package internal(set) var isEnabled: Bool
    /// True if a KEM secret protects the sending chain.
    package internal(set) var isSending = false
    /// True if a KEM secret protects the receiving chain.
    package internal(set) var isReceiving = false

    /// The own key pair and the ciphertext in the headers.
    package struct KEM: Sendable {
        /// The own key pair.
        package let pair: KEMKeyPair
        /// The ciphertext of a secret for the peer's key, repeated by every message of a chain.
        package internal(set) var ciphertext: Bytes?
    }

    /// Creates the joiner's state, which uses the KEM if `keys` is not nil.
    init(joinerWith keys: X3DHPrivateKeys.KEM?) {
        kem = keys.map { KEM(pair: $0.pair, ciphertext: $0.encapsulation?.ciphertext) }
        isSupported = keys != nil
        isEnabled = keys != nil
        isSending = keys?.encapsulation != nil
    }

    /// Creates the initiator's state. The initiator keeps its key pair, if the joiner accepted it, for the first
    /// header.
    init(initiatorWith pair: KEMKeyPair?, isSupported: Bool) {
        kem = pair.map { KEM(pair: $0) }
        self.isSupported = isSupported
        isEnabled = isSupported
    }

    /// The KEM field of the next headers.
    var parameter: KEMParameter? {
        guard let kem else { return nil }
        guard let ciphertext = kem.ciphertext else { return .proposed(publicKey: kem.pair.publicKey) }
        return .accepted(ciphertext: ciphertext, publicKey: kem.pair.publicKey)
    }

    /// The KEM secrets mixed into the two agreements of a new chain.
    struct Secrets {
        var receiving: Secret?
        var sending: Secret?
    }

    /// Processes the KEM field of the first header of a new chain (smp-agent.md 8.9).
    ///
    /// | Field    | KEM off, or not in this version | KEM on                                                 |
    /// |----------|---------------------------------|--------------------------------------------------------|
    /// | none     | no KEM                          | propose a key, unless one was proposed in vain         |
    /// | proposed | no KEM                          | encapsulate to the key, propose a new one              |
    /// | accepted | decapsulate, then no KEM        | decapsulate, encapsulate to the key, propose a new one |
    mutating func step(
        _ received: KEMParameter?, version: UInt16, random: any RatchetRandomness
    ) throws(RatchetError) -> Secrets {
        let engine = isEnabled && version >= RatchetVersion.postQuantum ? random.kem : nil
        var secrets = Secrets()
        var next: KEM?
        if case .accepted(let ciphertext, _) = received {
            guard let kem, let secret = random.kem.decapsulate(ciphertext, with: kem.pair) else { throw .invalidKEM }
            secrets.receiving = secret
        }
        if let received, let engine {
            guard let made = engine.encapsulate(to: received.publicKey) else { throw .invalidKEM }
            secrets.sending = made.secret
            next = KEM(pair: engine.keyPair(), ciphertext: made.ciphertext)
        } else if let engine, kem == nil {
            next = KEM(pair: engine.keyPair())
        }
        kem = next
        isSending = secrets.sending != nil
        isReceiving = secrets.receiving != nil
        isEnabled = isSending || isReceiving || next != nil
        makeRoom(in: version)
        return secrets
    }

    /// Enables large headers if the KEM is enabled and the version supports it.
    mutating func makeRoom(in version: UInt16) {
        isSupported = isSupported || (isEnabled && version >= RatchetVersion.postQuantum)
    }
}
