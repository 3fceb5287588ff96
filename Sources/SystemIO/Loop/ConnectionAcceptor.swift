import CLinux
import Glibc

extension FileDescriptor {
    /// Accepts a connection that waits at `listener` (see accept4(2)): non-blocking, and inherited by no child. Nil if none
    /// waits, or no descriptor is left.
    fileprivate static func accept(from listener: Int32) -> Int32? {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = accept4(listener, nil, nil, flags)
        return number >= 0 ? number : nil
    }
}

/// Accepts the connections that come to a listening socket, as long as it exists.
///
/// The socket stays with its owner, which must not close it before.
public final class ConnectionAcceptor {
    /// For how long nothing is accepted when no descriptor is left. The socket would be reported again at once, for ever.
    private static let pause = Duration.milliseconds(100)

    private let listener: Int32
    private let loop: EventLoop
    private let accept: (Int32) -> Void
    private var timer: Timer?

    /// Starts to accept.
    ///
    /// - Parameter accept: Takes over the number of each connected, non-blocking socket.
    public init(_ listener: Int32, on loop: EventLoop, accept: @escaping (Int32) -> Void) throws(SystemError) {
        self.listener = listener
        self.loop = loop
        self.accept = accept
        try loop.watch(listener, for: .reading) { [unowned self] _ in acceptAll() }
    }

    deinit {
        timer?.cancel()
        loop.unwatch(listener)
    }

    private func acceptAll() {
        while let connected = FileDescriptor.accept(from: listener) { accept(connected) }
        // The client may be gone already: then whoever waits is accepted in a later turn.
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return }
        loop.rewatch(listener, for: [])
        timer = loop.after(ConnectionAcceptor.pause) { [weak self] in
            guard let self else { return }
            loop.rewatch(listener, for: .reading)
        }
    }
}
