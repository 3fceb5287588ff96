import ByteCoding
import SMPProtocol

/// A relay as one would explain it: what it stores, who is subscribed, and what it says. Without cryptography, files or
/// limits; keys, ids and messages are numbers. The core must say the same.
struct RelayModel {
    struct Message: Hashable {
        let number: Int
        let isQuota: Bool
    }

    /// What survives the end of the process.
    struct Queue {
        var mode: QueueMode?
        var recipientKeys: [Int]
        var senderKey: Int?
        var isOff = false
        var link: (id: Int, fixed: UInt8, user: UInt8)?
        /// The number of the credentials, and their key.
        var notifier: (number: Int, key: Int)?
        var messages: [Message] = []

        var isContact: Bool { mode == .contact || mode == nil && senderKey == nil }
        var isSecuredForMessages: Bool { mode != .contact && senderKey != nil }
    }

    struct Subscription {
        let isForGet: Bool
        var delivered: Message?
    }

    /// What a client is told.
    enum Told: Hashable {
        case plain(RelayMessage)
        case created(queue: Int)
        case notifierCreated(number: Int)
        case message(Message)
        case link(queue: Int, fixed: UInt8, user: UInt8)
        case state(isSecured: Bool, hasNotifier: Bool, size: Int)
    }

    struct Event: Hashable {
        let client: Int
        let entity: Entity
        let told: Told
    }

    enum Entity: Hashable {
        case recipient(Int)
        case notifier(Int)
    }

    /// A command, whoever sends it, with the number of the key that signs it.
    enum Command {
        case new(mode: QueueMode?, key: Int, subscribes: Bool, link: (id: Int, fixed: UInt8, user: UInt8)?)
        case sub, get, off, del, que, ldel, ndel
        case ack(Message?)
        case key(Int), rkey([Int])
        case lset(id: Int, fixed: UInt8, user: UInt8)
        case nkey(key: Int, number: Int)
        case send(number: Int)
        case skey(Int)
        case lkey(Int), lget
        case nsub(number: Int)
    }

    let quota: Int
    var queues: [Int: Queue] = [:]
    private(set) var nextQueue = 0
    // What ends with the process.
    var subscriptions: [Int: [Int: Subscription]] = [:]
    var notifierSubscribers: [Int: Int] = [:]
    /// What happened beside the answers, in order.
    private(set) var events: [Event] = []

    init(quota: Int) {
        self.quota = quota
    }

    mutating func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    /// The end of a process: connections and subscriptions are gone.
    mutating func forgetConnections() {
        subscriptions = [:]
        notifierSubscribers = [:]
        events = []
    }

    mutating func disconnect(_ client: Int) {
        subscriptions[client] = nil
        notifierSubscribers = notifierSubscribers.filter { $0.value != client }
    }

    private func subscriber(of queue: Int) -> Int? {
        subscriptions.first { $0.value[queue].map { !$0.isForGet } ?? false }?.key
    }

    // MARK: - Commands

    /// What the relay answers.
    mutating func answer(_ command: Command, queue index: Int, signedBy signer: Int?, client: Int) -> Told {
        let auth = Told.plain(.err(.authorization))
        switch command {
        case .new(let mode, let key, let subscribes, let link):
            guard signer == key, !queues.values.contains(where: { $0.link != nil && $0.link?.id == link?.id }) else {
                return auth
            }
            let number = nextQueue
            nextQueue += 1
            queues[number] = Queue(mode: mode, recipientKeys: [key], link: link)
            if subscribes { subscriptions[client, default: [:]][number] = Subscription(isForGet: false) }
            return .created(queue: number)
        case .send(let number): return send(number, index, signer)
        case .skey(let key): return secure(key, index, signer) ?? .plain(.ok)
        case .lkey(let key):
            guard let link = queues[index]?.link else { return auth }
            return secure(key, index, signer) ?? .link(queue: index, fixed: link.fixed, user: link.user)
        case .lget:
            guard let queue = queues[index], let link = queue.link, queue.isContact else { return auth }
            return .link(queue: index, fixed: link.fixed, user: link.user)
        case .nsub(let number):
            guard let queue = queues[index], let notifier = queue.notifier, notifier.number == number,
                signer == notifier.key
            else { return auth }
            if let former = notifierSubscribers[number], former != client {
                events.append(Event(client: former, entity: .notifier(number), told: .plain(.end)))
            }
            notifierSubscribers[number] = client
            return .plain(.sok(serviceID: nil))
        default:
            guard let queue = queues[index], let signer, queue.recipientKeys.contains(signer) else { return auth }
            return owned(command, queue, index, client)
        }
    }

    /// A command of the recipient, who has proven to be it.
    private mutating func owned(_ command: Command, _ queue: Queue, _ index: Int, _ client: Int) -> Told {
        let auth = Told.plain(.err(.authorization)), prohibited = Told.plain(.err(.command(.prohibited)))
        switch command {
        case .sub:
            if subscriptions[client]?[index]?.isForGet == true { return prohibited }
            if let former = subscriber(of: index), former != client { end(index, former, .end) }
            subscriptions[client, default: [:]][index] = Subscription(isForGet: false)
            deliver(index, client)
            return .plain(.sok(serviceID: nil))
        case .get:
            if subscriptions[client]?[index]?.isForGet == false { return prohibited }
            let first = queue.messages.first
            subscriptions[client, default: [:]][index] = first.map { Subscription(isForGet: true, delivered: $0) }
            return first.map { .message($0) } ?? .plain(.ok)
        case .ack(let message):
            guard let subscription = subscriptions[client]?[index], let delivered = subscription.delivered,
                message == nil || message == delivered
            else { return .plain(.err(.noMessage)) }
            if queue.messages.first == delivered { queues[index]?.messages.removeFirst() }
            guard !subscription.isForGet else {
                subscriptions[client]?[index] = nil
                return .plain(.ok)
            }
            let next = queues[index]?.messages.first
            subscriptions[client]?[index]?.delivered = next
            return next.map { .message($0) } ?? .plain(.ok)
        case .key(let key):
            guard queue.senderKey == nil || queue.senderKey == key else { return auth }
            queues[index]?.senderKey = key
        case .rkey(let keys):
            guard queue.mode == .contact else { return auth }
            queues[index]?.recipientKeys = keys
        case .off: queues[index]?.isOff = true
        case .del:
            queues[index] = nil
            subscriptions[client]?[index] = nil
            if let former = subscriber(of: index) { end(index, former, .deld) }
            endNotifier(queue, client)
        case .que:
            return .state(
                isSecured: queue.senderKey != nil, hasNotifier: queue.notifier != nil, size: queue.messages.count)
        case .lset(let id, let fixed, let user):
            guard !queue.isSecuredForMessages else { return auth }
            if let link = queue.link {
                guard link.id == id, link.fixed == fixed else { return auth }
            } else if queues.values.contains(where: { $0.link?.id == id }) {
                return auth
            }
            queues[index]?.link = (id, fixed, user)
        case .ldel: queues[index]?.link = nil
        case .nkey(let key, let number):
            queues[index]?.notifier = (number, key)
            endNotifier(queue, client)
            return .notifierCreated(number: number)
        case .ndel:
            queues[index]?.notifier = nil
            endNotifier(queue, client)
        default: preconditionFailure("not a command of a recipient")
        }
        return .plain(.ok)
    }

    private mutating func end(_ queue: Int, _ client: Int, _ event: RelayMessage) {
        subscriptions[client]?[queue] = nil
        events.append(Event(client: client, entity: .recipient(queue), told: .plain(event)))
    }

    private mutating func endNotifier(_ queue: Queue, _ client: Int) {
        guard let number = queue.notifier?.number, let former = notifierSubscribers.removeValue(forKey: number) else {
            return
        }
        if former != client {
            events.append(Event(client: former, entity: .notifier(number), told: .plain(.deld)))
        }
    }

    private mutating func deliver(_ queue: Int, _ client: Int) {
        guard let first = queues[queue]?.messages.first else { return }
        subscriptions[client]?[queue]?.delivered = first
        events.append(Event(client: client, entity: .recipient(queue), told: .message(first)))
    }

    /// Nil if the queue has this sender now.
    private mutating func secure(_ key: Int, _ index: Int, _ signer: Int?) -> Told? {
        guard let queue = queues[index], queue.mode == .messaging, signer == key,
            queue.senderKey == nil || queue.senderKey == key
        else { return .plain(.err(.authorization)) }
        queues[index]?.senderKey = key
        return nil
    }

    private mutating func send(_ number: Int, _ index: Int, _ signer: Int?) -> Told {
        guard let queue = queues[index], queue.senderKey == signer, !queue.isOff else {
            return .plain(.err(.authorization))
        }
        if queue.isSecuredForMessages { queues[index]?.link = nil }
        guard queue.messages.last?.isQuota != true, queue.messages.count < quota else {
            if queue.messages.last?.isQuota != true {
                queues[index]?.messages.append(Message(number: number, isQuota: true))
            }
            return .plain(.err(.quota))
        }
        queues[index]?.messages.append(Message(number: number, isQuota: false))
        if let client = subscriber(of: index), subscriptions[client]?[index]?.delivered == nil {
            deliver(index, client)
        }
        return .plain(.ok)
    }
}
