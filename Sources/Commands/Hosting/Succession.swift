import ChatCore
import SystemIO

/// Waits, when the process that had a store open has ended, until the store can be opened again: in this process, or beside
/// another one.
struct Succession: Sendable {
    private let folder: StoreFolder
    private let former: StoreLock.Holder
    private let loop: EventLoop

    /// How long another holder may take to come: a service that is started anew is to find its place free.
    private static let grace = Duration.seconds(2)

    init(_ folder: StoreFolder, former: StoreLock.Holder, _ loop: EventLoop) {
        self.folder = folder
        self.former = former
        self.loop = loop
    }

    /// Calls `action` when the time has come. On the loop's thread.
    func wait(then action: @escaping @Sendable () -> Void) {
        look(since: .now, action)
    }

    private func look(since start: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) {
        let holder = StoreLock.holder(of: folder)
        let canOpen =
            if let holder { holder.socket != nil } else {
                // A session that has ended is not started anew by a service.
                ContinuousClock.now - start >= (former.command == ReplCommand.name ? .zero : Succession.grace)
            }
        if canOpen { return action() }
        loop.after(StoreAccess.pollingInterval) { look(since: start, action) }
    }
}
