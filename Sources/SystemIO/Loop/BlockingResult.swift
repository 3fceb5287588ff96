import CLinux
import Glibc
import Synchronization

/// A result that one thread waits for and another one delivers, once.
public final class BlockingResult<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let signal: FileDescriptor

    /// Creates a result without a value.
    ///
    /// - Throws: ``SystemError`` if no descriptor is free.
    public init() throws(SystemError) {
        signal = FileDescriptor(owning: try systemCall("wait for another thread") { eventfd(0, Int32(EFD_CLOEXEC)) })
    }

    /// Delivers the value. Must be called at most once, from any thread.
    public func deliver(_ value: Value) {
        self.value.withLock { $0 = value }
        var one: UInt64 = 1
        _ = unsafe write(signal.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Blocks until the value is there. Must not be called on a loop's thread or a cooperative one.
    public func wait() -> Value {
        while true {
            if let value = value.withLock({ $0 }) { return value }
            var count: UInt64 = 0
            _ = unsafe read(signal.number, &count, MemoryLayout<UInt64>.size)
        }
    }

    /// Blocks until the value is there or the timeout has passed, and returns nil in the second case. Nil waits without
    /// a limit.
    @discardableResult
    public func wait(within timeout: Duration?) -> Value? {
        guard let timeout else { return wait() }
        let deadline = ContinuousClock.now + timeout
        while true {
            if let value = value.withLock({ $0 }) { return value }
            let rest = (deadline - .now) / .milliseconds(1)
            guard rest > 0 else { return nil }
            var poll = pollfd(fd: signal.number, events: Int16(POLLIN), revents: 0)
            _ = unsafe Glibc.poll(&poll, 1, Int32(clamping: Int(rest.rounded(.up))))
        }
    }
}
