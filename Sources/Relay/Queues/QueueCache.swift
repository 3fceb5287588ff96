/// A cache of recently used queues, so that most commands do not decode a row.
///
/// When it is full, a queue that was not used for a round of the clock hand is removed (second chance, the clock
/// algorithm). There is never more than one object of a queue.
struct QueueCache {
    private let limit: Int
    private var places: [Place] = []
    private var hand = 0
    private var byNumber: [Int64: Int] = [:]

    private struct Place {
        var queue: Queue?
        var wasUsed: Bool
    }

    /// Creates a cache.
    ///
    /// - Parameter limit: The number of queues, about 1 KB each.
    init(limit: Int) {
        precondition(limit > 0, "a cache holds something")
        self.limit = limit
    }

    mutating func queue(number: Int64) -> Queue? {
        guard let index = byNumber[number] else { return nil }
        places[index].wasUsed = true
        return places[index].queue
    }

    /// Adds a queue that is not in the cache.
    mutating func insert(_ queue: Queue) {
        let index = freePlace()
        places[index] = Place(queue: queue, wasUsed: true)
        byNumber[queue.number] = index
    }

    /// Removes a queue.
    mutating func remove(_ queue: Queue) {
        guard let index = byNumber.removeValue(forKey: queue.number) else { return }
        places[index] = Place(queue: nil, wasUsed: false)
    }

    private mutating func freePlace() -> Int {
        if places.count < limit {
            places.append(Place(queue: nil, wasUsed: false))
            return places.count - 1
        }
        while places[hand].wasUsed {
            places[hand].wasUsed = false
            hand = (hand + 1) % limit
        }
        defer { hand = (hand + 1) % limit }
        if let queue = places[hand].queue { remove(queue) }
        return hand
    }
}
