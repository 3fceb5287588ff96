/// The permanent id of a connection, chosen by the application.
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let number: Int64

    /// Creates a connection ID from its parts.
    public init(_ number: Int64) {
        self.number = number
    }

    /// The number as text.
    public var description: String { "\(number)" }
}

/// The id of the profile of a connection. Profiles never share a session with a relay.
public struct ProfileID: Hashable, Sendable {
    /// The number.
    public let number: Int64

    /// Creates a profile ID from its parts.
    public init(_ number: Int64) {
        self.number = number
    }
}
