package import ByteCoding
import CryptoCore

/// The part of a ratchet that belongs to the post-quantum KEM.
///
/// The secrets themselves are not here: each is mixed into the root key when it is made and not needed again.
package struct PostQuantumState: Sendable {
    /// The own key that the next headers propose, and the ciphertext they carry.
    package internal(set) var kem: KEM?
    /// Whether headers have room for the KEM. Once on, it stays on.
    package internal(set) var isSupported: Bool
    /// Whether the KEM takes part when the peer begins a new chain.
    package internal(set) var isEnabled: Bool
    /// Whether the sending and the receiving chain are protected by a KEM secret.
    package internal(set) var isSending = false
    package internal(set) var isReceiving = false

    package struct KEM: Sendable {
        package let pair: KEMKeyPair
        /// A secret for the peer's key; every message of a chain repeats it.
        package internal(set) var ciphertext: Bytes?
    }

    /// The joiner uses the KEM if it has a key for it.
    init(joinerWith keys: X3DHPrivateKeys.KEM?) {
        kem = keys.map { KEM(pair: $0.pair, ciphertext: $0.encapsulation?.ciphertext) }
        isSupported = keys != nil
        isEnabled = keys != nil
        isSending = keys?.encapsulation != nil
    }

    /// The initiator keeps its key pair, if the joiner accepted it, for the header of the first message.
    init(initiatorWith pair: KEMKeyPair?, isSupported: Bool) {
        kem = pair.map { KEM(pair: $0) }
        self.isSupported = isSupported
        isEnabled = isSupported
    }

    /// The field of the headers.
    var parameter: KEMParameter? {
        guard let kem else { return nil }
        guard let ciphertext = kem.ciphertext else { return .proposed(publicKey: kem.pair.publicKey) }
        return .accepted(ciphertext: ciphertext, publicKey: kem.pair.publicKey)
    }

    /// The secrets that the KEM adds to the two agreements of a new chain.
    struct Secrets {
        var receiving: Secret?
        var sending: Secret?
    }

    /// Answers the KEM field of the first header of a new chain.
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

    /// Makes room for the KEM in headers if it is enabled and the version has it.
    mutating func makeRoom(in version: UInt16) {
        isSupported = isSupported || (isEnabled && version >= RatchetVersion.postQuantum)
    }
}
