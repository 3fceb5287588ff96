package import ByteCoding
package import CryptoCore

/// The key of one chain of messages, replaced with every message. 32 bytes.
package struct ChainKey: Sendable {
    package let secret: Secret

    package init(_ secret: Secret) {
        self.secret = secret
    }

    /// What one message takes from the chain.
    package struct Step {
        package let chainKey: ChainKey
        package let messageKey: MessageKey
        package let headerIV: Bytes
    }

    /// The next chain key, and the key and the IVs of one message. The message IV is derived before the header IV.
    package func step() -> Step {
        let keys = HKDF.derive(96, from: [secret], info: "SimpleXChainRatchet").split(32, 32, 16, 16)
        return Step(
            chainKey: ChainKey(keys[0]), messageKey: MessageKey(keys[1], iv: keys[2].copyBytes()),
            headerIV: keys[3].copyBytes())
    }
}
