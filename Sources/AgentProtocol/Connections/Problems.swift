/// Why a message will not be sent.
public enum DeliveryProblem: UInt8, Sendable {
    /// The other side deleted its queue, or somebody else secured it.
    case refused = 1
    /// The relay blocked the queue.
    case blocked
    /// It could not be sent for too long a time.
    case expired
    /// The other side did not read its messages for too long a time.
    case full
    /// Something is wrong with the message or this program.
    case unsendable
}

/// Why a connection could not be made.
public enum ConnectionProblem: UInt8, CaseIterable, Sendable {
    /// The link was used by somebody else, or deleted.
    case linkUsed = 1
    /// The relay blocked the queue.
    case blocked
    /// The relay did not create a queue: it asks for a password, or serves others only.
    case queueRefused
    /// It took too long.
    case expired
    /// The other side's answer cannot be used.
    case invalidAnswer
    /// The own queue is gone from its relay.
    case queueGone
    /// What is behind a short link is damaged, or was not put there by whoever made the link.
    case badLink
    /// What is behind a short link needs versions that this program does not speak.
    case incompatible
}

/// Why a message could not be read.
public enum ReadingProblem: UInt8, Sendable {
    /// It is damaged, or of a kind that this program does not know.
    case malformed = 1
    /// It is from a ratchet that this side does not have; later ones may be readable.
    case undecryptable
    /// The ratchets of both sides have lost each other.
    case outOfSync
}
