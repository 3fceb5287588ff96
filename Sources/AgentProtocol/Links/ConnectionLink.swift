public import ByteCoding
public import SMPProtocol

/// Any link to connect through, as somebody pasted it.
///
/// ```swift
/// switch try ConnectionLink(text: pasted) {
/// case .full(.invitation(let queues, let offer)): ...
/// case .full(.contact(let queues)): ...
/// case .short(let link): ...  // its relay has to be asked what is behind it
/// }
/// ```
public enum ConnectionLink: Hashable, Sendable {
    /// All that it takes to connect is in the link.
    case full(ConnectionRequest)
    /// The full link is kept by a relay.
    case short(ShortLink)

    public var kind: LinkKind {
        switch self {
        case .full(.invitation): .invitation
        case .full(.contact): .address(.contact)
        case .short(let link): link.kind
        }
    }

    /// The servers that the link names, in its order; of a short link that which keeps its records, which may be incomplete
    /// (``ShortLink/server``).
    public var servers: [ServerAddress] {
        switch self {
        case .full(let request): request.queues.queues.map(\.location.server)
        case .short(let link): [link.server]
        }
    }

    /// The id of the queue of a full link or of the records of a short one, as the relay knows it.
    public var id: EntityID {
        switch self {
        case .full(let request): request.queues.first.location.senderID
        case .short(let link): link.linkID
        }
    }
}

extension ConnectionLink: CustomStringConvertible {
    /// The canonical text: of a full link always with the scheme `simplex:`, of a short one with its own.
    public var description: String {
        switch self {
        case .full(let request): request.description
        case .short(let link): link.description
        }
    }

    /// Reads a text that is a link and nothing else.
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

/// What a link leads to, as far as its text tells.
public enum LinkKind: Hashable, Sendable {
    /// A connection that waits for one other side.
    case invitation
    /// A place that takes requests from many. That of a full link may also be a group: its text for the application tells.
    case address(AddressKind)
}

/// What answers behind an address. A short link names it with a letter.
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
    var binaryLetter: Unicode.Scalar {
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
    /// All that it takes to connect.
    public let full: ConnectionRequest
    /// Leads to the same; nil if the relay keeps no short links.
    public let short: ShortLink?

    public init(full: ConnectionRequest, short: ShortLink?) {
        self.full = full
        self.short = short
    }
}
