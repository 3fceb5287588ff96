import ByteCoding

/// A walk through all queues that gives up what nobody came for. It goes in steps, so that no step holds up the clients.
package struct ExpiryWalk {
    fileprivate var next: Int64 = 1
    fileprivate var last: Int64

    /// How many queue numbers a step covers.
    fileprivate static let stride: Int64 = 2000
    /// How many free slots a step gives back to the file system.
    fileprivate static let slots: Int64 = 64
}

extension RelayCore {
    /// Begins a walk through the queues that there are now.
    package func beginExpiry() -> ExpiryWalk? {
        notifications.expire(before: now + (.zero - rules.notificationLifetime))
        var walk: ExpiryWalk?
        attempt { walk = ExpiryWalk(last: try messages.lastQueue()) }
        return walk
    }

    /// Takes a step of the walk; the turn has to be ended after it.
    ///
    /// - Returns: Whether there are further steps.
    package func expire(_ walk: inout ExpiryWalk) -> Bool {
        var hasMore = true
        let limit = expiryTime + (.zero - rules.messageLifetime)
        attempt {
            // The next walk does what this one cannot.
            guard try store.hasSpace(Cost.message, for: .removal) else { return hasMore = false }
            guard walk.next <= walk.last else {
                hasMore = try messages.giveUpFreeSlots(ExpiryWalk.slots)
                return
            }
            let range = walk.next...(walk.next + ExpiryWalk.stride - 1)
            walk.next = range.upperBound + 1
            for number in try messages.queues(in: range, withMessagesBefore: limit) {
                // A row that cannot be read must not end the turns of everybody, again and again.
                guard let queue = try? queues.queue(number: number) else { continue }
                while let first = try messages.messages(of: queue).first, first.time < limit {
                    try messages.removeFirst(of: queue)
                    if !first.isQuota { statistics.expiredMessages += 1 }
                }
            }
        }
        return hasMore
    }
}
