public import ByteCoding
public import CryptoCore

/// Turns contents into blocks of ``SMP/blockSize`` bytes and back.
///
/// Below version 11, for clients without a key and for proxies a block is only padded. Otherwise every block has its own
/// key and nonce from a chain of keys, one chain for each direction. There are no sequence numbers: after a block that
/// does not open, the connection is useless.
public struct BlockCipher: Sendable {
    private var sending: BlockChain?
    private var receiving: BlockChain?

    /// Which end of the connection this is.
    public enum Side: Sendable {
        case client
        case relay
    }

    /// Padding only, as in the hellos.
    public init() {}

    /// Encryption with the agreement of both session keys.
    public init(side: Side, sessionID: Bytes, secret: Secret) {
        let (fromRelay, fromClient) = BlockChain.pair(sessionID: sessionID, secret: secret)
        switch side {
        case .client: (sending, receiving) = (fromClient, fromRelay)
        case .relay: (sending, receiving) = (fromRelay, fromClient)
        }
    }

    public var isEncrypting: Bool { sending != nil }

    /// The block with this content.
    public mutating func seal(_ content: Bytes) throws(CryptoError) -> Bytes {
        guard let (key, nonce) = sending?.next() else { return try Padding.pad(content, to: SMP.blockSize) }
        return try SecretBox.sealPadded(content, to: SMP.blockSize - SecretBox.tagSize, nonce: nonce, key: key)
    }

    /// The content of a block.
    public mutating func open(_ block: Bytes) throws(CryptoError) -> Bytes {
        guard let (key, nonce) = receiving?.next() else { return try Padding.unpad(block) }
        return try SecretBox.openPadded(block, nonce: nonce, key: key)
    }
}

/// The key chain of one direction.
package struct BlockChain: Sendable {
    package private(set) var chainKey: Secret

    package init(chainKey: Secret) {
        self.chainKey = chainKey
    }

    /// The chains from the relay to the client and from the client to the relay.
    package static func pair(sessionID: Bytes, secret: Secret) -> (BlockChain, BlockChain) {
        let keys = HKDF.derive(64, from: [secret], salt: .bytes(sessionID), info: "SimpleXSbChainInit").split(32, 32)
        return (BlockChain(chainKey: keys[0]), BlockChain(chainKey: keys[1]))
    }

    /// The key and nonce of the next block.
    package mutating func next() -> (key: Secret, nonce: Nonce) {
        let derived = HKDF.derive(32 + 32 + Nonce.size, from: [chainKey], info: "SimpleXSbChain")
        let parts = derived.split(32, 32, Nonce.size)
        chainKey = parts[0]
        return (parts[1], Nonce(parts[2].copyBytes()))
    }
}
