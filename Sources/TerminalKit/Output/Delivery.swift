import ByteCoding
import Glibc

/// Writing to a descriptor that another process may have configured or closed.
enum Delivery {
    /// Writes all of `bytes`. A closed pipe is an error, never a signal.
    ///
    /// - Throws: ``OutputError``.
    static func write(_ bytes: Bytes, to descriptor: Int32) throws(OutputError) {
        let hold = PipeSignalHold()
        do throws(OutputError) {
            try writeAll(bytes, to: descriptor)
        } catch {
            hold.release(discarding: error == .closed)
            throw error
        }
        hold.release(discarding: false)
    }

    private static func writeAll(_ bytes: Bytes, to descriptor: Int32) throws(OutputError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { rest in
                unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                // A program that shares the terminal or pipe has made it non-blocking.
                waitUntilWritable(descriptor)
            } else if errno != EINTR {
                throw .last()
            }
        }
    }

    private static func waitUntilWritable(_ descriptor: Int32) {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe Glibc.poll(&poll, 1, -1)
    }
}

/// The suppression of SIGPIPE in this thread during a write.
private struct PipeSignalHold {
    private var signals = sigset_t()
    private var before = sigset_t()
    private let wasPending: Bool

    init() {
        var signals = sigset_t(), pending = sigset_t(), before = sigset_t()
        unsafe sigpending(&pending)
        wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
        self.signals = signals
        self.before = before
    }

    /// Ends the suppression, after removing the signal of our own write.
    func release(discarding wasRaised: Bool) {
        var signals = signals, before = before
        if wasRaised, !wasPending {
            var now = timespec()
            while unsafe sigtimedwait(&signals, nil, &now) < 0, errno == EINTR {}
        }
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
