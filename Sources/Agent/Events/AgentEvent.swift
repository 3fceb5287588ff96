public import AgentProtocol
public import ByteCoding

/// Names a connection, for ever. The application chooses the number.
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }

    public var description: String { "\(number)" }
}

/// Names the profile that a connection belongs to. Profiles never share a session with a relay.
public struct ProfileID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// Something that the application has to know. It is kept until the application says that it keeps it itself.
public struct AgentEvent: Hashable, Sendable {
    /// Grows from event to event.
    public let id: Int64
    public let connectionID: ConnectionID
    public let profileID: ProfileID
    public let content: Content

    /// The cases are named after the events of the reference implementation.
    public enum Content: Hashable, Sendable {
        case connection(ConnectionEvent)
        /// A relay accepted the message that was handed over with this token.
        case sent(token: Bytes)
        /// A message will not be sent.
        case merr(token: Bytes, DeliveryProblem)
        /// The connection could not be made or is lost; nothing more comes.
        case err(ConnectionProblem)
        /// A message came that could not be read.
        case unreadable(ReadingProblem)
    }

    public init(id: Int64, connectionID: ConnectionID, profileID: ProfileID, content: Content) {
        self.id = id
        self.connectionID = connectionID
        self.profileID = profileID
        self.content = content
    }
}

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
public enum ConnectionProblem: UInt8, Sendable {
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
