import Agent
import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol
import SecureTransport
import TestSupport

/// A relay's rules without its network: queues in memory, one subscriber each, one message delivered at a time.
final class FakeRelay {
    final class Queue {
        let recipientID: EntityID
        let senderID: EntityID
        let recipientKey: AuthorizationKey
        let secret: Secret
        let mode: QueueMode?
        var senderKey: AuthorizationKey?
        var link: (id: EntityID, blobs: LinkBlobs)?
        var messages: [(id: EntityID, body: ReceivedBody)] = []
        weak var subscriber: FakeChannel?
        var isDelivered = false
        var isFull = false

        init(_ ids: QueueIDs, _ request: NewQueue, secret: Secret) {
            recipientID = ids.recipientID
            senderID = ids.senderID
            recipientKey = request.recipientKey
            mode = ids.mode
            self.secret = secret
        }
    }

    static let address = ServerAddress(
        hosts: [.domain("relay.example")], port: nil, fingerprint: Bytes(repeating: 7, count: 32))

    /// Another relay, for queues that move.
    static let otherAddress = ServerAddress(
        hosts: [.domain("other.example")], port: nil, fingerprint: Bytes(repeating: 8, count: 32))

    private unowned let world: World
    private(set) var queues: [EntityID: Queue] = [:]
    private var senders: [EntityID: Queue] = [:]
    /// What every session agrees on.
    var version = SMP.versions.max
    /// The id that the next queue gets, whatever other queue has it.
    var nextRecipientID: EntityID?
    var quota = 128
    var isUp = true
    /// How many times slower than the other relay it is.
    var slowness: Int64 = 1
    /// The records of names.
    var names: [String: NameRecord] = [:]
    /// What the relay answers to the commands with these tags.
    var refusals: [CommandTag: ProtocolError] = [:]

    init(world: World) {
        self.world = world
    }

    /// A time for something to travel to the relay, or back.
    func travelTime() -> Int64 { world.travelTime() * slowness }

    func handle(_ command: RelayRequest, from channel: FakeChannel) -> RelayMessage {
        if let refusal = refusals[command.command.tag] { return .err(refusal) }
        switch command.command {
        case .ping: return .pong
        case .new(let request): return create(request, command.correlationID)
        case .lget, .lkey: return openLink(command)
        case .rslv(let domain):
            guard command.key == nil, command.entityID == .empty else { return .err(.command(.hasAuthorization)) }
            return names[domain.description].map { .rname($0) } ?? .err(.name(.notFound))
        case .sub, .ack, .que, .key, .off, .del, .lset, .ldel:
            guard let queue = queues[command.entityID], command.key?.publicKey == queue.recipientKey else {
                return .err(.authorization)
            }
            return handle(command.command, queue, channel)
        case .skey(let key):
            guard let queue = senders[command.entityID], queue.mode == .messaging, (queue.senderKey ?? key) == key
            else { return .err(.authorization) }
            queue.senderKey = key
            return .ok
        case .send(let flags, let body):
            guard let queue = senders[command.entityID], command.key?.publicKey == queue.senderKey else {
                return .err(.authorization)
            }
            return accept(body, flags, queue)
        default: return .err(.command(.unknown))
        }
    }

    private func create(_ request: NewQueue, _ correlationID: CorrelationID?) -> RelayMessage {
        let key = X25519.PrivateKey(random: world.random)
        let link = request.request?.link
        if let link {
            guard version >= SMP.shortLinks, correlationID.map({ link.senderID == .sender(for: $0) }) == true else {
                return .err(.command(.syntax))
            }
        }
        let linkID = link.map { $0.linkID ?? EntityID(world.random.bytes(24)) }
        let ids = QueueIDs(
            recipientID: nextRecipientID ?? EntityID(world.random.bytes(24)),
            senderID: link?.senderID ?? EntityID(world.random.bytes(24)),
            dhKey: key.publicKey, mode: version >= SMP.senderKeys ? request.request?.mode : nil, linkID: linkID)
        guard let secret = try? key.agree(with: request.dhKey) else { return .err(.crypto) }
        let queue = Queue(ids, request, secret: secret)
        if let link, let linkID { queue.link = (linkID, link.blobs) }
        queues[ids.recipientID] = queue
        senders[ids.senderID] = queue
        return .ids(ids)
    }

    /// LGET, and LKEY, which secures the queue.
    private func openLink(_ command: RelayRequest) -> RelayMessage {
        guard let queue = queues.values.first(where: { $0.link?.id == command.entityID }), let link = queue.link else {
            return .err(.authorization)
        }
        switch (command.command, queue.mode) {
        case (.lget, .contact): break
        case (.lkey(let key), .messaging) where command.key?.publicKey == key && (queue.senderKey ?? key) == key:
            queue.senderKey = key
        default: return .err(.authorization)
        }
        return .lnk(senderID: queue.senderID, link.blobs)
    }

    private func handle(_ command: ClientCommand, _ queue: Queue, _ channel: FakeChannel) -> RelayMessage {
        switch command {
        case .sub:
            if let other = queue.subscriber, other !== channel { other.tell(queue.recipientID, .end) }
            queue.subscriber = channel
            return next(queue) ?? .sok(serviceID: nil)
        case .ack(let id):
            guard queue.isDelivered, queue.messages.first?.id == id else { return .err(.noMessage) }
            queue.messages.removeFirst()
            queue.isDelivered = false
            if queue.messages.isEmpty { queue.isFull = false }
            return next(queue) ?? .ok
        case .que:
            return .info(
                QueueState(
                    isSecured: queue.senderKey != nil, hasNotifier: false, subscription: nil, delivered: nil,
                    size: queue.messages.count, message: nil))
        case .key(let key):
            guard (queue.senderKey ?? key) == key else { return .err(.authorization) }
            queue.senderKey = key
            return .ok
        case .lset(let id, let blobs):
            guard queue.link.map({ $0.id == id && $0.blobs.fixed == blobs.fixed }) != false else {
                return .err(.authorization)
            }
            queue.link = (id, blobs)
            return .ok
        case .ldel:
            queue.link = nil
            return .ok
        case .del:
            queues[queue.recipientID] = nil
            senders[queue.senderID] = nil
            return .ok
        default: return .err(.command(.prohibited))
        }
    }

    private func accept(_ body: Bytes, _ flags: MessageFlags, _ queue: Queue) -> RelayMessage {
        guard !queue.isFull else { return .err(.quota) }
        let seconds = world.time / 1000
        let id = EntityID(world.random.bytes(24))
        queue.isFull = queue.messages.count >= quota
        queue.messages.append(
            (id, queue.isFull ? .quota(time: seconds) : .message(time: seconds, flags, body: body)))
        if let subscriber = queue.subscriber, !queue.isDelivered, let message = next(queue) {
            subscriber.tell(queue.recipientID, message)
        }
        return queue.isFull ? .err(.quota) : .ok
    }

    /// The message to deliver now.
    private func next(_ queue: Queue) -> RelayMessage? {
        guard let (id, body) = queue.messages.first,
            let message = try? body.seal(messageID: id, secret: queue.secret)
        else { return nil }
        queue.isDelivered = true
        return .msg(message)
    }
}

/// A session with the ``FakeRelay``. Commands and answers keep their order and take their time.
final class FakeChannel: RelayChannel {
    private let world: World
    let relay: FakeRelay
    private var handler: ((RelaySession.Event) -> Void)?
    private var pending: [Int: (RelaySession.Answer) -> Void] = [:]
    private var lastNumber = 0
    private var arrivals = (atRelay: Int64(0), atClient: Int64(0))

    init(world: World, relay: FakeRelay, handler: @escaping (RelaySession.Event) -> Void) {
        self.world = world
        self.relay = relay
        self.handler = handler
        world.after(relay.travelTime()) { [weak self] in
            guard let self, self.handler != nil else { return }
            if relay.isUp { self.handler?(.opened) } else { cut() }
        }
    }

    var version: UInt16? { handler == nil ? nil : world.relay.version }

    func send(_ command: RelayRequest, finish: @escaping (RelaySession.Answer) -> Void) {
        guard handler != nil else { return finish(.failure(.connection(.closed))) }
        lastNumber += 1
        let number = lastNumber
        pending[number] = finish
        arrivals.atRelay = max(world.time + relay.travelTime(), arrivals.atRelay)
        world.after(arrivals.atRelay - world.time) { [self] in
            // What was sent arrives, even if nobody waits for the answer any more.
            guard relay.isUp else { return }
            let answer = relay.handle(command, from: self)
            travelBack { [self] in
                guard let finish = pending.removeValue(forKey: number) else { return }
                if case .err(let error) = answer { finish(.failure(.refused(error))) } else { finish(.success(answer)) }
            }
        }
    }

    /// Sends something that answers no command.
    func tell(_ entityID: EntityID, _ message: RelayMessage) {
        travelBack { [self] in handler?(.message(entityID, message)) }
    }

    private func travelBack(_ arrive: @escaping () -> Void) {
        arrivals.atClient = max(world.time + relay.travelTime(), arrivals.atClient)
        world.after(arrivals.atClient - world.time) { [self] in
            if handler != nil { arrive() }
        }
    }

    func close() {
        handler = nil
        fail()
    }

    /// The process at this end is gone: nobody is told anything.
    func vanish() {
        handler = nil
        pending = [:]
    }

    /// The connection breaks.
    func cut() {
        let handler = handler
        self.handler = nil
        fail()
        handler?(.closed(.connection(.closed)))
    }

    private func fail() {
        let waiting = pending.sorted { $0.key < $1.key }
        pending = [:]
        for (_, finish) in waiting { finish(.failure(.connection(.closed))) }
    }
}
