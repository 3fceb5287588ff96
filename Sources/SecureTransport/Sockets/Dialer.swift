internal import Glibc
public import SystemIO

/// An attempt to connect to a host.
///
/// The addresses of the host are tried in the system's order until one accepts or the deadline has passed. The handler is
/// called once, on the loop's thread, and never after ``cancel()``.
public final class Dialer {
    private let loop: EventLoop
    private var handler: ((consuming Result<FileDescriptor, ConnectionError>) -> Void)?
    private var untried: ArraySlice<SocketAddress> = []
    private var socket: FileDescriptor?
    private var timer: Timer?

    /// Starts to look the host up and to connect.
    public init(
        host: String, port: UInt16, deadline: Duration, loop: EventLoop,
        handler: @escaping (consuming Result<FileDescriptor, ConnectionError>) -> Void
    ) {
        self.loop = loop
        self.handler = handler
        timer = loop.after(deadline) { [weak self] in self?.finish(.failure(.timedOut(.connecting))) }
        // The look-up goes on when nobody waits for it any more: nothing can interrupt it.
        loop.offload {
            SocketAddress.resolve(host: host, port: port)
        } then: { [weak self] result in
            guard let self, self.handler != nil else { return }
            switch result {
            case .success(let addresses):
                untried = addresses[...]
                tryNext(.unknownHost)
            case .failure(let error): finish(.failure(error))
            }
        }
    }

    deinit {
        cancel()
    }

    /// Gives up without a report.
    public func cancel() {
        handler = nil
        release()
    }

    private func tryNext(_ failure: ConnectionError) {
        guard let address = untried.popFirst() else { return finish(.failure(failure)) }
        do throws(SystemError) {
            let socket = try address.makeSocket()
            let status = unsafe address.withPointer { unsafe Glibc.connect(socket.number, $0, $1) }
            guard status == 0 || errno == EINPROGRESS else { throw SystemError.last("connect") }
            try loop.watch(socket.number, for: .writing) { [weak self] _ in self?.connected() }
            self.socket = consume socket
        } catch {
            tryNext(.unreachable(error))
        }
    }

    /// The system has made the connection, or given up.
    private func connected() {
        guard let socket = socket.take() else { return }
        loop.unwatch(socket.number)
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &error, &size)
        if error == 0 {
            finish(.success(socket))
        } else if error == ETIMEDOUT {
            tryNext(.timedOut(.connecting))
        } else {
            tryNext(.unreachable(SystemError("connect", number: error)))
        }
    }

    private func finish(_ result: consuming Result<FileDescriptor, ConnectionError>) {
        let handler = handler
        self.handler = nil
        release()
        handler?(result)
    }

    private func release() {
        timer?.cancel()
        if let socket = socket.take() { loop.unwatch(socket.number) }
    }
}
