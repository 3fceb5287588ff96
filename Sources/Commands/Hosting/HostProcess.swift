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
    }

    /// What it does: `watch`, `daemon run`.
    let command: String
    let since: Timestamp
    private let state = Mutex(State())

    init(command: String) {
        self.command = command
        since = Timestamp(milliseconds: SystemClock.milliseconds())
    }

    /// What was wished first.
    var wish: Wish? { state.withLock { $0.wish } }

    /// Calls `handler` once, with the first wish.
    ///
    /// - Parameter takesSignals: Whether a signal is a wish too. It ends the process otherwise, or if it comes again.
    func onWish(takesSignals: Bool, _ handler: @escaping @Sendable (Wish) -> Void) {
        state.withLock { state in
            state.handler = handler
            state.takesSignals = takesSignals
        }
    }

    /// Passes a wish on. False if one is being fulfilled already, or nobody listens.
    @discardableResult
    func express(_ wish: Wish, bySignal: Bool = false) -> Bool {
        let handler: (@Sendable (Wish) -> Void)? = state.withLock { state in
            guard state.wish == nil, !bySignal || state.takesSignals, let handler = state.handler else { return nil }
            state.wish = wish
            return handler
        }
        handler?(wish)
        return handler != nil
    }
}
