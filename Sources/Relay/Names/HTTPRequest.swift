import ByteCoding
import SecureTransport
import SystemIO

/// A GET request with HTTP/1.1 over a connection of its own. Releasing it cancels the request.
final class HTTPRequest {
    /// The failure of a request.
    enum Failure: Error {
        /// The host cannot be reached, the connection broke, or the response is malformed.
        case transport
        /// The response did not arrive in time.
        case timedOut
        /// The response exceeds ``HTTPRequest/limit``.
        case tooLarge
    }

    /// The largest size of a response in bytes. A record has to fit into a block of 16 KB.
    private static let limit = 65536

    private let loop: EventLoop
    private var handler: ((Result<HTTPResponse, Failure>) -> Void)?
    private var dialer: Dialer?
    private var socket: FileDescriptor?
    private var timer: Timer?
    private var unsent: ArraySlice<UInt8>
    private var received: Bytes = []

    /// Starts a request.
    ///
    /// - Parameter handler: Called once, in a later turn of the loop.
    init(
        _ path: String, of address: ResolverAddress, deadline: Duration, loop: EventLoop,
        handler: @escaping (Result<HTTPResponse, Failure>) -> Void
    ) {
        self.loop = loop
        self.handler = handler
        let head = """
            GET \(path) HTTP/1.1\r
            Host: \(address.authority)\r
            Accept: application/json\r
            Connection: close\r
            \r

            """
        unsent = Bytes(head.utf8)[...]
        timer = loop.after(deadline) { [weak self] in self?.finish(.failure(.timedOut)) }
        dialer = Dialer(host: address.host, port: address.port, deadline: deadline, loop: loop) { [weak self] result in
            guard let self else { return }
            dialer = nil
            switch consume result {
            case .success(let socket): begin(socket)
            case .failure(.timedOut): finish(.failure(.timedOut))
            case .failure: finish(.failure(.transport))
            }
        }
    }

    deinit {
        release()
    }

    private func begin(_ socket: consuming FileDescriptor) {
        do throws(SystemError) {
            try loop.watch(socket.number, for: [.reading, .writing]) { [weak self] _ in self?.proceed() }
            self.socket = consume socket
        } catch {
            finish(.failure(.transport))
        }
    }

    private func proceed() {
        guard let number = socket?.number else { return }
        do throws(SystemError) {
            if !unsent.isEmpty {
                unsent = unsent.dropFirst(try UnixSocket.send(Bytes(unsent), on: number))
                if unsent.isEmpty { loop.rewatch(number, for: .reading) }
            }
            try receive()
        } catch {
            guard error.isRetry else { return finish(.failure(.transport)) }
        }
    }

    private func receive() throws(SystemError) {
        while socket != nil {
            guard let part = try socket?.read(16384) else { return }
            received += part
            guard received.count <= HTTPRequest.limit else { return finish(.failure(.tooLarge)) }
            do throws(DecodeError) {
                if let response = try HTTPResponse(received, isAtEnd: part.isEmpty) { finish(.success(response)) }
            } catch {
                finish(.failure(.transport))
            }
        }
    }

    private func finish(_ result: Result<HTTPResponse, Failure>) {
        let handler = handler
        self.handler = nil
        release()
        handler?(result)
    }

    private func release() {
        timer?.cancel()
        timer = nil
        dialer?.cancel()
        dialer = nil
        if let socket = socket.take() { loop.unwatch(socket.number) }
    }
}
