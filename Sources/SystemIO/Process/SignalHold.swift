import CLinux
import Glibc

/// The blocking of signals during a critical section.
public enum SignalHold {
    /// Calls `body` with a descriptor that is readable as soon as one of `signals` has arrived for this thread or the
    /// process. Afterwards a pending signal has its usual action, which may end the process.
    ///
    /// Only this thread blocks the signals: a signal for the process can still reach another thread.
    public static func during<Result: ~Copyable>(
        _ signals: [Int32], _ body: (Int32) -> Result
    ) throws(SystemError) -> Result {
        var set = sigset_t(), before = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        let descriptor = FileDescriptor(
            owning: try systemCall("watch for signals") { unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC)) })
        unsafe pthread_sigmask(SIG_BLOCK, &set, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body(descriptor.number)
    }

    /// Returns true if a descriptor of ``during(_:_:)`` is readable.
    public static func hasArrived(_ descriptor: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe Glibc.poll(&poll, 1, 0) > 0
    }
}
