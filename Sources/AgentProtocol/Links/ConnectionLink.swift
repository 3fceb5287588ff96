public import ByteCoding
public import SMPProtocol

/// A link of any kind, as pasted by the user.
///
/// ```swift
/// switch try ConnectionLink(text: pasted) {
/// case .full(.invitation(let queues, let offer)): ...
/// case .full(.contact(let queues)): ...
/// case .short(let link): ...  // its relay returns the records behind it
/// }
/// ```
public enum ConnectionLink: Hashable, Sendable {
    /// A full link, which contains everything needed to connect.
    case full(ConnectionRequest)
    /// A short link; a relay stores the full link.
    case short(ShortLink)

    /// The kind of the link.
    public var kind: LinkKind {
        switch self {
        case .full(.invitation): .invitation
        case .full(.contact): .address(.contact)
        case .short(let link): link.kind
        }
    }

    /// The servers in the link, in order. For a short link, the server of its records, which may be incomplete
    /// (``ShortLink/server``).
    public var servers: [ServerAddress] {
        switch self {
        case .full(let request): request.queues.queues.map(\.location.server)
        case .short(let link): [link.server]
        }
    }

    /// The id of the queue of a full link, or of the records of a short link, at the relay.
    public var id: EntityID {
        switch self {
        case .full(let request): request.queues.first.location.senderID
        case .short(let link): link.linkID
        }
    }
}

extension ConnectionLink: CustomStringConvertible {
    /// The canonical text: always with the scheme `simplex:` for a full link, with its own scheme for a short link.
    public var description: String {
        switch self {
        case .full(let request): request.description
        case .short(let link): link.description
        }
    }

    /// Reads a text that consists of a link.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        if reader.skip("https://") {
            _ = reader.take(until: "/")
        } else {
            try reader.expect("simplex:")
        }
        try reader.expect("/")
        if reader.skip("invitation") || reader.skip("contact") {
            self = .full(try ConnectionRequest(text: text))
        } else {
            self = .short(try ShortLink(text: text))
        }
    }
}

/// The kind of a link, as far as its text shows.
public enum LinkKind: Hashable, Sendable {
    /// A connection that waits for one other side.
    case invitation
    /// An address for the requests of many. A full link may also lead to a group, which its text for the application
    /// shows.
    case address(AddressKind)
}

/// The kind of an address. A short link encodes it as a letter (smp-agent.md 6.5).
public enum AddressKind: CaseIterable, Hashable, Sendable {
    /// A person, or a business.
    case contact
    /// A group whose messages go through relays.
    case channel
    /// A group whose host lets new members in.
    case group
    /// A program that relays the messages of channels.
    case relay

    /// The letter in the path of a link.
    var letter: Unicode.Scalar {
        switch self {
        case .contact: "a"
        case .channel: "c"
        case .group: "g"
        case .relay: "r"
        }
    }

    /// The letter in the binary form: the same in upper case.
    package var binaryLetter: Unicode.Scalar {
        switch self {
        case .contact: "A"
        case .channel: "C"
        case .group: "G"
        case .relay: "R"
        }
    }
}

/// The full and the short form of an own link.
public struct LinkPair: Hashable, Sendable {
    /// The full link, which contains everything needed to connect.
    public let full: ConnectionRequest
    /// The short link; nil if the relay does not support short links.
    public let short: ShortLink?

    /// Creates a link pair from its parts.
    public init(full: ConnectionRequest, short: ShortLink?) {
        self.full = full
        self.short = short
    }
}
