import ChatCore
import SystemIO

/// The wait for a store whose process has ended, until it can be opened again: in this process, or beside another one.
struct StoreTakeover: Sendable {
    private let folder: StoreFolder
    private let former: StoreLock.Holder
    private let loop: EventLoop

    /// The time for another process to open the store: a service that restarts must find it free.
    private static let grace = Duration.seconds(2)

    init(_ folder: StoreFolder, former: StoreLock.Holder, _ loop: EventLoop) {
        self.folder = folder
        self.former = former
        self.loop = loop
    }

    /// Calls `action` on the loop's thread when the store can be opened.
    func wait(then action: @escaping @Sendable () -> Void) {
        look(since: .now, action)
    }

    private func look(since start: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) {
        let holder = StoreLock.holder(of: folder)
        let canOpen =
            if let holder { holder.socket != nil } else {
                // A service does not restart a session.
                ContinuousClock.now - start >= (former.command == ReplCommand.name ? .zero : StoreTakeover.grace)
            }
        if canOpen { return action() }
        loop.after(StoreOpener.pollingInterval) { look(since: start, action) }
    }
}
