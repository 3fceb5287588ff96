import TerminalKit

/// Notices of relays that cannot be reached, from which no messages arrive.
final class RelayNotices {
    private struct Loss {
        var reason: String
        let since: ContinuousClock.Instant
        var isSaid = false
    }

    /// Most relays are there again at the second attempt, within this time.
    static let delay = Duration.seconds(3)

    private let display: Display
    private let scheduler: any Scheduler
    private let now: () -> ContinuousClock.Instant
    private var losses: [String: Loss] = [:]

    init(display: Display, scheduler: any Scheduler, now: @escaping () -> ContinuousClock.Instant = { .now }) {
        (self.display, self.scheduler, self.now) = (display, scheduler, now)
    }

    func lose(_ place: String, because reason: String) {
        guard losses[place] == nil else {
            losses[place]?.reason = reason
            return
        }
        losses[place] = Loss(reason: reason, since: now())
        scheduler.after(RelayNotices.delay) { [weak self] in self?.sayLosses() }
    }

    func reach(_ place: String) {
        guard losses.removeValue(forKey: place)?.isSaid == true else { return }
        display.say("\(place): the relay is reachable again", .success)
    }

    /// Says each loss once, unless nothing may be seen.
    func sayLosses() {
        guard !display.isHidden else { return }
        for (place, loss) in losses.sorted(by: { $0.key < $1.key })
        where !loss.isSaid && now() - loss.since >= RelayNotices.delay {
            losses[place]?.isSaid = true
            display.say("\(place): \(loss.reason); retrying", .warning)
        }
    }
}
