import ByteCoding
import HTTP2
import SecureTransport
import SystemIO

/// The requests and responses of one connection over HTTP/2, each on a stream of its own.
///
/// All methods are called on the loop's thread.
final class HTTPExchanges {
    /// The receiver of one response. Its methods are called in order, ``exchangeEnded(_:)`` once and last.
    protocol Receiver: AnyObject {
        /// Bytes of the body arrived. Returns false to end the exchange without further calls.
        func exchangeReceived(_ bytes: Bytes) -> Bool
        /// The peer accepted further bytes of the request.
        func exchangeSent()
        /// The response is complete, or failed.
        func exchangeEnded(_ error: FileSessionError?)
    }

    /// The number of bytes that wait in the connection at most.
    private static let largestBacklog = 128 << 10

    private let connection: TLSConnection
    private let http: HTTP2Session
    private let authority: String
    private var receivers: [HTTP2StreamID: any Receiver] = [:]
    private var isWriting = false
    private var failed: ((FileSessionError) -> Void)?

    /// Begins HTTP/2 on a secured connection, whose events go to ``handle(_:)`` from now on.
    ///
    /// - Parameter failed: Called once when the connection ends by itself.
    init(
        _ connection: TLSConnection, authority: String, failed: @escaping (FileSessionError) -> Void
    ) throws(FileSessionError) {
        self.connection = connection
        self.authority = authority
        self.failed = failed
        do throws(HTTP2Error) {
            http = try HTTP2Session(.client, limits: HTTPExchanges.limits)
        } catch {
            throw .connection(.invalidTraffic)
        }
        connection.redirect { [weak self] event in self?.handle(event) }
        connection.whenDrained = { [weak self] in self?.write() }
    }

    private static var limits: HTTP2Limits {
        var limits = HTTP2Limits()
        limits.streamWindow = 1 << 20
        limits.connectionWindow = 4 << 20
        return limits
    }

    /// Sends a request.
    ///
    /// - Parameter body: The producer of the body after the first bytes; nil for none.
    /// - Throws: ``FileSessionError``.
    func post(
        _ first: Bytes, then body: HTTP2Body? = nil, receiver: any Receiver
    ) throws(FileSessionError) -> HTTP2StreamID {
        var first: Bytes? = first
        let id: HTTP2StreamID
        do throws(HTTP2Error) {
            id = try http.request(.post("/", authority: authority)) { [weak receiver] count in
                defer { receiver?.exchangeSent() }
                if let bytes = first.take(), !bytes.isEmpty || body == nil {
                    return body == nil ? .last(bytes) : .bytes(bytes)
                }
                return body?(count) ?? .last([])
            }
        } catch {
            throw .connection(.closed)
        }
        receivers[id] = receiver
        write()
        return id
    }

    /// Ends an exchange without calling its receiver.
    func cancel(_ id: HTTP2StreamID) {
        guard receivers.removeValue(forKey: id) != nil else { return }
        // A connection that fails here reports its end by itself.
        try? http.reset(id)
        write()
    }

    /// Closes the connection without calling `failed`. All exchanges end with the error.
    func close(_ error: FileSessionError) {
        guard failed.take() != nil else { return }
        connection.close()
        endAll(error)
    }

    // MARK: - Events

    private func handle(_ event: TLSConnection.Event) {
        switch event {
        case .secured: break
        case .block(let bytes):
            do throws(HTTP2Error) {
                try http.receive(bytes)
            } catch {
                return fail(.connection(.invalidTraffic))
            }
            for event in http.takeEvents() { handle(event) }
            write()
            if http.isFinished { fail(.connection(.closed)) }
        case .closed(let error): fail(.connection(error))
        }
    }

    private func handle(_ event: HTTP2Event) {
        switch event {
        case .head(let id, let headers):
            // smp-agent.md 10.1: every response has this status.
            if headers[":status"] != "200" { end(id, .unexpectedAnswer) }
        case .body(let id, let bytes):
            if let receiver = receivers[id], !receiver.exchangeReceived(bytes) { cancel(id) }
            try? http.consume(bytes.count, of: id)
        case .end(let id):
            guard let receiver = receivers.removeValue(forKey: id) else { return }
            // A relay that rejects a command may respond before it has the whole chunk, which is not sent any further.
            try? http.reset(id, .done)
            receiver.exchangeEnded(nil)
        case .closed(let id, _): receivers.removeValue(forKey: id)?.exchangeEnded(.connection(.closed))
        case .goAway: break
        }
    }

    private func end(_ id: HTTP2StreamID, _ error: FileSessionError) {
        let receiver = receivers[id]
        cancel(id)
        receiver?.exchangeEnded(error)
    }

    /// Sends as much as the connection accepts.
    private func write() {
        // The producer of a body may end an exchange.
        guard !isWriting, failed != nil else { return }
        isWriting = true
        flush()
        isWriting = false
        let events = http.takeEvents()
        for event in events { handle(event) }
        // The receivers may have begun or cancelled exchanges.
        if !events.isEmpty { write() }
    }

    private func flush() {
        while failed != nil, connection.unsentBytes < HTTPExchanges.largestBacklog {
            do throws(HTTP2Error) {
                let bytes = try http.output()
                guard !bytes.isEmpty else { return }
                connection.send(bytes)
            } catch {
                return fail(.connection(.invalidTraffic))
            }
        }
    }

    private func fail(_ error: FileSessionError) {
        guard let failed = failed.take() else { return }
        connection.close()
        endAll(error)
        failed(error)
    }

    private func endAll(_ error: FileSessionError) {
        let waiting = receivers.values
        receivers = [:]
        for receiver in waiting { receiver.exchangeEnded(error) }
    }
}
