public import AgentProtocol
public import ByteCoding
public import ChatProtocol

/// Names a request, for ever.
public struct RequestID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// A request as a command names it.
public enum RequestTarget: Hashable, Sendable {
    case id(RequestID)
    /// The name of whoever asks, in the active profile.
    case name(String)
}

/// Somebody wants to be a contact, and waits for an answer.
public struct ReceivedRequest: Hashable, Sendable {
    public let id: RequestID
    public let profileID: ProfileID
    /// The local name, which the contact is going to have.
    public let name: String
    /// What whoever asks says about itself.
    public let profile: Profile
    /// The versions of the chat protocol that it speaks.
    public let versions: VersionRange
    /// The invitation to its queue.
    let link: String
    /// What it calls the request, so that the same one is recognised when it comes again.
    let key: Bytes?
    /// The id under which it has the welcome message already.
    let welcomeID: SharedMessageID?
    /// What it said with the request.
    public let message: ContactRequest.Message?
    /// The connection that is being made of it.
    let connectionID: ConnectionID?
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
}
