import SMPProtocol

/// The newest responses of a resolver. A name that is asked for again within a short time needs no request.
struct NameCache {
    private struct Entry {
        let result: Result<NameRecord, NameError>
        let expiresAt: ContinuousClock.Instant
    }

    /// The largest number of names.
    static let limit = 4096
    /// The time for which a record is kept. Its owner may change it at any time.
    static let lifetime = Duration.seconds(60)
    /// The time for which the absence of a record is kept. It is short, because the name may be registered at any time.
    static let missingLifetime = Duration.seconds(10)

    private var entries: [SimplexDomain: Entry] = [:]
    /// The names in the order in which they were added.
    private var order: [SimplexDomain] = []

    /// Returns the response for a name, if it is known and new.
    func result(for domain: SimplexDomain, at time: ContinuousClock.Instant) -> Result<NameRecord, NameError>? {
        guard let entry = entries[domain], entry.expiresAt > time else { return nil }
        return entry.result
    }

    /// Keeps a response. Failures of the resolver are not kept.
    mutating func keep(
        _ result: Result<NameRecord, NameError>, for domain: SimplexDomain, at time: ContinuousClock.Instant
    ) {
        let lifetime: Duration
        switch result {
        case .success: lifetime = NameCache.lifetime
        case .failure(.notFound): lifetime = NameCache.missingLifetime
        case .failure: return
        }
        if entries.updateValue(Entry(result: result, expiresAt: time + lifetime), forKey: domain) == nil {
            order.append(domain)
        }
        guard order.count > NameCache.limit else { return }
        // The older half: removing single names would move all others each time.
        for former in order.prefix(NameCache.limit / 2) { entries[former] = nil }
        order.removeFirst(NameCache.limit / 2)
    }

    /// Removes all responses.
    mutating func clear() {
        self = NameCache()
    }
}
