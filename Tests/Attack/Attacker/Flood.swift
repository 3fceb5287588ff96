import ByteCoding
import CryptoCore
import Glibc
import SMPProtocol
import SecureTransport
import SystemIO

/// Clients that ask too much of a relay, until standard input ends.
///
///     attacker flood FORM smp://... [CLIENTS]
///
/// FORM is `commands`, `new`, `send`, `steal`, `garbage`, `deaf` (reads nothing) or `proxy`. The clients connect from 127.0.0.2.
/// Prints `ready` when they are connected, and at the end what they were answered.
enum FloodCommand {
    private static let source = "127.0.0.2"
    /// How much one client lets wait.
    private static let window = 4 * SMP.blockSize

    static func run(_ words: [String]) throws {
        guard words.count >= 2, let server = try? ConfiguredServer(text: words[1]).address else {
            stop("flood: name a form and a relay")
        }
        _ = DescriptorLimit.raise()
        let count = words.count > 2 ? Int(words[2]) ?? 20 : 20
        let loop = try EventLoop(), context = try TLSContext(clientOf: SMP.alpn)
        var hasEnded = false
        try loop.watch(0, for: .reading) { _ in
            var byte: UInt8 = 0
            hasEnded = unsafe read(0, &byte, 1) < 1
        }
        let clients = try (0..<count).map { _ in try FloodClient(server, from: source, context: context, loop: loop) }
        loop.run { hasEnded || clients.allSatisfy { $0.session != nil || $0.hasEnded } }
        guard let form = try Form(words[0], clients, loop) else { stop("flood: there is no form \(words[0])") }
        say("ready")
        var sent = 0, reconnected = clients
        func step() {
            guard !hasEnded else { return }
            for index in reconnected.indices {
                let client = reconnected[index]
                if client.hasEnded, let again = try? FloodClient(server, from: source, context: context, loop: loop) {
                    reconnected[index] = again
                } else if client.session != nil, client.unsentBytes < window {
                    form.send(client, index)
                    sent += 1
                }
            }
            loop.after(.milliseconds(1), step)
        }
        step()
        loop.run { hasEnded }
        let all = clients + reconnected.filter { client in !clients.contains { $0 === client } }
        say("blocks \(sent) answers \(all.reduce(0) { $0 + $1.answers }) errors \(all.reduce(0) { $0 + $1.errors })")
    }

    /// What the clients send, block by block.
    private final class Form {
        let send: (FloodClient, Int) -> Void

        init?(_ name: String, _ clients: [FloodClient], _ loop: EventLoop) throws {
            let random = SystemRandom()
            let key = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: random))
            func new() -> ClientCommand {
                .new(
                    NewQueue(
                        recipientKey: key.publicKey, dhKey: X25519.PrivateKey(random: random).publicKey, password: nil,
                        subscription: .createOnly, request: QueueRequest(mode: .messaging)))
            }
            func queue() -> QueueIDs? {
                var ids: QueueIDs?, isLate = false
                guard let client = clients.first(where: { $0.session != nil }) else { return nil }
                client.handler = { _, _, message in if case .ids(let made) = message { ids = made } }
                client.send([(new(), .empty, key)])
                loop.after(.seconds(20)) { isLate = true }
                loop.run { ids != nil || isLate || client.hasEnded }
                client.handler = nil
                return ids
            }
            switch name {
            case "commands":
                send = { client, _ in client.send(Array(repeating: (.ping, .empty, nil), count: 250)) }
            case "new":
                send = { client, _ in client.send((0..<40).map { _ in (new(), .empty, key) }) }
            case "send":
                guard let ids = queue() else { return nil }
                let body = Bytes(repeating: 65, count: 16_000)
                send = { client, _ in
                    client.send([(.send(MessageFlags(notifies: true), body: body), ids.senderID, nil)])
                }
            case "steal":
                guard let ids = queue() else { return nil }
                send = { client, _ in client.send(Array(repeating: (.sub, ids.recipientID, key), count: 60)) }
            case "garbage":
                send = { client, index in
                    switch index % 3 {
                    case 0: client.sendContent(random.bytes(1000))
                    case 1: client.sendContent(Bytes(repeating: 255, count: 16_000))
                    default: client.sendRaw(random.bytes(SMP.blockSize))
                    }
                }
            case "deaf":
                guard let ids = queue(), let first = clients.first else { return nil }
                let body = Bytes(repeating: 65, count: 16_000)
                first.send([(.send(MessageFlags(notifies: true), body: body), ids.senderID, nil)])
                for client in clients { client.stopReading() }
                send = { client, _ in client.send(Array(repeating: (.get, ids.recipientID, key), count: 60)) }
            case "proxy":
                var number: UInt32 = 0
                send = { client, _ in
                    client.send(
                        (0..<20).map { _ in
                            number &+= 1
                            let fingerprint = Bytes(
                                (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) })
                            let host = TransportHost.ipv4("127.\(number % 200 + 10).\(number / 200 % 250).1")
                            let address = ServerAddress(hosts: [host], port: 1, fingerprint: fingerprint)
                            return (.prxy(address, password: nil), .empty, nil)
                        })
                }
            default: return nil
            }
        }
    }
}

/// A client that does what clients do, and measures how long that takes, until standard input ends.
///
///     attacker honest smp://... [DESTINATION]
///
/// Each round connects, makes a queue, sends ten messages to it, receives and acknowledges them. With a destination (another relay)
/// it asks for a session with that in each round, too. Ends with 1 if a step takes more than 20 s. Prints `ready` after the first
/// round, `again` after the second, and at the end the number of messages and of rounds, and medians and 99th percentiles in
/// milliseconds.
enum HonestCommand {
    static func run(_ words: [String]) throws {
        guard let word = words.first, let server = try? ConfiguredServer(text: word).address else {
            stop("honest: name a relay")
        }
        let destination = words.count > 1 ? try? ConfiguredServer(text: words[1]).address : nil
        let loop = try EventLoop(), context = try TLSContext(clientOf: SMP.alpn)
        var hasEnded = false
        try loop.watch(0, for: .reading) { _ in
            var byte: UInt8 = 0
            hasEnded = unsafe read(0, &byte, 1) < 1
        }
        var messages: [Double] = [], openings: [Double] = [], sessions: [Double] = []
        while !hasEnded {
            let client = try step("connecting", loop, &openings) {
                try FloodClient(server, from: "127.0.0.1", context: context, loop: loop)
            } until: {
                $0.session != nil || $0.hasEnded
            }
            guard client.session != nil else { stop("honest: the relay closes the connection") }
            try exchange(client, loop, &messages)
            if let destination {
                var answer: RelayMessage?
                client.handler = { _, _, message in answer = message }
                _ = try step("a session with another relay", loop, &sessions) {
                    client.send([(.prxy(destination, password: nil), .empty, nil)])
                } until: { _ in
                    answer != nil || client.hasEnded
                }
                guard case .pkey = answer else {
                    stop("honest: no session with another relay: \(String(describing: answer))")
                }
            }
            client.close()
            if openings.count <= 2 { say(openings.count == 1 ? "ready" : "again") }
        }
        say("rounds \(openings.count) messages \(messages.count)")
        report([("connect", openings), ("message", messages), ("session", sessions)])
    }

    /// Prints the median, the 99th percentile and the largest of times in milliseconds.
    static func report(_ all: [(name: String, times: [Double])]) {
        for (name, times) in all where !times.isEmpty {
            let sorted = times.sorted()
            let median = sorted[sorted.count / 2], high = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
            say("\(name) p50 \(tenths(median)) p99 \(tenths(high)) max \(tenths(sorted[sorted.count - 1]))")
        }
    }

    private static func exchange(_ client: FloodClient, _ loop: EventLoop, _ times: inout [Double]) throws {
        let random = SystemRandom()
        let key = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: random))
        var ids: QueueIDs?, message: EntityID?, isDone = false, unneeded: [Double] = [], refusal: ProtocolError?
        client.handler = { _, _, answer in
            switch answer {
            case .ids(let made): ids = made
            case .msg(let encrypted): message = encrypted.messageID
            case .ok: isDone = true
            case .err(let error): refusal = error
            default: break
            }
        }
        let new = NewQueue(
            recipientKey: key.publicKey, dhKey: X25519.PrivateKey(random: random).publicKey, password: nil,
            subscription: .subscribe, request: QueueRequest(mode: .messaging))
        func wait(_ what: String, _ times: inout [Double], _ start: () -> [CorrelationID], until isOver: () -> Bool)
            throws
        {
            _ = try step(what, loop, &times, start) { _ in isOver() || client.hasEnded || refusal != nil }
            if let refusal { stop("honest: \(what): \(refusal)") }
            if client.hasEnded { stop("honest: \(what): the relay closes the connection") }
        }
        try wait("NEW", &unneeded) {
            client.send([(.new(new), .empty, key)])
        } until: {
            ids != nil
        }
        guard let ids else { return }
        for _ in 0..<10 {
            message = nil
            try wait("SEND", &times) {
                client.send([(.send(MessageFlags(notifies: false), body: Bytes("hello".utf8)), ids.senderID, nil)])
            } until: {
                message != nil
            }
            guard let id = message else { return }
            // The answer to SEND may come before or after the message.
            isDone = false
            try wait("ACK", &unneeded) {
                client.send([(.ack(messageID: id), ids.recipientID, key)])
            } until: {
                isDone
            }
        }
        isDone = false
        try wait("DEL", &unneeded) {
            client.send([(.del, ids.recipientID, key)])
        } until: {
            isDone
        }
    }

    /// Starts something, waits until it is over, and notes the milliseconds.
    static func step<Value>(
        _ what: String, _ loop: EventLoop, _ times: inout [Double], _ start: () throws -> Value,
        until isOver: (Value) -> Bool
    ) throws -> Value {
        let begin = ContinuousClock.now, value = try start()
        var isLate = false
        let timer = loop.after(.seconds(20)) { isLate = true }
        loop.run { isLate || isOver(value) }
        timer.cancel()
        guard !isLate else { stop("honest: \(what) takes more than 20 s") }
        times.append((ContinuousClock.now - begin) / .milliseconds(1))
        return value
    }

    private static func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}
