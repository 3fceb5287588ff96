public import ByteCoding
import Synchronization
import SystemIO

/// A process that has a store open, and the requests that it takes from others.
public final class HostProcess: Sendable {
    /// A request of another process or a signal.
    public enum Request: Sendable {
        case stop
        /// To read the settings again.
        case reload
    }

    private struct State {
        var handler: (@Sendable (Request) -> Void)?
        var takesSignals = false
        var request: Request?
        /// A reload that came before anybody listened.
        var earlyReload = false
        var countHandler: (@Sendable () -> Void)?
        var earlyCount = false
        var farewell: (@Sendable () -> Void)?
    }

    /// What it does: `watch`, `daemon run`.
    public let command: String
    public let since: Timestamp
    /// True if it is a service, which only its end ends: it outlives a reload and a request for its counters at any moment.
    public let isService: Bool
    private let state = Mutex(State())

    public init(command: String, isService: Bool = false) {
        self.command = command
        self.isService = isService
        since = Timestamp(milliseconds: SystemClock.milliseconds())
    }

    /// The first request.
    public var request: Request? { state.withLock { $0.request } }

    /// Calls `handler` once, with the first request.
    ///
    /// - Parameter takesSignals: Whether a signal is a request too. It ends the process otherwise, or if it comes again.
    public func onRequest(takesSignals: Bool, _ handler: @escaping @Sendable (Request) -> Void) {
        let isEarly = state.withLock { state in
            state.handler = handler
            state.takesSignals = takesSignals
            return state.earlyReload
        }
        if isEarly { pass(.reload, bySignal: true) }
    }

    /// Calls `handler` whenever counters are wanted, and at once if that was so before.
    public func onCount(_ handler: @escaping @Sendable () -> Void) {
        let isEarly = state.withLock { state in
            state.countHandler = handler
            return state.earlyCount
        }
        if isEarly { handler() }
    }

    /// Passes a request to the handler. Returns false if a request is in progress, or if there is no handler.
    @discardableResult
    public func pass(_ request: Request, bySignal: Bool = false) -> Bool {
        let (handler, isTaken): ((@Sendable (Request) -> Void)?, Bool) = state.withLock { state in
            guard state.request == nil, !bySignal || state.takesSignals, let handler = state.handler else {
                // A reload that is under way reads the settings after this, and an end makes it needless.
                guard isService, request == .reload else { return (nil, false) }
                state.earlyReload = state.request == nil
                return (nil, true)
            }
            state.request = request
            return (handler, true)
        }
        handler?(request)
        return isTaken
    }

    /// Calls `farewell` if a signal ends the process, until another or nil is set.
    public func onFarewell(_ farewell: (@Sendable () -> Void)?) {
        state.withLock { $0.farewell = farewell }
    }

    /// A signal ends the process.
    public func sayFarewell() {
        state.withLock { $0.farewell }?()
    }

    /// Has the counters logged.
    public func count() {
        let handler = state.withLock { state in
            state.earlyCount = state.countHandler == nil
            return state.countHandler
        }
        handler?()
    }
}
