package import SecureTransport

/// The connections of a relay by the address that they come from, and which of them may stay.
///
/// There are limits for all connections and for those of one address (``IPNetwork``). Where a limit is reached, a new connection
/// takes the place of the oldest one whose hellos are not done: of the same address if that is full, of any if the relay is. So
/// connections that say nothing lock nobody out. If all hellos are done, the new connection is refused.
package struct Admission {
    package enum Decision: Hashable {
        case accepted
        /// Accepted, and this connection has to be closed.
        case replaced(ConnectionID)
        case refused
    }

    private struct Place {
        var count = 0
        var unfinished = ConnectionLine()
    }

    private let limit: Int
    private let limitPerAddress: Int
    private var count = 0
    private var places: [IPNetwork: Place] = [:]
    private var unfinished = ConnectionLine()
    private var networks: [ConnectionID: IPNetwork] = [:]

    package init(limit: Int, limitPerAddress: Int) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    /// Decides about a new connection. ``end(_:)`` has to follow for one that is replaced.
    package mutating func admit(_ id: ConnectionID, from network: IPNetwork) -> Decision {
        let place = places[network]
        var replaced: ConnectionID?
        if (place?.count ?? 0) >= limitPerAddress {
            guard let oldest = place?.unfinished.first else { return .refused }
            replaced = oldest
        } else if count >= limit {
            guard let oldest = unfinished.first else { return .refused }
            replaced = oldest
        }
        networks[id] = network
        count += 1
        unfinished.append(id)
        places[network, default: Place()].count += 1
        places[network]?.unfinished.append(id)
        return replaced.map { .replaced($0) } ?? .accepted
    }

    /// Takes note that the hellos of a connection are done.
    package mutating func finish(_ id: ConnectionID) {
        unfinished.remove(id)
        if let network = networks[id] { places[network]?.unfinished.remove(id) }
    }

    /// Forgets a connection that is closed.
    package mutating func end(_ id: ConnectionID) {
        guard let network = networks.removeValue(forKey: id) else { return }
        count -= 1
        unfinished.remove(id)
        places[network]?.unfinished.remove(id)
        places[network]?.count -= 1
        if places[network]?.count == 0 { places[network] = nil }
    }

    /// The address of a connection, while it is open.
    package func network(of id: ConnectionID) -> IPNetwork? {
        networks[id]
    }
}

/// Connections in the order of their numbers, which is that of their age.
private struct ConnectionLine {
    private var numbers: [UInt64] = []

    var first: ConnectionID? { numbers.first.map { ConnectionID($0) } }

    /// Adds a connection with a larger number than all others.
    mutating func append(_ id: ConnectionID) {
        numbers.append(id.number)
    }

    /// Removing moves the numbers behind: 80 KB for 10,000 connections, in a few microseconds.
    mutating func remove(_ id: ConnectionID) {
        var low = 0, high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < id.number { low = middle + 1 } else { high = middle }
        }
        if low < numbers.count, numbers[low] == id.number { numbers.remove(at: low) }
    }
}
