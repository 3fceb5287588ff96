public import ChatCore
public import SystemIO

/// The wait for a store whose process has ended, until it can be opened again: in this process, or beside another one.
public struct StoreTakeover: Sendable {
    private let folder: StoreFolder
    private let loop: EventLoop
    private let grace: Duration

    /// The time for another process to open the store: a service that restarts must find it free.
    public static let grace = Duration.seconds(2)

    /// - Parameter grace: The time for another process to open the store.
    public init(_ folder: StoreFolder, _ loop: EventLoop, grace: Duration = StoreTakeover.grace) {
        self.folder = folder
        self.loop = loop
        self.grace = grace
    }

    /// Calls `action` on the loop's thread when the store can be opened.
    public func wait(then action: @escaping @Sendable () -> Void) {
        look(since: .now, action)
    }

    private func look(since start: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) {
        let holder = StoreLock.holder(of: folder)
        let canOpen = if let holder { holder.socket != nil } else { ContinuousClock.now - start >= grace }
        if canOpen { return action() }
        loop.after(StoreLock.pollingInterval) { look(since: start, action) }
    }
}
