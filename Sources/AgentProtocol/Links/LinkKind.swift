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
