import SMPClient
import SMPProtocol
import SecureTransport

/// The connection of one profile to one relay. It opens a session on demand and sends commands in order.
final class RelayLink {
    private enum State {
        case idle
        case opening(any RelayChannel)
        case open(any RelayChannel)
    }

    let server: ServerAddress
    private let environment: any AgentEnvironment
    private let handler: (RelaySession.Event) -> Void
    private var state = State.idle
    /// Called after every response.
    var onAnswer: () -> Void = {}
    /// The number of commands without a response.
    private var unanswered = 0
    private var waiting: [(command: (UInt16) -> RelayRequest, finish: (RelaySession.Answer) -> Void)] = []

    var isOpen: Bool { if case .open = state { true } else { false } }

    /// True if no command waits for its response.
    var isUnused: Bool { unanswered == 0 }

    init(server: ServerAddress, environment: any AgentEnvironment, handler: @escaping (RelaySession.Event) -> Void) {
        self.server = server
        self.environment = environment
        self.handler = handler
    }

    deinit {
        close()
    }

    /// Starts a session unless there is one.
    func open() {
        guard case .idle = state else { return }
        let channel = environment.connect(to: server) { [weak self] event in self?.handle(event) }
        state = .opening(channel)
    }

    /// Sends a command when there is a session. The command fails if the session ends or cannot be opened.
    func send(_ command: RelayRequest, finish: @escaping (RelaySession.Answer) -> Void) {
        send({ _ in command }, finish: finish)
    }

    /// Sends a command that depends on the relay's version.
    func send(_ command: @escaping (UInt16) -> RelayRequest, finish: @escaping (RelaySession.Answer) -> Void) {
        unanswered += 1
        let answered: (RelaySession.Answer) -> Void = { [weak self] answer in
            self?.unanswered -= 1
            finish(answer)
            self?.onAnswer()
        }
        if case .open(let channel) = state { return channel.send(command(channel.version ?? 0), finish: answered) }
        waiting.append((command, answered))
        open()
    }

    /// Ends the session without an event; waiting commands fail.
    func close() {
        end(.connection(.closed))
    }

    private func handle(_ event: RelaySession.Event) {
        switch event {
        case .opened:
            guard case .opening(let channel) = state else { return }
            state = .open(channel)
            let commands = waiting
            waiting = []
            for (command, finish) in commands { channel.send(command(channel.version ?? 0), finish: finish) }
        case .message: break
        case .closed(let error): end(error)
        }
        handler(event)
    }

    private func end(_ error: SessionError) {
        switch state {
        case .idle: return
        case .opening(let channel), .open(let channel):
            state = .idle
            channel.close()
        }
        let commands = waiting
        waiting = []
        for (_, finish) in commands { finish(.failure(error)) }
    }
}

/// Increasing pauses between attempts.
struct Backoff {
    private let first: Duration
    private let longest: Duration
    private var attempts = 0

    /// For an unreachable relay.
    static let network = Backoff(first: .seconds(2), longest: .seconds(120))
    /// For a full queue. Its recipient reports when it is empty, so retries are the second way to notice.
    static let full = Backoff(first: .seconds(300), longest: .seconds(6 * 3600))

    /// For a queue whose recipient reported that it is empty.
    static let invited = Backoff(first: .milliseconds(200), longest: .seconds(6 * 3600))

    private init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Returns the pause before the next attempt, 1.5 times the previous one.
    mutating func next() -> Duration {
        var pause = first
        for _ in 0..<attempts where pause < longest { pause = pause * 3 / 2 }
        attempts += 1
        return min(pause, longest)
    }
}
