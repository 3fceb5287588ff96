import ByteCoding
internal import Glibc
import SystemIO

/// The negotiation with a connected proxy, up to the connection with the destination. It has no deadline.
///
/// The handler is called once, on the loop's thread, and never after ``cancel()``.
final class SOCKSTunnel {
    private let loop: EventLoop
    private var negotiation: SOCKSNegotiation
    private var socket: FileDescriptor?
    private var unsent: Bytes
    private var handler: ((consuming Result<FileDescriptor, SOCKSError>) -> Void)?

    init(
        _ socket: consuming FileDescriptor, _ negotiation: SOCKSNegotiation, loop: EventLoop,
        handler: @escaping (consuming Result<FileDescriptor, SOCKSError>) -> Void
    ) {
        self.loop = loop
        self.negotiation = negotiation
        self.handler = handler
        let number = socket.number
        unsent = negotiation.greeting
        self.socket = consume socket
        do throws(SystemError) {
            try loop.watch(number, for: .writing) { [weak self] _ in self?.proceed() }
        } catch {
            // The caller must have this object before the handler is called.
            loop.atEndOfTurn { [weak self] in self?.finish(.failure(.unreachable(error))) }
        }
    }

    deinit {
        cancel()
    }

    /// Cancels without calling the handler.
    func cancel() {
        handler = nil
        if let socket = socket.take() { loop.unwatch(socket.number) }
    }

    private func proceed() {
        guard let number = socket?.number else { return }
        do throws(SOCKSError) {
            guard try send(number) else { return }
            while try receive(number) {}
        } catch {
            finish(.failure(error))
        }
    }

    /// Sends the pending bytes. Returns true if all were sent.
    private func send(_ number: Int32) throws(SOCKSError) -> Bool {
        while !unsent.isEmpty {
            let count = unsafe Glibc.send(number, unsent, unsent.count, Int32(MSG_NOSIGNAL))
            if count < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN else { throw .unreachable(.last("write to the proxy")) }
                loop.rewatch(number, for: .writing)
                return false
            }
            unsent.removeFirst(count)
        }
        loop.rewatch(number, for: .reading)
        return true
    }

    /// Receives bytes. Returns true if more may have arrived.
    private func receive(_ number: Int32) throws(SOCKSError) -> Bool {
        var bytes = Bytes(repeating: 0, count: negotiation.missing)
        let count = unsafe recv(number, &bytes, bytes.count, 0)
        if count < 0 {
            if errno == EINTR { return true }
            guard errno == EAGAIN else { throw .unreachable(.last("read from the proxy")) }
            return false
        }
        guard count > 0 else { throw .closed }
        switch try negotiation.receive(Bytes(bytes.prefix(count))) {
        case .wait: return true
        case .send(let request):
            unsent = request
            return try send(number)
        case .connected:
            guard let socket = socket.take() else { return false }
            loop.unwatch(number)
            finish(.success(socket))
            return false
        }
    }

    private func finish(_ result: consuming Result<FileDescriptor, SOCKSError>) {
        let handler = handler
        cancel()
        handler?(result)
    }
}
