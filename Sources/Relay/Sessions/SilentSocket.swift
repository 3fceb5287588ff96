import SecureTransport
import SystemIO

/// An accepted socket before its first byte. TLS, which takes 40 KB, starts with it.
final class SilentSocket {
    private let loop: EventLoop
    private var socket: FileDescriptor?
    private var timer: Timer?

    /// Waits for the first byte.
    ///
    /// - Parameters:
    ///   - deadline: The time after which `late` is called instead.
    ///   - begin: Called with the socket when a byte has arrived.
    init(
        _ socket: consuming FileDescriptor, on loop: EventLoop, deadline: Duration,
        begin: @escaping (consuming FileDescriptor) -> Void, late: @escaping () -> Void
    ) throws(ConnectionError) {
        self.loop = loop
        let number = socket.number
        do throws(SystemError) {
            try loop.watch(number, for: .reading) { [unowned self] _ in
                if let socket = take() { begin(socket) }
            }
        } catch {
            throw .broken(error)
        }
        self.socket = consume socket
        timer = loop.after(deadline, late)
    }

    deinit {
        close()
    }

    /// Closes the socket, unless it was handed on.
    func close() {
        _ = take()
    }

    private func take() -> FileDescriptor? {
        timer?.cancel()
        timer = nil
        guard let socket = socket.take() else { return nil }
        loop.unwatch(socket.number)
        return socket
    }
}
