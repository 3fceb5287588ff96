import Commands
import SystemIO
import TerminalKit

/// Relays from which nothing comes: whoever waits for messages must know.
extension Session {
    struct LostRelay {
        var reason: String
        let since: ContinuousClock.Instant
        var isSaid = false
    }

    func relayLost(_ place: String, because reason: String) {
        guard lostRelays[place] == nil else {
            lostRelays[place]?.reason = reason
            return
        }
        lostRelays[place] = LostRelay(reason: reason, since: .now)
        // Most are there again at the second attempt.
        store.loop.after(Session.patience) { [weak self] in self?.assumeIsolated { $0.sayLostRelays() } }
    }

    func relayReached(_ place: String) {
        guard lostRelays.removeValue(forKey: place)?.isSaid == true else { return }
        say("\(place): the relay is there again", .success)
    }

    /// Says what was not said yet, unless nothing may be seen.
    func sayLostRelays() {
        guard !isHidden else { return }
        for (place, relay) in lostRelays.sorted(by: { $0.key < $1.key })
        where !relay.isSaid && ContinuousClock.now - relay.since >= Session.patience {
            lostRelays[place]?.isSaid = true
            say("\(place): \(relay.reason); it is tried again and again", .warning)
        }
    }
}
