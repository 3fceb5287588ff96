/// Both forms of an own link, for whoever is to connect through it.
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
