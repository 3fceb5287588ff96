import ByteCoding
import CryptoCore
import Relay
import SMPProtocol
import TestSupport
import Testing

/// One run of core and model side by side.
final class ModelRun {
    private static let quota = 4
    private static let strangers = 2

    private let seed: UInt64
    private var random: SeededRandom
    private let world: CoreWorld
    private var clients: [CoreClient] = []
    private var model = RelayModel(quota: ModelRun.quota)
    /// The model at the end of the last turn.
    private var committed = RelayModel(quota: ModelRun.quota)
    private let keys: [AuthorizationPrivateKey]
    private let dhKey: X25519.PrivateKey
    private var queues: [Int: TestQueue] = [:]
    private var notifiers: [Int: EntityID] = [:]
    private var links: [Int: EntityID] = [:]
    private var ids: [Int: EntityID] = [:]
    private var lastNumber = 0
    private(set) var commands = 0
    private(set) var crashes = 0
    private(set) var seen: [String: Int] = [:]
    private var expected: [Int: [(CorrelationID, RelayModel.Told)]] = [:]

    init(_ path: String, seed: UInt64) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        var rules = RelayRules()
        rules.quota = ModelRun.quota
        // So small that queues and bodies are read from the file again and again.
        rules.cachedQueues = 3
        rules.freshMessages = 2
        world = try CoreWorld(path, seed: seed, rules: rules)
        let source = world.random
        keys = (0..<12).map { index in
            QueueRuleTests.makeKey(index == 0 ? "ed448" : index < 3 ? "x25519" : "ed25519", source)
        }
        dhKey = X25519.PrivateKey(random: source)
        clients = (0..<4).map { _ in world.connect() }
    }

    private func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    private func chance(_ percent: Int) -> Bool { pick(100) < percent }

    /// Some commands, then their commit, or a crash before it.
    func turn() throws {
        for _ in 0...pick(6) { try command() }
        if chance(2) { return try crash() }
        try world.endTurn()
        try compare()
        committed = model
        if chance(2) {
            let client = pick(clients.count)
            clients[client].disconnect()
            model.disconnect(client)
            clients[client] = world.connect()
            committed = model
        }
    }

    private func crash() throws {
        crashes += 1
        try world.restart()
        clients = clients.map { _ in world.connect() }
        model = committed
        model.forgetConnections()
        committed = model
        expected = [:]
    }

    // MARK: - Commands

    private func command() throws {
        commands += 1
        let client = pick(clients.count)
        // Mostly queues that exist, sometimes one that is gone.
        let known = Array(queues.keys.filter { model.queues[$0] != nil || chance(5) }).sorted()
        guard let queue = known.isEmpty || known.count < 12 && chance(10) ? nil : known[pick(known.count)] else {
            return try create(client)
        }
        let owner = model.queues[queue]?.recipientKeys.first ?? 0
        let key = pick(keys.count - ModelRun.strangers)
        let (fixed, user) = (UInt8(pick(2)), UInt8(pick(3)))
        let link = model.queues[queue]?.link?.id ?? makeLink()
        switch pick(20) {
        case 0...2: try own(.sub, .sub, queue, owner, client)
        case 3: try own(.get, .get, queue, owner, client)
        case 4...7: try acknowledge(queue, owner, client)
        case 8...12: try send(queue, client)
        case 13:
            try chance(50)
                ? own(.key(key), .key(keys[key].publicKey), queue, owner, client)
                : give(.skey(key), .skey(keys[key].publicKey), queue, queues[queue]?.senderID, key, client)
        case 14:
            let command = ClientCommand.lset(
                linkID: links[link] ?? .empty, LinkBlobs(fixed: [fixed], user: [user]))
            try own(.lset(id: link, fixed: fixed, user: user), command, queue, owner, client)
        case 15: try useLink(queue, owner, client, key)
        case 16: try useNotifier(queue, owner, client, key)
        case 17: try own(.que, .que, queue, owner, client)
        case 18:
            let others = (0...pick(3)).map { _ in pick(keys.count - ModelRun.strangers) }
            try own(.rkey(others), .rkey(others.map { keys[$0].publicKey }), queue, owner, client)
        default:
            try chance(20) ? own(.off, .off, queue, owner, client) : own(.del, .del, queue, owner, client)
        }
    }

    /// Gives a command to both sides; sometimes it is signed with a key of nobody.
    private func give(
        _ command: RelayModel.Command, _ real: ClientCommand, _ queue: Int, _ entity: EntityID?, _ signer: Int?,
        _ client: Int, correlationID: CorrelationID? = nil
    ) throws {
        let signer = signer != nil && chance(5) ? keys.count - 1 - pick(ModelRun.strangers) : signer
        let told = model.answer(command, queue: queue, signedBy: signer, client: client)
        let (id, received) = try clients[client].received(
            real, of: entity ?? EntityID(Bytes(1...24)), key: signer.map { keys[$0] }, correlationID: correlationID)
        world.core.receive(received, from: clients[client].id)
        expected[client, default: []].append((id, told))
    }

    private func own(
        _ command: RelayModel.Command, _ real: ClientCommand, _ queue: Int, _ owner: Int, _ client: Int
    ) throws {
        try give(command, real, queue, queues[queue]?.recipientID, owner, client)
    }

    private func create(_ client: Int) throws {
        let mode: QueueMode? = [.messaging, .messaging, .contact, nil][pick(4)], key = pick(keys.count - 2)
        let correlationID = CorrelationID(random: world.random), subscribes = chance(50)
        let link = mode == .contact && chance(40) ? makeLink() : nil
        let blobs = (fixed: UInt8(pick(2)), user: UInt8(pick(3)))
        let newLink = link.flatMap { links[$0] }.map {
            NewLink(
                linkID: $0, senderID: .sender(for: correlationID),
                blobs: LinkBlobs(fixed: [blobs.fixed], user: [blobs.user]))
        }
        let new = NewQueue(
            recipientKey: keys[key].publicKey, dhKey: dhKey.publicKey,
            subscription: subscribes ? .subscribe : .createOnly,
            request: mode.map { QueueRequest(mode: $0, link: newLink) })
        let command = RelayModel.Command.new(
            mode: mode, key: key, subscribes: subscribes, link: link.map { ($0, blobs.fixed, blobs.user) })
        try give(command, .new(new), -1, .empty, key, client, correlationID: correlationID)
    }

    /// A link id: now and then one that was used before.
    private func makeLink() -> Int {
        if chance(20), !links.isEmpty { return pick(links.count) }
        links[links.count] = EntityID(world.random.bytes(24))
        return links.count - 1
    }

    private func acknowledge(_ queue: Int, _ owner: Int, _ client: Int) throws {
        // Mostly by whom it was delivered to.
        let client =
            chance(90) ? clients.indices.first { model.subscriptions[$0]?[queue]?.delivered != nil } ?? client : client
        guard let message = model.subscriptions[client]?[queue]?.delivered, let id = ids[message.number] else {
            return try own(.ack(nil), .ack(messageID: .empty), queue, owner, client)
        }
        switch pick(10) {
        case 0:
            let wrong = RelayModel.Message(number: -1, isQuota: false)
            try own(.ack(wrong), .ack(messageID: EntityID(world.random.bytes(24))), queue, owner, client)
        case 1: try own(.ack(nil), .ack(messageID: .empty), queue, owner, client)
        default: try own(.ack(message), .ack(messageID: id), queue, owner, client)
        }
    }

    private func send(_ queue: Int, _ client: Int) throws {
        lastNumber += 1
        let sender = chance(95) ? model.queues[queue]?.senderKey : pick(keys.count)
        let command = ClientCommand.send(MessageFlags(notifies: chance(50)), body: Bytes("\(lastNumber)".utf8))
        try give(.send(number: lastNumber), command, queue, queues[queue]?.senderID, sender, client)
    }

    private func useLink(_ queue: Int, _ owner: Int, _ client: Int, _ key: Int) throws {
        let id = model.queues[queue]?.link.flatMap { links[$0.id] }
        switch pick(4) {
        case 0: try own(.ldel, .ldel, queue, owner, client)
        case 1: try give(.lkey(key), .lkey(keys[key].publicKey), queue, id, key, client)
        default: try give(.lget, .lget, queue, id, nil, client)
        }
    }

    private func useNotifier(_ queue: Int, _ owner: Int, _ client: Int, _ key: Int) throws {
        let notifier = model.queues[queue]?.notifier
        switch pick(4) {
        case 0:
            lastNumber += 1
            let keys = NotifierKeys(authorizationKey: self.keys[key].publicKey, dhKey: dhKey.publicKey)
            try own(.nkey(key: key, number: lastNumber), .nkey(keys), queue, owner, client)
        case 1: try own(.ndel, .ndel, queue, owner, client)
        default:
            // The credentials of this very turn are not known to anybody yet.
            guard let notifier, let id = notifiers[notifier.number] else { return }
            try give(.nsub(number: notifier.number), .nsub, queue, id, notifier.key, client)
        }
    }

    // MARK: - Comparing

    private func compare() throws {
        let events = model.takeEvents()
        for (index, client) in clients.enumerated() {
            let told = world.take(client.id)
            let answers = expected[index] ?? [], reports = events.filter { $0.client == index }
            try #require(told.count == answers.count + reports.count, "seed \(seed), command \(commands)")
            for (answer, (id, wanted)) in zip(told, answers) {
                try #require(answer.correlationID == id, "seed \(seed), command \(commands)")
                try check(answer, wanted)
            }
            for (answer, report) in zip(told.dropFirst(answers.count), reports) {
                try #require(answer.correlationID.isEmpty)
                switch report.entity {
                case .recipient(let queue): try #require(answer.entityID == queues[queue]?.recipientID)
                case .notifier(let number): try #require(answer.entityID == notifiers[number])
                }
                try check(answer, report.told)
            }
        }
        expected = [:]
    }

    private func check(_ answer: Answer, _ wanted: RelayModel.Told) throws {
        let place: Comment = "seed \(seed), command \(commands): \(wanted)"
        switch (wanted, answer.message) {
        case (.plain(let message), let answer):
            try #require(answer == message, place)
            seen[name(message), default: 0] += 1
        case (.created(let queue), .ids(let ids)):
            queues[queue] = TestQueue(
                recipientID: ids.recipientID, senderID: ids.senderID, linkID: ids.linkID, recipientKey: keys[0],
                secret: try dhKey.agree(with: ids.dhKey))
            seen["created", default: 0] += 1
        case (.notifierCreated(let number), .nid(let ids)): notifiers[number] = ids.notifierID
        case (.message(let message), .msg(let encrypted)):
            let queue = try #require(queues.values.first { $0.recipientID == answer.entityID })
            let text = try queue.read(answer.message)
            try #require(text == (message.isQuota ? "QUOTA" : "\(message.number)"), place)
            if let known = ids[message.number] { try #require(known == encrypted.messageID, place) }
            ids[message.number] = encrypted.messageID
            seen["message", default: 0] += 1
        case (.link(let queue, let fixed, let user), .lnk(let senderID, let blobs)):
            try #require(senderID == queues[queue]?.senderID && blobs == LinkBlobs(fixed: [fixed], user: [user]), place)
            seen["link", default: 0] += 1
        case (.state(let isSecured, let hasNotifier, let size), .info(let state)):
            try #require(
                state.isSecured == isSecured && state.hasNotifier == hasNotifier && state.size == size, place)
            seen["state", default: 0] += 1
        default: try #require(Bool(false), place)
        }
    }

    private func name(_ message: RelayMessage) -> String {
        switch message {
        case .err(.authorization): "AUTH"
        case .err(.quota): "QUOTA"
        case .err(.noMessage): "NO_MSG"
        case .err(.command(.prohibited)): "PROHIBITED"
        default: message.tag == .ok ? "ok" : message.tag.rawValue
        }
    }

    /// Opens the file anew and empties every queue: all messages are there, in order, once.
    func compareEverything() throws {
        try crash()
        let client = clients[0]
        for (index, queue) in model.queues {
            let real = try #require(queues[index])
            let owner = keys[queue.recipientKeys[0]]
            var texts: [String] = []
            var next = try client.ask(.get, of: real.recipientID, key: owner)
            while case .msg = next {
                texts.append(try real.read(next))
                #expect(try client.ask(.ack(messageID: .empty), of: real.recipientID, key: owner) == .ok)
                next = try client.ask(.get, of: real.recipientID, key: owner)
            }
            #expect(texts == queue.messages.map { $0.isQuota ? "QUOTA" : "\($0.number)" })
        }
    }
}
