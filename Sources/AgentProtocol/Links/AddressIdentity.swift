public import ByteCoding
public import CryptoCore

/// The parts of an address that its link can never change, because the key of the link is the hash of both.
public struct AddressIdentity: Sendable {
    /// The key that signs the records.
    public let rootKey: Ed25519.PrivateKey
    /// The target of the link for the application, such as a member of a channel. At most 255 bytes.
    public let entityID: Bytes

    /// Creates an identity from its parts.
    public init(rootKey: Ed25519.PrivateKey, entityID: Bytes) {
        self.rootKey = rootKey
        self.entityID = entityID
    }

    /// Creates the identity of a contact or relay address: the id is the hash of its key (network-7.md 4.2).
    public init(rootKey: Ed25519.PrivateKey) {
        self.init(rootKey: rootKey, entityID: SHA256.hash(rootKey.publicKey.raw))
    }
}
