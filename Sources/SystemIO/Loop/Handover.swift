import CLinux
import Glibc
import Synchronization

/// Hands a value to a thread that waits for it.
public final class Handover<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let signal: FileDescriptor

    public init() throws(SystemError) {
        signal = FileDescriptor(owning: try systemCall("wait for another thread") { eventfd(0, Int32(EFD_CLOEXEC)) })
    }

    /// Gives the value, once.
    public func give(_ value: Value) {
        self.value.withLock { $0 = value }
        var one: UInt64 = 1
        _ = unsafe write(signal.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits for the value. Never to be called on a loop's thread or a cooperative one.
    public func take() -> Value {
        while true {
            if let value = value.withLock({ $0 }) { return value }
            var count: UInt64 = 0
            _ = unsafe read(signal.number, &count, MemoryLayout<UInt64>.size)
        }
    }

    /// The same, with an end: returns nil when the time is up.
    @discardableResult
    public func take(within patience: Duration?) -> Value? {
        guard let patience else { return take() }
        let deadline = ContinuousClock.now + patience
        while true {
            if let value = value.withLock({ $0 }) { return value }
            let rest = (deadline - .now) / .milliseconds(1)
            guard rest > 0 else { return nil }
            var poll = pollfd(fd: signal.number, events: Int16(POLLIN), revents: 0)
            _ = unsafe Glibc.poll(&poll, 1, Int32(clamping: Int(rest.rounded(.up))))
        }
    }
}
