/// The reason why a message will not be sent.
public enum DeliveryProblem: UInt8, Sendable {
    /// The other side deleted its queue, or another sender secured it.
    case refused = 1
    /// The relay blocked the queue.
    case blocked
    /// The message could not be sent before its deadline.
    case expired
    /// The other side did not receive its messages before the deadline.
    case full
    /// The message is invalid, or this program has a defect.
    case unsendable
}

/// The reason why a connection could not be made.
public enum ConnectionProblem: UInt8, CaseIterable, Sendable {
    /// The link was already used, or it was deleted.
    case linkUsed = 1
    /// The relay blocked the queue.
    case blocked
    /// The relay did not create a queue: it requires a password, or serves others only.
    case queueRefused
    /// The handshake exceeded its deadline.
    case expired
    /// The other side's response is unusable.
    case invalidAnswer
    /// The own queue no longer exists at its relay.
    case queueGone
    /// The records behind a short link are damaged or not signed by the maker of the link.
    case badLink
    /// The records behind a short link require unsupported versions.
    case incompatible
}

/// The reason why a message could not be read.
public enum ReadingProblem: UInt8, Sendable {
    /// The message is damaged or of an unknown kind.
    case malformed = 1
    /// The message is from another ratchet. Later messages may be readable.
    case undecryptable
    /// The ratchets of both sides are out of sync.
    case outOfSync
}
