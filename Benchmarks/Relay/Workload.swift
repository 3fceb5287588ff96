import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport
import SystemIO

/// Connections in a ring: each has a queue, and sends to the queue of the next one, with a fixed number of messages in
/// flight. A message is done when its recipient has acknowledged it and knows that the relay has taken note.
final class Workload {
    struct Result {
        var messages = 0
        var seconds = 0.0
        /// From the moment before SEND to the answer to ACK, in milliseconds, sorted.
        var latencies: [Double] = []

        func latency(_ part: Double) -> Double {
            latencies.isEmpty ? 0 : latencies[min(latencies.count - 1, Int(Double(latencies.count) * part))]
        }
    }

    /// A queue, with the keys of both its sides.
    private final class Line {
        let recipient: BenchClient
        let sender: BenchClient
        let recipientKey: AuthorizationPrivateKey
        let senderKey: AuthorizationPrivateKey?
        var recipientID = EntityID.empty
        var senderID = EntityID.empty
        var started: [ContinuousClock.Instant] = []

        init(_ recipient: BenchClient, _ sender: BenchClient, _ options: Options, _ random: any RandomSource) {
            self.recipient = recipient
            self.sender = sender
            recipientKey = options.keys.make(random)
            senderKey = options.isSecured ? options.keys.make(random) : nil
        }
    }

    private let options: Options
    private let password: ServerPassword?
    private let loop: EventLoop
    private let lines: [Line]
    private let body: Bytes
    private var ready = 0
    private var isRunning = false
    private var inFlight = 0
    private var result = Result()

    init(_ clients: [BenchClient], _ loop: EventLoop, _ options: Options, password: ServerPassword?) {
        self.options = options
        self.password = password
        self.loop = loop
        let random = SystemRandom()
        // The size of what the apps send.
        body = random.bytes(16043)
        lines = clients.indices.map { index in
            Line(clients[index], clients[(index + 1) % clients.count], options, random)
        }
    }

    /// Makes the queues, which their recipients are subscribed to from then on.
    func makeQueues() {
        for line in lines { prepare(line) }
        loop.run { ready == lines.count }
    }

    /// Sends for some seconds and waits for what is in flight.
    func run() -> Result {
        let start = ContinuousClock.now
        isRunning = true
        loop.after(.seconds(options.seconds)) { self.isRunning = false }
        for line in lines {
            for _ in 0..<options.window { send(line) }
        }
        loop.run { !isRunning && inFlight == 0 }
        result.seconds = (ContinuousClock.now - start).seconds
        result.latencies.sort()
        return result
    }

    func deleteQueues() {
        for line in lines {
            line.recipient.ask(.del, of: line.recipientID, key: line.recipientKey) { _ in self.ready -= 1 }
        }
        loop.run { ready == 0 }
    }

    private func prepare(_ line: Line) {
        let dhKey = X25519.PrivateKey(random: SystemRandom())
        let new = NewQueue(
            recipientKey: line.recipientKey.publicKey, dhKey: dhKey.publicKey, password: password,
            request: QueueRequest(mode: .messaging))
        let previous = line.recipient.whenEvent
        line.recipient.ask(.new(new), of: .empty, key: line.recipientKey) { answer in
            guard case .ids(let ids) = answer else { stop("no queue: \(answer.tag)") }
            line.recipientID = ids.recipientID
            line.senderID = ids.senderID
            guard let key = line.senderKey else { return self.ready += 1 }
            line.sender.ask(.skey(key.publicKey), of: ids.senderID, key: key) { _ in self.ready += 1 }
        }
        line.recipient.whenEvent = { [weak self] entityID, message in
            if case .msg(let message) = message, entityID == line.recipientID {
                self?.received(message, line)
            } else {
                previous?(entityID, message)
            }
        }
    }

    private func send(_ line: Line) {
        inFlight += 1
        line.started.append(.now)
        line.sender.ask(.send(MessageFlags(notifies: false), body: body), of: line.senderID, key: line.senderKey) {
            answer in
            guard answer == .ok else { stop("a message was refused: \(answer.tag)") }
        }
    }

    private func received(_ message: EncryptedMessage, _ line: Line) {
        line.recipient.ask(.ack(messageID: message.messageID), of: line.recipientID, key: line.recipientKey) { answer in
            self.inFlight -= 1
            self.result.messages += 1
            self.result.latencies.append((ContinuousClock.now - line.started.removeFirst()).seconds * 1000)
            if case .msg(let next) = answer { self.received(next, line) }
            if self.isRunning { self.send(line) }
        }
    }
}

extension Options.Keys {
    fileprivate func make(_ random: any RandomSource) -> AuthorizationPrivateKey {
        switch self {
        case .ed25519: .ed25519(Ed25519.PrivateKey(random: random))
        case .x25519: .x25519(X25519.PrivateKey(random: random))
        }
    }
}

extension Duration {
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
