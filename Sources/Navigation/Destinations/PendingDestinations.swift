/// Destinations that arrive while nothing can be shown: before the store is open, or while the gate is closed.
///
/// What arrives while the session is active goes through at once. The rest waits in its order, each once, and only the
/// newest few: nobody wants to be led through everything that was clicked in a week.
public struct PendingDestinations: Hashable, Sendable {
    /// How many are kept.
    public static let limit = 8

    public private(set) var isActive = false
    private var waiting: [Destination] = []

    public init() {}

    /// Takes a destination. Returns it if it is to be opened now.
    public mutating func arrive(_ destination: Destination) -> Destination? {
        if isActive { return destination }
        waiting.removeAll { $0 == destination }
        waiting.append(destination)
        if waiting.count > PendingDestinations.limit { waiting.removeFirst() }
        return nil
    }

    /// The session can show something from now on. Returns what waited, to be opened in this order.
    public mutating func activate() -> [Destination] {
        isActive = true
        defer { waiting = [] }
        return waiting
    }

    /// Nothing can be shown any more: the gate was closed, or the session was stopped.
    public mutating func deactivate() {
        isActive = false
    }
}
