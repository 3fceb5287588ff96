import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport
import SystemIO

/// A connection of the relay: TLS, the two hellos, then blocks (smp-agent.md 3.1).
///
/// It applies flow control. A client may leave a few blocks unread. Above that its next commands are neither executed
/// nor read until there is room again (``RelayCore/makeRoom(_:for:)``). A client that accepts no block for a while is
/// disconnected. A client that exceeds its rate (``Allowance``) is not read for a while.
final class ClientSession {
    private enum Stage {
        /// No byte was received yet.
        case silent
        case tls
        /// The hello of the relay was sent. The certificates are those of the client.
        case hello(RelayHandshake, X25519.PrivateKey, CertificateChain)
        case open(TransmissionSession)
        case closed
    }

    let id: ClientID
    private unowned let server: RelayServer
    private var connection: TLSConnection?
    private var stage = Stage.silent
    /// The socket, until the first byte arrives.
    private var silent: SilentSocket?
    private var cipher = BlockCipher()
    private var timer: Timer?
    /// The transmissions that were received, but not executed yet.
    private var input: ArraySlice<Received> = []
    private var commandsInTurn = 0
    private var isPaused = false
    private var willResume = false
    private var commandAllowance: Allowance
    private var byteAllowance: Allowance
    /// True if the client exceeded its rate and waits.
    private var isDelayed = false
    /// The time of the last block, or of the connection.
    private(set) var lastActive = ContinuousClock.now

    /// Waits for the first byte on an accepted socket.
    init(_ id: ClientID, _ socket: consuming FileDescriptor, of server: RelayServer) throws(ConnectionError) {
        self.id = id
        self.server = server
        commandAllowance = Allowance(rate: server.limits.commandRate, burst: server.limits.burst, at: lastActive)
        byteAllowance = Allowance(rate: server.limits.byteRate, burst: server.limits.burst, at: lastActive)
        silent = try SilentSocket(socket, on: server.loop, deadline: server.limits.handshakeDeadline) {
            [unowned self] socket in
            beginTLS(socket)
        } late: {
            [weak self] in
            self?.end()
        }
    }

    private func beginTLS(_ socket: consuming FileDescriptor) {
        silent = nil
        stage = .tls
        do throws(ConnectionError) {
            let connection = try TLSConnection(
                socket, side: .server, context: server.context, loop: server.loop, blockSize: SMP.blockSize,
                handshakeDeadline: server.limits.handshakeDeadline, writeDeadline: server.limits.writeDeadline
            ) { [unowned self] event in
                switch event {
                case .secured(let session): greet(session)
                case .block(let block): receive(block)
                case .closed: end()
                }
            }
            connection.whenDrained = { [unowned self] in resume() }
            self.connection = connection
        } catch {
            end()
        }
    }

    /// True if the hellos are complete and the connection is open.
    var isOpen: Bool {
        if case .open = stage { true } else { false }
    }

    /// Closes the connection without a report.
    func close() {
        stage = .closed
        timer?.cancel()
        silent = nil
        connection?.close()
        connection = nil
        input = []
    }

    private func end() {
        let wasOpen = isOpen
        close()
        server.sessionHasEnded(self, wasOpen: wasOpen)
    }

    // MARK: - Hellos

    private func greet(_ session: TLSSession) {
        let key = X25519.PrivateKey(random: server.random)
        let handshake = RelayHandshake(
            versions: SMP.versions, hasALPN: session.alpn != nil, sessionID: session.sessionID,
            chain: server.certificates.chain.certificates, signer: server.certificates.key, key: key)
        stage = .hello(handshake, key, session.chain)
        sendHello(handshake.hello.encoded)
        timer = server.loop.after(server.limits.handshakeDeadline) { [weak self] in self?.end() }
    }

    private func answerHello(
        _ block: Bytes, _ handshake: RelayHandshake, _ key: X25519.PrivateKey, _ certificates: CertificateChain
    ) {
        timer?.cancel()
        timer = nil
        // A hello that cannot be accepted gets no response.
        guard let hello = try? Padding.unpad(block), let client = try? handshake.accept(hello) else { return end() }
        let service: ClientService?
        do throws(TransportError) {
            service = try client.service.map { hello throws(TransportError) in
                let credentials = try ServiceCredentials(verifying: hello, presented: certificates)
                server.needsTurnEnd()
                return try server.core.service(credentials, of: id)
            }
        } catch {
            sendHello(ServiceAnswer.refused(error).encoded)
            return end()
        }
        if let service { sendHello(ServiceAnswer.accepted(serviceID: service.id).encoded) }
        cipher = client.cipher
        server.core.connect(
            id, client.transmission, relayKey: key, clientKey: client.clientKey, service: service)
        stage = .open(client.transmission)
        server.sessionIsOpen(self)
    }

    private func sendHello(_ content: Bytes) {
        // The certificates of a relay take less than 2 KB.
        guard let block = try? Padding.pad(content, to: SMP.blockSize) else { return end() }
        connection?.send(block)
    }

    // MARK: - Receiving

    private func receive(_ block: Bytes) {
        lastActive = .now
        switch stage {
        case .hello(let handshake, let key, let certificates): answerHello(block, handshake, key, certificates)
        case .open(let session):
            do throws(CryptoError) {
                input = Received.read(try cipher.open(block), session: session)[...]
            } catch {
                // Wrong padding in an authentic block is the client's mistake. A block that is not authentic is not
                // from the client.
                guard error == .invalidPadding else { return end() }
                input = [.malformed]
            }
            takeFromAllowances()
            carryOut()
        case .silent, .tls, .closed: break
        }
    }

    /// Takes the received amount from the allowances. It is executed in any case; reading continues when the allowances
    /// suffice.
    private func takeFromAllowances() {
        let delay = max(
            commandAllowance.take(input.count, at: lastActive), byteAllowance.take(SMP.blockSize, at: lastActive))
        guard delay > .zero else { return }
        server.noteDelay()
        isDelayed = true
        isPaused = true
        connection?.pauseReading()
        timer = server.loop.after(delay) { [weak self] in
            self?.isDelayed = false
            self?.resume()
        }
    }

    /// Executes the received commands, as far as the client has room for the responses.
    private func carryOut() {
        server.needsTurnEnd()
        while server.core.accepts(id), let next = input.popFirst() {
            server.core.receive(next, from: id)
            commandsInTurn += 1
        }
        if !input.isEmpty || !server.core.accepts(id) || commandsInTurn >= server.limits.fairShare {
            isPaused = true
            connection?.pauseReading()
        }
    }

    // MARK: - Sending

    /// Encrypts and sends the turn's messages for this client.
    func send(_ answers: [Answer]) {
        guard case .open(let session) = stage else { return }
        for part in Batch.parts(answers.map { $0.encoded(in: session) }) {
            guard case .block(let content, _) = part, let block = try? cipher.seal(content) else {
                preconditionFailure("an encoded answer fits into a block")
            }
            connection?.send(block)
        }
        commandsInTurn = 0
        // Sending may have ended the connection.
        guard isOpen else { return }
        // SECURITY: events take no room in the window. The client has to read them or is disconnected; its next
        // subscription repeats the messages. Responses to forwarded commands, which the client requested, take none
        // either.
        let limits = server.limits
        guard unsentBlocks <= limits.window + limits.unreadEvents + limits.proxy.requestsPerClient else { return end() }
        if isPaused || server.core.hasWaiting(id) {
            // Without room the connection reports when its blocks were accepted.
            if freeBlocks > 0 { resumeLater() }
        } else {
            server.core.makeRoom(freeBlocks, for: id)
        }
    }

    /// The number of further blocks that may be sent.
    private var freeBlocks: Int {
        max(0, server.limits.window - unsentBlocks)
    }

    private var unsentBlocks: Int {
        ((connection?.unsentBytes ?? 0) + SMP.blockSize - 1) / SMP.blockSize
    }

    private func resumeLater() {
        guard !willResume else { return }
        willResume = true
        server.loop.after(.zero) { [weak self] in
            self?.willResume = false
            self?.resume()
        }
    }

    /// Resumes after a turn that ended for lack of room or for fairness.
    private func resume() {
        guard isOpen else { return }
        commandsInTurn = 0
        server.core.makeRoom(freeBlocks, for: id)
        if server.core.hasFurtherQueues(id), freeBlocks > 0 { resumeLater() }
        if !input.isEmpty { carryOut() }
        server.needsTurnEnd()
        if input.isEmpty, !isDelayed, server.core.accepts(id) {
            isPaused = false
            connection?.resumeReading()
        }
    }
}
