import SecureTransport

/// What the operator of a relay should hear of, summed over a time: one line of a log, however many clients there are.
public struct RelayIncidents: Hashable, Sendable {
    /// What happened to clients at an address or in a range.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Connections that were refused, or took the place of another, at a limit of the address, the range or the relay.
        case limitedConnections
        /// New queues that were refused, because the range has made too many.
        case limitedQueues
        /// Connections from blocked addresses.
        case blockedConnections
    }

    /// How many times something happened, and where.
    public struct Count: Hashable, Sendable {
        public let kind: Kind
        /// The addresses as text; nil for those that have no place in the summary, or if they are not logged.
        public let source: String?
        public let count: Int
    }

    /// Connections that ended before the client had introduced itself.
    public internal(set) var failedHandshakes = 0
    /// How often a connection had to wait because it sent more than it may.
    public internal(set) var delays = 0
    private var counts: [Kind: [IPRange: Int]] = [:]
    private var others: [Kind: Int] = [:]

    /// How many addresses are counted for themselves.
    private static let limit = 1000

    init() {}

    /// True if nothing happened.
    var isEmpty: Bool { failedHandshakes == 0 && delays == 0 && counts.isEmpty && others.isEmpty }

    /// Counts one more; `source` is nil if it is not to be logged.
    mutating func add(_ kind: Kind, from source: IPRange?) {
        if let source, counts[kind]?[source] != nil || (counts[kind]?.count ?? 0) < RelayIncidents.limit {
            counts[kind, default: [:]][source, default: 0] += 1
        } else {
            others[kind, default: 0] += 1
        }
    }

    /// What happened, by kind.
    ///
    /// - Parameter most: How many addresses of a kind are named; those with the largest counts.
    public func counts(naming most: Int) -> [Count] {
        Kind.allCases.flatMap { kind -> [Count] in
            let sorted = (counts[kind] ?? [:]).sorted {
                ($1.value, $0.key.description) < ($0.value, $1.key.description)
            }
            let rest = sorted.dropFirst(most).reduce(others[kind] ?? 0) { $0 + $1.value }
            return sorted.prefix(most).map { Count(kind: kind, source: $0.key.description, count: $0.value) }
                + (rest > 0 ? [Count(kind: kind, source: nil, count: rest)] : [])
        }
    }
}
