package import SecureTransport

/// The admission of connections by address.
///
/// There are limits for all connections, for those of one address (``IPNetwork``) and for those of one range
/// (``IPAddress/range``). At a limit, a new connection replaces the oldest one without a complete hello: of the same
/// address or range if that is full, of any if the relay is. So silent connections lock out no client. If all hellos
/// are complete, the new connection is rejected.
package struct Admission {
    /// The decision on a new connection.
    package enum Decision: Hashable {
        /// The connection is accepted.
        case accepted
        /// The connection is accepted, and this one has to be closed.
        case replaced(ClientID)
        /// The connection is rejected.
        case refused
    }

    private struct Place {
        var count = 0
        var unfinished = ConnectionLine()
    }

    private struct Source {
        let network: IPNetwork
        let range: IPRange
    }

    /// The kind of limit that decided.
    package enum Limit: Hashable, Sendable {
        /// The limit of the address, the range or the relay.
        case address, range, relay
    }

    /// The limit of all connections. Existing connections stay when a limit is lowered.
    package var limit: Int
    /// The limit of one address.
    package var limitPerAddress: Int
    /// The limit of one range.
    package var limitPerRange: Int
    /// The limit that the last connection met; nil for none.
    package private(set) var reached: Limit?
    private var count = 0
    private var places: [IPNetwork: Place] = [:]
    private var unfinished = ConnectionLine()
    private var ranges: [IPRange: Place] = [:]
    private var sources: [ClientID: Source] = [:]

    /// Creates an admission with limits.
    package init(limit: Int, limitPerAddress: Int, limitPerRange: Int = .max) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
        self.limitPerRange = limitPerRange
    }

    /// Decides on a new connection. ``end(_:)`` must follow for a replaced one.
    package mutating func admit(_ id: ClientID, from address: IPAddress) -> Decision {
        let network = address.network, range = address.range
        let place = places[network], wider = ranges[range]
        let oldest: ClientID?
        if (place?.count ?? 0) >= limitPerAddress {
            (reached, oldest) = (.address, place?.unfinished.first)
        } else if (wider?.count ?? 0) >= limitPerRange {
            (reached, oldest) = (.range, wider?.unfinished.first)
        } else if count >= limit {
            (reached, oldest) = (.relay, unfinished.first)
        } else {
            (reached, oldest) = (nil, nil)
        }
        guard reached == nil || oldest != nil else { return .refused }
        sources[id] = Source(network: network, range: range)
        count += 1
        unfinished.append(id)
        places[network, default: Place()].count += 1
        places[network]?.unfinished.append(id)
        ranges[range, default: Place()].count += 1
        ranges[range]?.unfinished.append(id)
        return oldest.map { .replaced($0) } ?? .accepted
    }

    /// Records that the hello of a connection is complete.
    package mutating func finish(_ id: ClientID) {
        unfinished.remove(id)
        guard let source = sources[id] else { return }
        places[source.network]?.unfinished.remove(id)
        ranges[source.range]?.unfinished.remove(id)
    }

    /// Removes a closed connection.
    package mutating func end(_ id: ClientID) {
        guard let source = sources.removeValue(forKey: id) else { return }
        count -= 1
        unfinished.remove(id)
        places[source.network]?.unfinished.remove(id)
        places[source.network]?.count -= 1
        if places[source.network]?.count == 0 { places[source.network] = nil }
        ranges[source.range]?.unfinished.remove(id)
        ranges[source.range]?.count -= 1
        if ranges[source.range]?.count == 0 { ranges[source.range] = nil }
    }

    /// Returns the network of an open connection.
    package func network(of id: ClientID) -> IPNetwork? {
        sources[id]?.network
    }

    /// Returns the range of an open connection.
    package func range(of id: ClientID) -> IPRange? {
        sources[id]?.range
    }
}

/// The connections in the order of their numbers, oldest first.
private struct ConnectionLine {
    private var numbers: [UInt64] = []

    var first: ClientID? { numbers.first.map { ClientID($0) } }

    /// Adds a connection with a larger number than all others.
    mutating func append(_ id: ClientID) {
        numbers.append(id.number)
    }

    /// Removes a connection. This moves the following numbers: 80 KB for 10,000 connections, in a few microseconds.
    mutating func remove(_ id: ClientID) {
        var low = 0, high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < id.number { low = middle + 1 } else { high = middle }
        }
        if low < numbers.count, numbers[low] == id.number { numbers.remove(at: low) }
    }
}

/// The allowance of a client: an average rate with a saved amount (token bucket).
package struct Allowance {
    private let rate: Double
    private let most: Double
    /// The remaining amount; negative for a client that exceeded it.
    private var left: Double
    private var lastTime: ContinuousClock.Instant

    /// Creates an allowance.
    ///
    /// - Parameters:
    ///   - rate: The amount per second.
    ///   - burst: The time of inactivity that can be saved.
    package init(rate: Int, burst: Duration, at time: ContinuousClock.Instant) {
        self.rate = Double(rate)
        most = Double(rate) * (burst / .seconds(1))
        left = most
        lastTime = time
    }

    /// Takes an amount from the allowance.
    ///
    /// - Returns: The time to wait until the allowance is no longer negative; zero if the client may continue.
    package mutating func take(_ amount: Int, at time: ContinuousClock.Instant) -> Duration {
        left = min(most, left + rate * ((time - lastTime) / .seconds(1))) - Double(amount)
        lastTime = time
        return left < 0 ? .seconds(-left / rate) : .zero
    }
}
