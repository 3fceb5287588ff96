public import CryptoCore
internal import Glibc
public import SystemIO

/// An attempt to connect to a host, directly or through a proxy.
///
/// The addresses of the host, or of the proxy, are tried in the system's order until one accepts or the deadline
/// passes. All calls are on the loop's thread. The handler is called there, once, and never after ``cancel()``.
public final class Dialer {
    private let loop: EventLoop
    private var handler: ((consuming Result<FileDescriptor, ConnectionError>) -> Void)?
    private var untried: ArraySlice<SocketAddress> = []
    private var socket: FileDescriptor?
    private var timer: Timer?
    /// The negotiation with the proxy, if there is one.
    private let negotiation: SOCKSNegotiation?
    private let admits: ((IPAddress) -> Bool)?
    private var tunnel: SOCKSTunnel?

    /// Resolves the host and connects. With a proxy, only the proxy is resolved here; the proxy resolves the host.
    ///
    /// - Parameters:
    ///   - random: The source of random users at the proxy.
    ///   - admits: Decides on each address of the host right before connecting; nil admits all. A rejected address
    ///     counts as unreachable.
    public init(
        host: String, port: UInt16, through proxy: SOCKSProxy? = nil, random: any RandomSource = SystemRandom(),
        deadline: Duration, loop: EventLoop, admits: ((IPAddress) -> Bool)? = nil,
        handler: @escaping (consuming Result<FileDescriptor, ConnectionError>) -> Void
    ) {
        self.loop = loop
        self.handler = handler
        self.admits = admits
        negotiation = proxy.flatMap { SOCKSNegotiation(through: $0, to: host, port: port, random: random) }
        timer = loop.after(deadline) { [weak self] in self?.finish(.failure(.timedOut(.connecting))) }
        // SECURITY: a host that does not fit into a request must not be resolved here.
        if proxy != nil, negotiation == nil {
            loop.atEndOfTurn { [weak self] in self?.finish(.failure(.unknownHost)) }
            return
        }
        let (host, port) = proxy.map { ($0.host, $0.port) } ?? (host, port)
        // The look-up continues after a cancellation: it cannot be interrupted.
        loop.offload {
            SocketAddress.resolve(host: host, port: port)
        } then: { [weak self] result in
            guard let self, self.handler != nil else { return }
            switch result {
            case .success(let addresses):
                // A name server may return thousands of addresses.
                untried = addresses.prefix(16)
                tryNext(.unknownHost)
            case .failure(let error): fail(error)
            }
        }
    }

    deinit {
        cancel()
    }

    /// Cancels without calling the handler.
    public func cancel() {
        handler = nil
        release()
    }

    private func tryNext(_ failure: ConnectionError) {
        guard let address = untried.popFirst() else { return fail(failure) }
        // SECURITY: the checked address is used for connecting. A second look-up could return another.
        if let admits, !(address.ip.map(admits) ?? false) {
            return tryNext(.unreachable(SystemError("connect", number: EACCES)))
        }
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

    /// Handles the end of connect(2), with success or failure.
    private func connected() {
        guard let socket = socket.take() else { return }
        loop.unwatch(socket.number)
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &error, &size)
        if error == 0 {
            enter(socket)
        } else if error == ETIMEDOUT {
            tryNext(.timedOut(.connecting))
        } else {
            tryNext(.unreachable(SystemError("connect", number: error)))
        }
    }

    /// Reports the connection, or starts the negotiation with the proxy.
    private func enter(_ socket: consuming FileDescriptor) {
        guard let negotiation else { return finish(.success(socket)) }
        tunnel = SOCKSTunnel(socket, negotiation, loop: loop) { [weak self] result in
            guard let self else { return }
            switch consume result {
            case .success(let socket): finish(.success(socket))
            case .failure(let error): finish(.failure(.proxy(error)))
            }
        }
    }

    private func fail(_ error: ConnectionError) {
        guard negotiation != nil else { return finish(.failure(error)) }
        switch error {
        case .unknownHost: finish(.failure(.proxy(.unknownHost)))
        case .unreachable(let error): finish(.failure(.proxy(.unreachable(error))))
        default: finish(.failure(error))
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
        tunnel?.cancel()
        tunnel = nil
        if let socket = socket.take() { loop.unwatch(socket.number) }
    }
}
