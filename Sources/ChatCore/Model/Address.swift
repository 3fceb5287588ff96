public import AgentProtocol
public import ByteCoding
public import ChatProtocol

/// The address of a profile, which many may use.
public struct Address: Hashable, Sendable {
    public let profileID: ProfileID
    public let connectionID: ConnectionID
    public let link: LinkText
    public let settings: AddressSettings
    public let createdAt: Timestamp
}

/// What happens with the requests at an address.
public struct AddressSettings: Hashable, Sendable {
    /// Whether everybody who asks becomes a contact.
    public var accepts: Bool
    /// Whether each of them gets a group of its own with the profile, see ``BusinessChatInfo``.
    public var isBusiness: Bool
    /// What new contacts are told, and what the short link shows.
    public var welcome: MessageContent?

    public init(accepts: Bool = false, isBusiness: Bool = false, welcome: MessageContent? = nil) {
        self.accepts = accepts
        self.isBusiness = isBusiness
        self.welcome = welcome
    }
}

/// A link to hand out.
public struct LinkText: Hashable, Sendable {
    public let full: String
    /// Nil if the relay keeps no short links.
    public let short: String?

    /// The one to give to people.
    public var preferred: String { short ?? full }
}
