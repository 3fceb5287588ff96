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
