internal import Glibc
public import SystemIO

/// Connects to hosts.
public struct Dialer: Sendable {
    private let loop: EventLoop

    public init(loop: EventLoop) {
        self.loop = loop
    }

    /// A connected, non-blocking socket, as its number: the caller takes over ownership.
    ///
    /// The addresses of the host are tried in the system's order until one accepts or the deadline has passed.
    public func connect(host: String, port: UInt16, deadline: Duration) async throws(ConnectionError) -> Int32 {
        let end = ContinuousClock.now + deadline
        let addresses: [SocketAddress]
        switch await resolve(host: host, port: port, until: end) {
        case .success(let found): addresses = found
        case .failure(let error): throw error
        }
        var failure = ConnectionError.unknownHost
        for address in addresses {
            do throws(ConnectionError) {
                return try await connect(to: address, until: end)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Looks a name up on a thread of its own, which may take longer than this waits.
    private func resolve(
        host: String, port: UInt16, until end: ContinuousClock.Instant
    ) async -> Result<[SocketAddress], ConnectionError> {
        await loop.firstOf(deadline: end, late: .failure(.timedOut(.connecting))) { finish in
            WorkerThread.start { finish(SocketAddress.resolve(host: host, port: port)) }
        }
    }

    private func connect(
        to address: SocketAddress, until end: ContinuousClock.Instant
    ) async throws(ConnectionError) -> Int32 {
        do throws(SystemError) {
            let socket = try address.makeSocket()
            let status = unsafe address.withPointer { unsafe Glibc.connect(socket.number, $0, $1) }
            if status == 0 { return socket.release() }
            guard errno == EINPROGRESS else { throw SystemError.last("connect") }
            guard await loop.waitUntilReady(socket.number, for: .writing, deadline: end) else {
                return try Dialer.timedOut()
            }
            var error: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            _ = unsafe getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &error, &size)
            guard error == 0 else { throw SystemError("connect", number: error) }
            return socket.release()
        } catch {
            throw error.number == ETIMEDOUT ? .timedOut(.connecting) : .unreachable(error)
        }
    }

    private static func timedOut() throws(SystemError) -> Int32 {
        throw SystemError("connect", number: ETIMEDOUT)
    }
}
