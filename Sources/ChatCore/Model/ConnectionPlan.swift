public import AgentProtocol
public import ChatProtocol

/// What it would mean to connect through a link.
public struct ConnectionPlan: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        case ok
        /// The link is one of this profile.
        case own
        /// It was used already, and the handshake goes on.
        case connecting(ContactConnection)
        case known(Contact)
    }

    public let kind: LinkKind
    public let link: LinkText
    public let state: State
    /// What the owner shows behind a short link.
    public let content: ContactLinkContent?
}
