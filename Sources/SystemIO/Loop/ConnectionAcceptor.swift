import CLinux
import Glibc

extension FileDescriptor {
    /// Accepts a waiting connection of `listener` (accept4(2)): non-blocking, not inherited by children. Returns nil
    /// without a waiting connection or a free descriptor.
    fileprivate static func accept(from listener: Int32) -> Int32? {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = accept4(listener, nil, nil, flags)
        return number >= 0 ? number : nil
    }
}

/// An acceptor of connections at a listening socket, active during its life. All calls are on the loop's thread.
///
/// The owner of the socket must not close the socket before.
public final class ConnectionAcceptor {
    /// The pause without a free descriptor. The socket would be reported again at once, in an endless loop.
    private static let pause = Duration.milliseconds(100)

    /// The most connections of one turn, so that a flood of them does not keep the loop from its other work.
    private static let turn = 64

    private let listener: Int32
    private let loop: EventLoop
    private let accept: (Int32) -> Void
    private var timer: Timer?

    /// Starts to accept.
    ///
    /// - Parameter accept: Takes ownership of each connected, non-blocking socket.
    /// - Throws: ``SystemError``.
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
        for _ in 0..<ConnectionAcceptor.turn {
            guard let connected = FileDescriptor.accept(from: listener) else { return rest() }
            accept(connected)
        }
    }

    private func rest() {
        // The client may be gone already. Then the next one is accepted in a later turn.
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return }
        loop.rewatch(listener, for: [])
        timer = loop.after(ConnectionAcceptor.pause) { [weak self] in
            guard let self else { return }
            loop.rewatch(listener, for: .reading)
        }
    }
}
