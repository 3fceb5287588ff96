public import ByteCoding
public import CryptoCore

/// The conversion between contents and blocks of ``SMP/blockSize`` bytes (smp-agent.md 3.5).
///
/// Below version 11, for clients without a key and for proxies, a block is only padded. Otherwise every block has its
/// own key and nonce from a chain of keys, one chain for each direction. There are no sequence numbers, so a block that
/// cannot be decrypted makes the connection unusable.
public struct BlockCipher: Sendable {
    private var sending: BlockChain?
    private var receiving: BlockChain?

    /// The end of the connection.
    public enum Side: Sendable {
        /// The client.
        case client
        /// The relay.
        case relay
    }

    /// Creates a cipher that only pads, as for the hellos.
    public init() {}

    /// Creates a cipher from the agreement of both session keys.
    public init(side: Side, sessionID: Bytes, secret: Secret) {
        let (fromRelay, fromClient) = BlockChain.pair(sessionID: sessionID, secret: secret)
        switch side {
        case .client: (sending, receiving) = (fromClient, fromRelay)
        case .relay: (sending, receiving) = (fromRelay, fromClient)
        }
    }

    /// True if blocks are encrypted.
    public var isEncrypting: Bool { sending != nil }

    /// Returns the block with this content and advances the chain.
    ///
    /// - Throws: ``CryptoError/messageTooLarge``.
    public mutating func seal(_ content: Bytes) throws(CryptoError) -> Bytes {
        guard let (key, nonce) = sending?.next() else { return try Padding.pad(content, to: SMP.blockSize) }
        return try SecretBox.sealPadded(content, to: SMP.blockSize - SecretBox.tagSize, nonce: nonce, key: key)
    }

    /// Returns the content of a block and advances the chain.
    ///
    /// - Throws: ``CryptoError``; the connection is then unusable.
    public mutating func open(_ block: Bytes) throws(CryptoError) -> Bytes {
        guard let (key, nonce) = receiving?.next() else { return try Padding.unpad(block) }
        return try SecretBox.openPadded(block, nonce: nonce, key: key)
    }
}

/// The key chain of one direction.
package struct BlockChain: Sendable {
    /// The current chain key, 32 bytes.
    package private(set) var chainKey: Secret

    /// Creates a chain from a key.
    package init(chainKey: Secret) {
        self.chainKey = chainKey
    }

    /// Returns the chains of both directions: from the relay to the client, then from the client to the relay.
    package static func pair(sessionID: Bytes, secret: Secret) -> (BlockChain, BlockChain) {
        let keys = HKDF.derive(64, from: [secret], salt: .bytes(sessionID), info: "SimpleXSbChainInit").split(32, 32)
        return (BlockChain(chainKey: keys[0]), BlockChain(chainKey: keys[1]))
    }

    /// Returns the key and nonce of the next block.
    package mutating func next() -> (key: Secret, nonce: Nonce) {
        let derived = HKDF.derive(32 + 32 + Nonce.size, from: [chainKey], info: "SimpleXSbChain")
        let parts = derived.split(32, 32, Nonce.size)
        chainKey = parts[0]
        return (parts[1], Nonce(parts[2].copyBytes()))
    }
}
