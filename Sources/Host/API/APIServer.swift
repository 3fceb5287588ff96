public import ByteCoding
public import ChatCore
import JSONCoding
import SecureTransport
import SystemIO
import WebSocket

/// Offers an open store to clients of the official API over WebSocket. On the loop's thread.
public final class APIServer: @unchecked Sendable {
    // Safe because it is only touched on the loop's thread.

    /// Who may connect.
    public struct Admission: Sendable {
        /// The token that clients send; nil if none is needed.
        public var token: Bytes?
        /// The pages that browsers may run: `https://example.org`.
        public var origins: [String] = []

        public init(token: Bytes? = nil, origins: [String] = []) {
            self.token = token
            self.origins = origins
        }

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

    /// The most clients at a time, and the most connections in their handshakes: of this user, and of others.
    private static let clientLimit = 100, newcomerLimit = 100

    private let store: OpenStore
    private let admission: Admission
    private let paths: APIFilePaths
    private var listener: APIListener?
    private var clients: [ObjectIdentifier: APIClient] = [:]
    /// All connections, with those that have not finished the handshake.
    private var connections: [ObjectIdentifier: WebSocketConnection] = [:]
    /// The connections that are not clients, the oldest first.
    private var newcomers: [(key: ObjectIdentifier, source: Source)] = []
    private var listening: Listeners<any ChatEvent>.Listening?
    /// The events that came while no client was there, for the next one; the oldest first.
    private var held: [Bytes] = []
    private var heldSize = 0

    /// The most bytes of events that are held. What is older is in the store all the same.
    private static let heldLimit = 1 << 20

    /// The origin of a connection.
    private enum Source: Hashable {
        /// A process of this user.
        case user
        /// Another user of this machine, or another machine.
        case network(IPNetwork?)
    }

    /// Begins to listen.
    ///
    /// - Throws: ``ListenFailure``.
    public init(
        _ store: OpenStore, at address: ListenAddress, _ admission: Admission, _ paths: APIFilePaths
    ) throws(ListenFailure) {
        self.store = store
        self.admission = admission
        self.paths = paths
        listener = try APIListener(address, store.loop) { [weak self] socket in
            guard let self else {
                _ = FileDescriptor(owning: socket)
                return
            }
            accept(socket, isPort: address.isPort)
        }
        listening = store.events.listen { [weak self] event in self?.tell(event) }
    }

    /// The address at which it listens.
    public var address: ListenAddress? { listener?.address }

    private static func isOwn(_ socket: Int32) -> Bool {
        LocalPeer.isConnected(socket, to: ProcessEnvironment.userID)
    }

    private func accept(_ socket: Int32, isPort: Bool) {
        // The listener of a Unix socket accepts this user only.
        let isOwn = !isPort || APIServer.isOwn(socket)
        let source = isOwn ? Source.user : .network(IPAddress(ofPeer: socket)?.network)
        makeRoom(for: source)
        let connection = WebSocketConnection(socket: socket, loop: store.loop) {
            [weak self, admission] request throws(UpgradeRefusal) in
            try admission.check(request)
            guard let self, clients.count < APIServer.clientLimit else { throw .unavailable }
        }
        let key = ObjectIdentifier(connection)
        let client = APIClient(connection, store, paths)
        // SECURITY: a process that connects, sends a command and ends may be of any user. So the user is asked again when
        // the first command is there, and only the user of an open connection counts.
        var isCertain = !isPort || admission.token != nil
        do throws(SystemError) {
            try connection.start(
                onOpen: { [weak self] in
                    guard let self else { return }
                    newcomers.removeAll { $0.key == key }
                    clients[key] = client
                    for frame in held { connection.send(frame: frame) }
                    (held, heldSize) = ([], 0)
                },
                onText: { [weak connection] text in
                    guard isCertain || APIServer.isOwn(socket) else {
                        connection?.close(.policy, "the client has ended its side")
                        return
                    }
                    isCertain = true
                    client.take(text)
                },
                onClose: { [weak self] in
                    client.end()
                    self?.newcomers.removeAll { $0.key == key }
                    self?.clients[key] = nil
                    self?.connections[key] = nil
                })
            connections[key] = connection
            newcomers.append((key, source))
            // SECURITY: without a token only this user may connect, as at the control socket.
            if !isOwn, admission.token == nil { connection.refuse(.forbidden) }
        } catch {
            // Without it the connection is closed at once.
        }
    }

    /// Ends the oldest connection in its handshake if there are too many: of this user for one of this user, and otherwise
    /// of the network that has the most.
    private func makeRoom(for source: Source) {
        let rivals = newcomers.filter { ($0.source == .user) == (source == .user) }
        guard rivals.count >= APIServer.newcomerLimit else { return }
        let counts = Dictionary(grouping: rivals, by: \.source).mapValues(\.count)
        let most = counts.values.max()
        if let oldest = rivals.first(where: { counts[$0.source] == most }) { connections[oldest.key]?.end() }
    }

    private func tell(_ event: any ChatEvent) {
        let body: JSONObject = ["resp": .object(paths.apply(to: event.json))]
        let frame = Frame(.text, body.encoded).encoded()
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
    public func close(within timeout: Duration = .seconds(2)) async {
        listener = nil
        let deadline = ContinuousClock.now + timeout
        for client in clients.values { client.cancel() }
        while clients.values.contains(where: \.isBusy), ContinuousClock.now < deadline {
            await store.pause(.milliseconds(10))
        }
        listening?.end()
        for connection in connections.values { connection.close(.goingAway) }
        while !connections.isEmpty, ContinuousClock.now < deadline { await store.pause(.milliseconds(10)) }
    }
}
