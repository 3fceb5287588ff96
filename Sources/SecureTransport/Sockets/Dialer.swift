public import CryptoCore
internal import Glibc
public import SystemIO

/// An attempt to connect to a host, itself or through a proxy.
///
/// The addresses of the host, or of the proxy, are tried in the system's order until one accepts or the deadline has
/// passed. The handler is called once, on the loop's thread, and never after ``cancel()``.
public final class Dialer {
    private let loop: EventLoop
    private var handler: ((consuming Result<FileDescriptor, ConnectionError>) -> Void)?
    private var untried: ArraySlice<SocketAddress> = []
    private var socket: FileDescriptor?
    private var timer: Timer?
    /// What to say to the proxy, if there is one.
    private let negotiation: SOCKSNegotiation?
    private let admits: ((IPAddress) -> Bool)?
    private var tunnel: SOCKSTunnel?

    /// Starts to look the host up and to connect. With a proxy it is the proxy that is looked up here, and the name of the
    /// host goes there as it is.
    ///
    /// - Parameters:
    ///   - random: For the users that a proxy gets to see.
    ///   - admits: Asked for each address of the host right before it is connected to; nil admits all. An address that is not
    ///     admitted counts as one that cannot be reached.
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
        // SECURITY: a host that cannot be asked for must not become one that is looked up here.
        if proxy != nil, negotiation == nil {
            loop.atEndOfTurn { [weak self] in self?.finish(.failure(.unknownHost)) }
            return
        }
        let (host, port) = proxy.map { ($0.host, $0.port) } ?? (host, port)
        // The look-up goes on when nobody waits for it any more: nothing can interrupt it.
        loop.offload {
            SocketAddress.resolve(host: host, port: port)
        } then: { [weak self] result in
            guard let self, self.handler != nil else { return }
            switch result {
            case .success(let addresses):
                // A name server may give thousands.
                untried = addresses.prefix(16)
                tryNext(.unknownHost)
            case .failure(let error): fail(error)
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
        guard let address = untried.popFirst() else { return fail(failure) }
        // SECURITY: the address that was looked up is the one that is connected to: a second look-up could give another.
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

    /// The system has made the connection, or given up.
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

    /// The connection stands; a proxy has to be told where it should lead.
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
