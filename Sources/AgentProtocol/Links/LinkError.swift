public import ByteCoding

/// A failure of reading or making the records of a short link. The error contains nothing from the link or the records.
public enum LinkError: Error, Hashable, Sendable {
    // The link.

    /// The link leaves out the fingerprint of its server, and the server is not a well-known one.
    case unknownServer

    // The records at the relay.

    /// The records are not encrypted with the key of the link.
    case notAuthentic
    /// A decrypted record does not follow its format.
    case malformed(DecodeError)
    /// The fixed record does not have the hash in the link.
    case otherRecord
    /// The signature of the fixed record is not from its root key.
    case fixedSignature
    /// The user record is not signed by the root key or an owner.
    case userSignature
    /// The records belong to an invitation instead of an address, or vice versa.
    case otherKind
    /// The link leads to another queue than the one the relay named.
    case otherQueue
    /// The link leads to a queue on another server.
    case otherServer

    // The owners of an address.

    /// An owner has the root key.
    case ownerIsRoot
    /// Two owners have the same id or key.
    case repeatedOwner
    /// An owner is authorized neither by the root key nor by an earlier owner.
    case unauthorizedOwner

    // Making records.

    /// A record exceeds its padded size: the application's part has to be `excess` bytes shorter.
    case tooLarge(excess: Int)
    /// The relay created another queue than the link was made for: it is too old for links, or dishonest.
    case notTaken
}
