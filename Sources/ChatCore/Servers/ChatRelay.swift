public import AgentProtocol
public import ChatProtocol

/// The permanent id of a chat relay of a profile.
public struct ChatRelayID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// A chat relay that a profile may choose for its channels.
public struct ChatRelay: Hashable, Sendable {
    /// Nil before it is stored.
    public let id: ChatRelayID?
    /// A link of the kind `/r#`.
    public let address: ShortLink
    public var profile: RelayProfile
    /// The domains of the operator of the relay, or an empty one.
    public var domains: [String]
    /// Whether it came with the program.
    public let isPreset: Bool
    /// The result of the last test; nil: it was never tested.
    public var isTested: Bool?
    /// Whether the user wants new channels on it.
    public var isEnabled: Bool
    /// Of a change: it is to be removed. Stored: it is not listed any more, and a channel still uses it.
    public var isDeleted: Bool

    public init(
        id: ChatRelayID? = nil, _ address: ShortLink, _ profile: RelayProfile, domains: [String] = [""],
        isPreset: Bool = false, isTested: Bool? = nil, isEnabled: Bool = true, isDeleted: Bool = false
    ) {
        self.id = id
        self.address = address
        self.profile = profile
        self.domains = domains
        self.isPreset = isPreset
        self.isTested = isTested
        self.isEnabled = isEnabled
        self.isDeleted = isDeleted
    }

    /// The address as users have it.
    public var text: String { address.shortened(for: PresetServers.all).description }

    /// The operator whose domain it has; nil for one of the user's own.
    public var `operator`: ServerOperator.Tag? {
        ServerOperator.Tag.allCases.first { tag in domains.contains(where: tag.domains.contains) }
    }

    /// Whether both have one address, in any spelling.
    func collides(with other: ChatRelay) -> Bool { address.isSame(as: other.address) }
}
