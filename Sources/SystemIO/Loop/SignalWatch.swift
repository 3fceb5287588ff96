import CLinux
import Glibc

/// A watch for signals as events of a loop (signalfd(2)): they are blocked for the process and read like a socket.
public struct SignalWatch: ~Copyable {
    private let loop: EventLoop
    private let descriptor: FileDescriptor

    /// Blocks signals, so that signals before the first watch wait instead of ending the process. Must be called before
    /// other threads exist.
    public static func hold(_ signals: [Int32]) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls `handler` with the number of each arriving signal in `signals`, until the end of the watch's life.
    ///
    /// - Throws: ``SystemError``.
    public init(_ signals: [Int32], on loop: EventLoop, _ handler: @escaping (Int32) -> Void) throws(SystemError) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        let number = try systemCall("watch for signals") {
            unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        }
        let descriptor = FileDescriptor(owning: number)
        try loop.watch(number, for: .reading) { _ in
            var info = signalfd_siginfo()
            while unsafe read(number, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
                handler(Int32(info.ssi_signo))
            }
        }
        self.loop = loop
        self.descriptor = descriptor
    }

    deinit {
        loop.unwatch(descriptor.number)
    }
}
