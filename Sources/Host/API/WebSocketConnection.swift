import ByteCoding
import SystemIO
import WebSocket

/// The server's end of one WebSocket, over a connected, non-blocking socket. Everything is on the loop's thread.
final class WebSocketConnection {
    /// The limits of a connection.
    struct Limits {
        /// The time for the opening handshake.
        var opening = Duration.seconds(10)
        /// The time in which a client reads something of what waits for it.
        var stall = Duration.seconds(60)
        /// The bytes that wait for the client at the most.
        var pending = 64 << 20
        /// The time without a byte from the client after which it is asked for a sign of life.
        var idle = Duration.seconds(30)
        /// The time for the closing handshake.
        var closing = Duration.seconds(2)
    }

    private enum State {
        case opening
        case open
        /// A close frame, or a refusal, is the last that is sent; what arrives is thrown away.
        case closing
        case closed
    }

    private static let chunk = 65536
    /// The number of places of sent frames that are kept.
    private static let sentLimit = 4096

    private let socket: FileDescriptor
    private let loop: EventLoop
    private let limits: Limits
    private let admit: (UpgradeRequest) throws(UpgradeRefusal) -> Void
    private var state = State.opening
    private var request = Bytes()
    private var reader = MessageReader(.server)
    /// What waits for the client; the first of it may have been sent in part.
    private var outgoing: [Bytes] = []
    private var outgoingStart = 0
    private var pendingSize = 0
    private var isPaused = false
    private var hasHeard = true
    private var isAsking = false
    private var deadline: Timer?
    private var stall: Timer?
    private var watch: Timer?
    private var onOpen: () -> Void = {}
    private var onText: (String) -> Void = { _ in }
    private var onClose: () -> Void = {}

    /// - Parameter admit: Throws for a request that is refused.
    init(
        socket: Int32, loop: EventLoop, limits: Limits = Limits(),
        admit: @escaping (UpgradeRequest) throws(UpgradeRefusal) -> Void
    ) {
        self.socket = FileDescriptor(owning: socket)
        self.loop = loop
        self.limits = limits
        self.admit = admit
    }

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - onOpen: Called after the opening handshake.
    ///   - onText: Gets each message.
    ///   - onClose: Called once, when the connection has ended, for whatever reason.
    func start(
        onOpen: @escaping () -> Void, onText: @escaping (String) -> Void, onClose: @escaping () -> Void
    ) throws(SystemError) {
        try loop.watch(socket.number, for: .reading) { [weak self] ready in self?.handle(ready) }
        self.onOpen = onOpen
        self.onText = onText
        self.onClose = onClose
        deadline = loop.after(limits.opening) { [weak self] in self?.refuse(.timeout) }
    }

    deinit {
        guard state != .closed else { return }
        cancelTimers()
        loop.unwatch(socket.number)
    }

    // MARK: - Sending

    /// Sends the bytes of a frame. A client that does not read is disconnected.
    func send(frame bytes: Bytes) {
        guard state == .open else { return }
        put(bytes)
    }

    /// Sends a text message.
    func send(text: Bytes) {
        send(frame: Frame(.text, text).encoded())
    }

    /// True if something waits for the client.
    var isSending: Bool { state != .closed && !outgoing.isEmpty }

    /// Begins the closing handshake.
    func close(_ code: CloseCode, _ reason: String = "") {
        guard state == .open else { return end() }
        put(Frame(.close, code.payload(reason)).encoded())
        finish()
    }

    /// Stops reading for a while, so that the client cannot send more than is worked off.
    func pause(_ isPaused: Bool) {
        guard isPaused != self.isPaused, state == .open else { return }
        self.isPaused = isPaused
        rewatch()
        // What arrived before the pause.
        if !isPaused { loop.atEndOfTurn { [weak self] in self?.takeMessages() } }
    }

    private func put(_ bytes: Bytes) {
        pendingSize += bytes.count
        // SECURITY: a client that sleeps must not fill the memory. What it misses is in the store.
        guard pendingSize <= limits.pending else { return end() }
        outgoing.append(bytes)
        flush()
    }

    private func flush() {
        while outgoingStart < outgoing.count {
            let sent: Int
            do throws(SystemError) {
                sent = try UnixSocket.send(outgoing[outgoingStart], on: socket.number)
            } catch {
                guard error.isRetry else { return end() }
                if stall == nil { stall = loop.after(limits.stall) { [weak self] in self?.end() } }
                return rewatch()
            }
            pendingSize -= sent
            stall?.cancel()
            stall = nil
            if sent == outgoing[outgoingStart].count {
                outgoing[outgoingStart] = []
                outgoingStart += 1
                // A client that is always a little behind.
                if outgoingStart == WebSocketConnection.sentLimit {
                    outgoing.removeFirst(outgoingStart)
                    outgoingStart = 0
                }
            } else {
                outgoing[outgoingStart].removeFirst(sent)
            }
        }
        outgoing.removeAll(keepingCapacity: outgoing.count < 1024)
        outgoingStart = 0
        if state == .closing { StreamSocket.endSending(socket.number) }
        rewatch()
    }

    // MARK: - Receiving

    private func handle(_ ready: EventLoop.Interest) {
        // The system reports a broken connection, whatever is asked for.
        guard !ready.isEmpty else { return end() }
        if ready.contains(.writing), state != .closed { flush() }
        if ready.contains(.reading), state != .closed { read() }
    }

    private func read() {
        let bytes: Bytes
        do throws(SystemError) {
            bytes = try socket.read(WebSocketConnection.chunk)
        } catch {
            if !error.isRetry { end() }
            return
        }
        guard !bytes.isEmpty else { return end() }
        hasHeard = true
        switch state {
        case .opening: takeRequest(bytes)
        case .open: takeFrames(bytes)
        case .closing, .closed: break
        }
    }

    private func takeRequest(_ bytes: Bytes) {
        request += bytes
        do throws(UpgradeRefusal) {
            guard let (request, size) = try UpgradeRequest.read(request) else { return }
            try admit(request)
            let rest = Bytes(self.request.dropFirst(size))
            self.request = []
            deadline?.cancel()
            deadline = nil
            put(request.response)
            guard state == .opening else { return }
            state = .open
            keepWatch()
            onOpen()
            if !rest.isEmpty, state == .open { takeFrames(rest) }
        } catch {
            refuse(error)
        }
    }

    /// Answers the opening handshake, also one that has not arrived, and ends the connection.
    func refuse(_ refusal: UpgradeRefusal) {
        guard state == .opening else { return }
        put(refusal.response)
        finish()
    }

    private func takeFrames(_ bytes: Bytes) {
        reader.take(bytes)
        takeMessages()
    }

    private func takeMessages() {
        do throws(CloseCode) {
            while state == .open, !isPaused, let incoming = try reader.next() {
                switch incoming {
                case .text(let text): onText(text)
                case .binary: return close(.unsupported, "messages are texts")
                case .ping(let payload): send(frame: Frame(.pong, payload).encoded())
                case .pong: break
                case .close(let code): close(code ?? .normal)
                }
            }
        } catch {
            close(error)
        }
    }

    /// Finds out whether a client that says nothing is there.
    private func keepWatch() {
        watch = loop.after(limits.idle) { [weak self] in
            guard let self, state == .open else { return }
            if !hasHeard, !isPaused {
                if isAsking { return end() }
                isAsking = true
                send(frame: Frame(.ping, []).encoded())
            } else {
                isAsking = false
            }
            hasHeard = false
            keepWatch()
        }
    }

    // MARK: - Ending

    /// Waits until everything is sent and the client has ended its side, for a short time.
    private func finish() {
        guard state != .closed else { return }
        state = .closing
        isPaused = false
        deadline?.cancel()
        deadline = loop.after(limits.closing) { [weak self] in self?.end() }
        if outgoing.isEmpty { StreamSocket.endSending(socket.number) }
        rewatch()
    }

    /// Ends the connection at once.
    func end() {
        guard state != .closed else { return }
        state = .closed
        cancelTimers()
        loop.unwatch(socket.number)
        outgoing = []
        let finish = onClose
        onOpen = {}
        onText = { _ in }
        onClose = {}
        finish()
    }

    private func cancelTimers() {
        for timer in [deadline, stall, watch] { timer?.cancel() }
        (deadline, stall, watch) = (nil, nil, nil)
    }

    private func rewatch() {
        guard state != .closed else { return }
        var interest: EventLoop.Interest = isPaused ? [] : .reading
        if !outgoing.isEmpty { interest.insert(.writing) }
        loop.rewatch(socket.number, for: interest)
    }
}
