import ByteCoding
import Synchronization
import SystemIO

/// A process that has a store open, as far as it takes the wishes of others.
final class HostProcess: Sendable {
    /// What others may wish.
    enum Wish: Sendable {
        case stop
        /// That settings are read anew.
        case reload
    }

    private struct State {
        var handler: (@Sendable (Wish) -> Void)?
        var takesSignals = false
        var wish: Wish?
        /// A reload that came before anybody listened.
        var earlyReload = false
        var countHandler: (@Sendable () -> Void)?
        var earlyCount = false
    }

    /// What it does: `watch`, `daemon run`.
    let command: String
    let since: Timestamp
    /// True if it is a service, which only its end ends: it outlives a reload and a request for its counters at any moment.
    let isService: Bool
    private let state = Mutex(State())

    init(command: String, isService: Bool = false) {
        self.command = command
        self.isService = isService
        since = Timestamp(milliseconds: SystemClock.milliseconds())
    }

    /// What was wished first.
    var wish: Wish? { state.withLock { $0.wish } }

    /// Calls `handler` once, with the first wish.
    ///
    /// - Parameter takesSignals: Whether a signal is a wish too. It ends the process otherwise, or if it comes again.
    func onWish(takesSignals: Bool, _ handler: @escaping @Sendable (Wish) -> Void) {
        let isEarly = state.withLock { state in
            state.handler = handler
            state.takesSignals = takesSignals
            return state.earlyReload
        }
        if isEarly { express(.reload, bySignal: true) }
    }

    /// Calls `handler` whenever counters are wanted, and at once if that was so before.
    func onCount(_ handler: @escaping @Sendable () -> Void) {
        let isEarly = state.withLock { state in
            state.countHandler = handler
            return state.earlyCount
        }
        if isEarly { handler() }
    }

    /// Passes a wish on. False if one is being fulfilled already, or nobody listens.
    @discardableResult
    func express(_ wish: Wish, bySignal: Bool = false) -> Bool {
        let (handler, isTaken): ((@Sendable (Wish) -> Void)?, Bool) = state.withLock { state in
            guard state.wish == nil, !bySignal || state.takesSignals, let handler = state.handler else {
                // A reload that is under way reads the settings after this, and an end makes it needless.
                guard isService, wish == .reload else { return (nil, false) }
                state.earlyReload = state.wish == nil
                return (nil, true)
            }
            state.wish = wish
            return (handler, true)
        }
        handler?(wish)
        return isTaken
    }

    /// Has the counters logged.
    func count() {
        let handler = state.withLock { state in
            state.earlyCount = state.countHandler == nil
            return state.countHandler
        }
        handler?()
    }
}
