package import SecureTransport

/// The connections of a relay by the address that they come from, and which of them may stay.
///
/// There are limits for all connections, for those of one address (``IPNetwork``) and for those of one range (``IPAddress/range``).
/// Where a limit is reached, a new connection takes the place of the oldest one whose hellos are not done: of the same address or
/// range if that is full, of any if the relay is. So connections that say nothing lock nobody out. If all hellos are done, the new
/// connection is refused.
package struct Admission {
    package enum Decision: Hashable {
        case accepted
        /// Accepted, and this connection has to be closed.
        case replaced(ClientID)
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

    /// Which limit decided about the last connection.
    package enum Limit: Hashable, Sendable {
        case address, range, relay
    }

    /// The limits; those that exist stay when they become smaller.
    package var limit: Int
    package var limitPerAddress: Int
    package var limitPerRange: Int
    /// The limit that the last connection has met; nil if it has met none.
    package private(set) var reached: Limit?
    private var count = 0
    private var places: [IPNetwork: Place] = [:]
    private var unfinished = ConnectionLine()
    private var ranges: [IPRange: Place] = [:]
    private var sources: [ClientID: Source] = [:]

    package init(limit: Int, limitPerAddress: Int, limitPerRange: Int = .max) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
        self.limitPerRange = limitPerRange
    }

    /// Decides about a new connection. ``end(_:)`` has to follow for one that is replaced.
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

    /// Takes note that the hellos of a connection are done.
    package mutating func finish(_ id: ClientID) {
        unfinished.remove(id)
        guard let source = sources[id] else { return }
        places[source.network]?.unfinished.remove(id)
        ranges[source.range]?.unfinished.remove(id)
    }

    /// Forgets a connection that is closed.
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

    /// The address of a connection, while it is open.
    package func network(of id: ClientID) -> IPNetwork? {
        sources[id]?.network
    }

    /// The range of a connection, while it is open.
    package func range(of id: ClientID) -> IPRange? {
        sources[id]?.range
    }
}

/// Connections in the order of their numbers, which is that of their age.
private struct ConnectionLine {
    private var numbers: [UInt64] = []

    var first: ClientID? { numbers.first.map { ClientID($0) } }

    /// Adds a connection with a larger number than all others.
    mutating func append(_ id: ClientID) {
        numbers.append(id.number)
    }

    /// Removing moves the numbers behind: 80 KB for 10,000 connections, in a few microseconds.
    mutating func remove(_ id: ClientID) {
        var low = 0, high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < id.number { low = middle + 1 } else { high = middle }
        }
        if low < numbers.count, numbers[low] == id.number { numbers.remove(at: low) }
    }
}

/// How much a client may send: a rate that it can keep up, and what it has saved while it sent less.
package struct Allowance {
    private let rate: Double
    private let most: Double
    /// Negative for a client that has sent more than it should.
    private var left: Double
    private var lastTime: ContinuousClock.Instant

    /// - Parameters:
    ///   - rate: How much a second.
    ///   - burst: For what time a client that sent nothing has saved.
    package init(rate: Int, burst: Duration, at time: ContinuousClock.Instant) {
        self.rate = Double(rate)
        most = Double(rate) * (burst / .seconds(1))
        left = most
        lastTime = time
    }

    /// Takes note of what a client has sent.
    ///
    /// - Returns: How long it has to wait now until nothing is owed; zero for a client that may go on.
    package mutating func take(_ amount: Int, at time: ContinuousClock.Instant) -> Duration {
        left = min(most, left + rate * ((time - lastTime) / .seconds(1))) - Double(amount)
        lastTime = time
        return left < 0 ? .seconds(-left / rate) : .zero
    }
}
