import SecureTransport

/// A summary of incidents for the operator of a relay: one log line for any number of clients.
public struct RelayIncidents: Hashable, Sendable {
    /// The kind of an incident, counted by address or range.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Connections that were rejected, or replaced another one, at a limit of the address, the range or the relay.
        case limitedConnections
        /// New queues that were rejected, because the range has created too many.
        case limitedQueues
        /// New chunks of files that were rejected, because the range has created too many.
        case limitedFiles
        /// Uploads that were replaced or rejected, because the address has too many.
        case limitedUploads
        /// Chunks of files that were rejected, because those of the address use its space.
        case limitedSpace
        /// Requests to forward to a relay at a private address, which is not allowed.
        case privateRelays
        /// Connections from blocked addresses.
        case blockedConnections
    }

    /// The number of incidents of one kind and source.
    public struct Count: Hashable, Sendable {
        /// The kind.
        public let kind: Kind
        /// The addresses as text; nil for sources without a separate count, or if addresses are not logged.
        public let source: String?
        /// The number of incidents.
        public let count: Int
    }

    /// The number of connections that ended before the client's hello.
    public internal(set) var failedHandshakes = 0
    /// The number of delays of connections that exceeded their rate.
    public internal(set) var delays = 0
    private var counts: [Kind: [IPRange: Int]] = [:]
    private var others: [Kind: Int] = [:]

    /// The largest number of sources with a separate count.
    private static let limit = 1000

    init() {}

    /// True if there were no incidents.
    var isEmpty: Bool { failedHandshakes == 0 && delays == 0 && counts.isEmpty && others.isEmpty }

    /// Counts an incident; `source` is nil if addresses are not logged.
    mutating func add(_ kind: Kind, from source: IPRange?) {
        if let source, counts[kind]?[source] != nil || (counts[kind]?.count ?? 0) < RelayIncidents.limit {
            counts[kind, default: [:]][source, default: 0] += 1
        } else {
            others[kind, default: 0] += 1
        }
    }

    /// Returns the incidents by kind.
    ///
    /// - Parameter most: The number of sources of a kind to name, those with the largest counts.
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
