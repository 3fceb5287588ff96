import ByteCoding
public import CryptoCore
public import SMPProtocol
public import SecureTransport
public import SystemIO

/// A connection to one relay (smp-agent.md 3 and 4). It starts to connect on creation.
///
/// All methods are called on the loop's thread.
public final class RelaySession {
    /// An event of a session.
    public enum Event {
        /// The session is open for commands.
        case opened
        /// A message for an entity that is not a response.
        case message(EntityID, RelayMessage)
        /// The session could not be opened or has ended; the last event.
        case closed(SessionError)
    }

    /// The response to a command, or the reason of its failure.
    public typealias Answer = Result<RelayMessage, SessionError>

    private struct Pending {
        let entityID: EntityID
        /// The timer of a response from another relay; nil for a response of this relay.
        let timer: Timer?
        let finish: (Answer) -> Void
    }

    private enum State {
        case opening(SessionOpening)
        case open(TLSConnection, SMPSession)
        case closed
    }

    /// The relay.
    public let server: ServerAddress
    private let parameters: SessionParameters
    private let loop: EventLoop
    private let random: any RandomSource
    private var state = State.closed
    private var cipher = BlockCipher()
    private var handler: ((Event) -> Void)?
    /// The largest number of blocks in a row without a response, for a client that forwards commands.
    private static let mostUnaskedBlocks = 64
    private var unaskedBlocks = 0
    /// The number of responses received.
    private var answers = 0
    private var pending: [CorrelationID: Pending] = [:]
    private var unsent: [Bytes] = []
    private var timer: Timer?
    private var lastProgress = ContinuousClock.now

    /// The result of the handshake, while the session is open.
    public var session: SMPSession? {
        if case .open(_, let session) = state { session } else { nil }
    }

    /// The agreed version, while the session is open.
    public var version: UInt16? { session?.version }

    /// Creates a session and starts to connect.
    ///
    /// - Parameters:
    ///   - admits: Decides on each address of the relay; nil admits all.
    ///   - handler: Called with each event of the session.
    public init(
        with server: ServerAddress, parameters: SessionParameters, loop: EventLoop, random: any RandomSource,
        admits: ((IPAddress) -> Bool)? = nil, handler: @escaping (Event) -> Void
    ) {
        self.server = server
        self.parameters = parameters
        self.loop = loop
        self.random = random
        self.handler = handler
        let opening = SessionOpening(
            server, parameters: parameters, loop: loop, random: random, admits: admits
        ) { [weak self] result in self?.finishOpening(result) }
        state = .opening(opening)
    }

    private func finishOpening(_ result: Result<SessionOpening.Opened, SessionError>) {
        switch result {
        case .success((let connection, let session)):
            state = .open(connection, session)
            cipher = session.cipher
            connection.redirect { [weak self] event in self?.handle(event) }
            handler?(.opened)
        case .failure(let error): end(with: error, reporting: true)
        }
    }

    deinit {
        close()
    }

    /// Ends the session without an event. Commands without a response fail with ``SessionError/connection(_:)``.
    public func close() {
        end(with: .connection(.closed), reporting: false)
    }

    // MARK: - Commands

    /// Sends a command and waits for its response. Several commands in one turn of the loop share blocks.
    ///
    /// - Throws: ``SessionError``.
    public func request(_ command: RelayRequest) async throws(SessionError) -> RelayMessage {
        let answer: Answer = await withCheckedContinuation { continuation in
            send(command) { continuation.resume(returning: $0) }
        }
        return try answer.get()
    }

    /// Sends a command and calls `finish` once with the response. `ERR` is ``SessionError/refused(_:)``.
    public func send(_ command: RelayRequest, finish: @escaping (Answer) -> Void) {
        let correlationID = command.correlationID ?? CorrelationID(random: random)
        guard case .open(_, let session) = state, pending[correlationID] == nil else {
            return finish(.failure(.connection(.closed)))
        }
        let transmission: Bytes
        do throws(SessionError) {
            transmission = try encode(command, correlationID, session)
        } catch {
            return finish(.failure(error))
        }
        let forwardedTimer = command.isAnsweredByAnother ? startForwardedTimer(correlationID) : nil
        pending[correlationID] = Pending(entityID: command.entityID, timer: forwardedTimer, finish: finish)
        if unsent.isEmpty { loop.atEndOfTurn { [weak self] in self?.flush() } }
        unsent.append(transmission)
        if timer == nil, isOwedAnAnswer { startTimer() }
    }

    private func encode(
        _ command: RelayRequest, _ correlationID: CorrelationID, _ session: SMPSession
    ) throws(SessionError) -> Bytes {
        let encoded = try command.encoded(correlationID, in: session.transmission, relayKey: session.relayKey)
        guard encoded.count + 2 <= Batch.capacity else { throw .tooLarge }
        return encoded
    }

    private func flush() {
        let transmissions = unsent
        unsent = []
        guard case .open(let connection, _) = state else { return }
        for part in Batch.parts(transmissions) {
            guard case .block(let content, _) = part else { continue }
            do throws(CryptoError) {
                connection.send(try cipher.seal(content))
            } catch {
                return end(with: .connection(.invalidTraffic), reporting: true)
            }
        }
    }

    // MARK: - Received messages

    private func handle(_ event: TLSConnection.Event) {
        switch event {
        case .secured: break
        case .block(let block): receive(block)
        case .closed(let error): end(with: .connection(error), reporting: true)
        }
    }

    private func receive(_ block: Bytes) {
        guard case .open(_, let session) = state else { return }
        // After an invalid block the two sides disagree about the state of the session.
        guard let content = try? cipher.open(block),
            let transmissions = try? Batch.transmissions(of: content)
        else { return end(with: .connection(.invalidTraffic), reporting: true) }
        let answered = answers
        for bytes in transmissions {
            guard let transmission = try? Transmission(decoding: bytes, session: session.transmission) else { continue }
            deliver(transmission, version: session.version)
        }
        // SECURITY: a relay sends only responses to a proxy, some of them late. It could send others without end.
        unaskedBlocks = answers == answered ? unaskedBlocks + 1 : 0
        if parameters.isProxy, unaskedBlocks > RelaySession.mostUnaskedBlocks {
            return end(with: .connection(.invalidTraffic), reporting: true)
        }
        if !isOwedAnAnswer { stopTimer() }
    }

    private func deliver(_ transmission: Transmission, version: UInt16) {
        let answer = transmission.answer(version: version)
        guard !transmission.correlationID.isEmpty else {
            // Unknown events are for newer clients.
            if case .success(let message) = answer { handler?(.message(transmission.entityID, message)) }
            return
        }
        guard let waiting = pending.removeValue(forKey: transmission.correlationID) else {
            // A message in a late response must still be acknowledged by the receiver.
            if case .success(let message) = answer { handler?(.message(transmission.entityID, message)) }
            return
        }
        answers += 1
        // SECURITY: only requested messages count as progress. Otherwise a relay could delay a command without end.
        lastProgress = .now
        waiting.timer?.cancel()
        waiting.finish(answer)
    }

    // MARK: - Deadlines and the end

    /// True if the relay itself owes a response.
    private var isOwedAnAnswer: Bool { pending.values.contains { $0.timer == nil } }

    /// Starts the timer of a response from another relay, which takes longer and shows little about this one.
    private func startForwardedTimer(_ correlationID: CorrelationID) -> Timer {
        loop.after(parameters.forwardedDeadline) { [weak self] in
            guard let self, let command = pending.removeValue(forKey: correlationID) else { return }
            // This relay may be gone: its own responses show that.
            send(.ping) { _ in }
            command.finish(.failure(.timedOut))
        }
    }

    /// Starts the timer for the responses of this relay. The relay responds in order, so any response is progress of
    /// all commands.
    private func startTimer() {
        lastProgress = .now
        scheduleTimer(after: parameters.answerDeadline)
    }

    private func scheduleTimer(after delay: Duration) {
        timer = loop.after(delay) { [weak self] in
            guard let self, isOwedAnAnswer else { return }
            let waited = ContinuousClock.now - lastProgress
            guard waited >= parameters.answerDeadline else {
                return scheduleTimer(after: parameters.answerDeadline - waited)
            }
            end(with: .timedOut, reporting: true)
        }
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    private func end(with error: SessionError, reporting: Bool) {
        switch state {
        case .opening(let opening): opening.cancel()
        case .open(let connection, _): connection.close()
        case .closed: return
        }
        state = .closed
        stopTimer()
        unsent = []
        let handler = handler
        self.handler = nil
        let waiting = pending.values
        pending = [:]
        for command in waiting {
            command.timer?.cancel()
            command.finish(.failure(error))
        }
        if reporting { handler?(.closed(error)) }
    }
}
