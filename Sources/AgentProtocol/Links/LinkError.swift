public import ByteCoding

/// Why a short link cannot be used, or its records not be made. It never holds any part of them.
public enum LinkError: Error, Hashable, Sendable {
    // The link.

    /// The link leaves out the fingerprint of its server, and the server is none of the known ones.
    case unknownServer

    // What the relay keeps for it.

    /// The records are not encrypted with the key in the link.
    case notAuthentic
    /// A record was decrypted and does not follow its format.
    case malformed(DecodeError)
    /// The fixed record is not the one that the link was made for.
    case otherRecord
    /// The signature of the fixed record is not that of its root key.
    case fixedSignature
    /// The record that can change is signed by nobody who may do so.
    case userSignature
    /// The records are those of an invitation where the link is an address, or the other way round.
    case otherKind
    /// The link leads to a queue that is not the one whose records the relay gave.
    case otherQueue
    /// The link leads to a queue on another server.
    case otherServer

    // The owners of an address.

    /// An owner has the root key itself.
    case ownerIsRoot
    /// Two owners have the same id or key.
    case repeatedOwner
    /// An owner was let in neither by the root key nor by an owner before it.
    case unauthorizedOwner

    // Making records.

    /// A record is larger than its padded size: what the application puts into it has to be `excess` bytes shorter.
    case tooLarge(excess: Int)
    /// The relay made a queue that is not the one that the link was made for, because it is too old for links or not honest.
    case notTaken
}
