import ByteCoding
import ChatCore
import JSONCoding
import SecureTransport
import SystemIO
import WebSocket

/// Offers an open store to clients of the official API over WebSocket. On the loop's thread.
final class APIServer: @unchecked Sendable {
    // Safe because it is only touched on the loop's thread.

    /// Who may connect.
    struct Admission: Sendable {
        /// The token that clients send; nil if none is needed.
        var token: Bytes?
        /// The pages that browsers may run: `https://example.org`.
        var origins: [String] = []

        /// - Throws: The answer to a client that may not connect.
        func check(_ request: UpgradeRequest) throws(UpgradeRefusal) {
            // SECURITY: every page that the user opens can connect to this machine; its browser says which page it is.
            if let origin = request.origin, !origins.contains(origin) { throw .forbidden }
            guard let token else { return }
            let words = (request.authorization ?? "").split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == "bearer",
                constantTimeEqual(Bytes(words[1].utf8), token)
            else { throw .unauthorized }
        }
    }

    /// The most clients at a time, and the most connections with those that are still in their handshakes.
    private static let clientLimit = 100, connectionLimit = 200

    private let host: StoreHost
    private var listener: Listener?
    private var clients: [ObjectIdentifier: APIClient] = [:]
    /// All connections, with those that have not finished the handshake.
    private var connections: [ObjectIdentifier: WebSocketConnection] = [:]
    private var listening: Listeners<any ChatEvent>.Listening?
    /// The events that came while no client was there, for the next one; the oldest first.
    private var held: [Bytes] = []
    private var heldSize = 0

    /// The most bytes of events that are held. What is older is in the store all the same.
    private static let heldLimit = 1 << 20

    /// Begins to listen.
    ///
    /// - Throws: ``ConnectionError``.
    init(_ host: StoreHost, at address: ListenAddress, _ admission: Admission) throws(ConnectionError) {
        self.host = host
        listener = try Listener(host: address.host, port: address.port, loop: host.loop) { [weak self] socket in
            guard let self, connections.count < APIServer.connectionLimit else {
                _ = FileDescriptor(owning: socket)
                return
            }
            accept(socket, admission)
        }
        listening = host.events.listen { [weak self] event in self?.tell(event) }
    }

    /// The port at which it listens.
    var port: UInt16 { listener?.port ?? 0 }

    private func accept(_ socket: Int32, _ admission: Admission) {
        let connection = WebSocketConnection(socket: socket, loop: host.loop) {
            [weak self] request throws(UpgradeRefusal) in
            try admission.check(request)
            // SECURITY: without a token only this user may connect, as at the control socket, and root, who may do anything.
            if admission.token == nil, let user = LocalPeer.user(of: socket),
                user != 0, user != ProcessEnvironment.userID
            {
                throw .forbidden
            }
            guard let self, clients.count < APIServer.clientLimit else { throw .unavailable }
        }
        let key = ObjectIdentifier(connection)
        let client = APIClient(connection, host)
        do throws(SystemError) {
            try connection.start(
                onOpen: { [weak self] in
                    guard let self else { return }
                    clients[key] = client
                    for frame in held { connection.send(frame: frame) }
                    (held, heldSize) = ([], 0)
                },
                onText: { client.take($0) },
                onClose: { [weak self] in
                    client.end()
                    self?.clients[key] = nil
                    self?.connections[key] = nil
                })
            connections[key] = connection
        } catch {
            // Without it the connection is closed at once.
        }
    }

    private func tell(_ event: any ChatEvent) {
        let frame = Frame(.text, JSONObject(dictionaryLiteral: ("resp", .object(event.json))).encoded).encoded()
        guard !clients.isEmpty else { return hold(frame) }
        for client in clients.values { client.connection.send(frame: frame) }
    }

    /// Keeps an event for the next client: a bot that starts a core must not miss what comes before it is connected.
    private func hold(_ frame: Bytes) {
        held.append(frame)
        heldSize += frame.count
        while heldSize > APIServer.heldLimit, !held.isEmpty { heldSize -= held.removeFirst().count }
    }

    /// Takes no more clients, has the commands that are being carried out come to an end, and says goodbye.
    func close(within timeout: Duration = .seconds(2)) async {
        listener = nil
        let deadline = ContinuousClock.now + timeout
        for client in clients.values { client.cancel() }
        while clients.values.contains(where: \.isBusy), ContinuousClock.now < deadline {
            await host.pause(.milliseconds(10))
        }
        listening?.end()
        for connection in connections.values { connection.close(.goingAway) }
        while !connections.isEmpty, ContinuousClock.now < deadline { await host.pause(.milliseconds(10)) }
    }
}
