public import AgentProtocol
public import ByteCoding
public import ChatProtocol

/// What it would mean to connect through a link.
public struct ConnectionPlan: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        case ok
        /// The link is one of this profile.
        case own
        /// It was used already, and the other side has not answered.
        case connecting(ContactConnection)
        /// It was used already, and the other side has answered; they are not connected yet.
        case connectingProhibited(Contact)
        case known(Contact)
        /// The link is that of a group of this profile.
        case ownGroup(Group)
        /// It leads to a group that the user is in, or that is prepared.
        case knownGroup(Group)
        /// It leads to a channel without relays, which cannot be joined yet.
        case noRelays
        /// It leads to a public group of a kind that this version does not know.
        case updateRequired
        /// The host has answered; the user is not in the group yet.
        case connectingGroup(Group)

        /// The group that the link leads to; nil for another link, and for an unknown group.
        public var group: Group? {
            switch self {
            case .ownGroup(let group), .knownGroup(let group), .connectingGroup(let group): group
            case .ok, .own, .connecting, .connectingProhibited, .known, .noRelays, .updateRequired: nil
            }
        }

        /// The connection through the link with a contact; nil for another link, and for one that was not used.
        public var connection: ContactConnection? {
            switch self {
            case .connecting(let connection): connection
            case .connectingProhibited(let contact), .known(let contact): contact.connection
            case .ok, .own, .ownGroup, .knownGroup, .connectingGroup, .noRelays, .updateRequired: nil
            }
        }

        /// True if the link leads to a group that is known here.
        var isGroup: Bool { group != nil }
    }

    /// The content of a short link.
    public enum Content: Hashable, Sendable {
        case contact(ContactLinkContent)
        case group(GroupLinkContent)
    }

    public let kind: LinkKind
    public let link: LinkText
    public let state: State
    /// What the owner shows behind a short link.
    public let shown: Content?
    /// Where requests go; of new links to groups only.
    public var target: GroupLinkTarget?
    /// Whether the sender of the link owns it; nil unless that was asked.
    public var verification: OwnerVerification?
    /// The name that leads to the link, and that the profile behind it claims; nil for a plan of a link.
    public var verifiedName: SimplexName?
    /// True if the group is known and follows another profile behind the link now.
    public var isGroupUpdated = false

    /// What a person shows behind a short link.
    public var content: ContactLinkContent? {
        if case .contact(let content)? = shown { content } else { nil }
    }

    /// Returns the plan for another state of the same link.
    func with(_ state: State) -> ConnectionPlan {
        ConnectionPlan(kind: kind, link: link, state: state, shown: shown)
    }

    /// True if connecting without a question does what the user expects.
    var mayProceed: Bool {
        switch state {
        case .ok: true
        case .connecting: kind != .invitation
        case .own, .connectingProhibited, .known, .ownGroup, .knownGroup, .connectingGroup, .noRelays,
            .updateRequired:
            false
        }
    }

    /// The content of a new channel; nil for another link.
    var channel: GroupLinkContent? {
        guard state == .ok, target?.isDirect == false, case .group(let content)? = shown else { return nil }
        return content
    }
}

/// Where the requests of a link to a group go.
public struct GroupLinkTarget: Hashable, Sendable {
    /// True for the queue of the link, false for the relays of a channel.
    public let isDirect: Bool
    /// The short links of the relays.
    public let relays: [String]
    /// The id of the channel; nil for a group without relays.
    public let publicID: Bytes?
}
