import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import Store

/// A connection of the official programs as one of this program, with what it has to do.
struct OfficialConnection {
    var connection: Connection
    /// Tasks before the messages that wait.
    var firstTasks: [ConnectionTask] = []
    /// Tasks behind them.
    var lastTasks: [ConnectionTask] = []
    var events: [ConnectionEvent] = []
    /// Own queues that are to be deleted at their relays.
    var discarded: [ReceiveQueue] = []
    var link: (link: OwnedLink, server: ServerAddress)?
    /// True if messages that wait belong to an attempt that is made again.
    var restarts = false
}

extension OfficialAgent {
    /// Everything about one connection.
    struct Parts {
        let row: ConnectionRow
        let keys: Keys
        let receiveQueues: [OfficialReceiveQueue]
        let sendQueues: [OfficialSendQueue]
        let commands: [OfficialCommand]
        /// The kinds of the messages that wait.
        let waiting: Set<OutgoingMessage.Kind>
    }

    /// Returns the connection, or nil if it was deleted.
    ///
    /// - Parameter note: Called for what is not taken over.
    func connection(_ parts: Parts, note: (Remainder) -> Void) throws -> OfficialConnection? {
        var made = try make(parts, note: note)
        guard made != nil else { return nil }
        made?.discarded += parts.receiveQueues.filter(\.isDeleted).map(\.queue)
        try applyCommands(parts, &made)
        return made
    }

    private func make(_ parts: Parts, note: (Remainder) -> Void) throws -> OfficialConnection? {
        let row = parts.row
        let receiving = parts.receiveQueues.filter { !$0.isDeleted }
        // A new queue in use is the only primary one; until then both are.
        let current =
            receiving.first { $0.replaces == nil && $0.isPrimary } ?? receiving.first { $0.replaces == nil }
            ?? receiving.first
        let currentSend =
            parts.sendQueues.first { $0.replaces == nil && $0.isPrimary }
            ?? parts.sendQueues.first { $0.replaces == nil } ?? parts.sendQueues.first
        if row.isAddress {
            guard let current else { return nil }
            var made = OfficialConnection(connection: .address(current.queue))
            made.link = current.link.map { ($0, current.queue.server) }
            return made
        }
        if let join = parts.commands.compactMap({ command -> OfficialJoin? in OfficialJoin(command) }).first {
            return try joiner(join, parts, currentSend, receiving)
        }
        switch (current, currentSend) {
        case (nil, nil):
            note(.emptyConnections)
            return nil
        case (nil, .some):
            note(.unfinishedJoins)
            return nil
        case (let queue?, nil): return try initiator(parts, queue)
        case (let queue?, let sendQueue?): return try duplex(parts, queue, sendQueue, receiving, note: note)
        }
    }

    private func value(
        _ parts: Parts, role: Connection.Role, status: Connection.Status, receiveQueue: ReceiveQueue?,
        sendQueue: SendQueue?, waitingSenderKey: AuthorizationKey? = nil, keepsKeys: Bool = true,
        receiveRotation: ReceiveRotation? = nil, sendRotation: SendRotation? = nil
    ) -> Connection {
        Connection(
            role: role, status: status, agentVersion: min(parts.row.agentVersion, AgentVersion.supported.max),
            isPostQuantum: parts.row.isPostQuantum, agreementKeys: keepsKeys ? parts.keys.agreement : nil,
            ratchet: parts.keys.ratchet, sent: parts.row.sent, received: parts.row.received, ownInformation: nil,
            waitingSenderKey: waitingSenderKey, receiveQueue: receiveQueue, sendQueue: sendQueue,
            receiveRotation: receiveRotation, sendRotation: sendRotation, synchronization: parts.row.synchronization)
    }

    // MARK: - The handshake

    /// The side that made the link, which has no queue of the other side yet.
    private func initiator(_ parts: Parts, _ queue: OfficialReceiveQueue) throws -> OfficialConnection {
        var made: OfficialConnection
        if let confirmation = try confirmation(of: parts.row.id), parts.keys.ratchet != nil {
            made = try requested(parts, confirmation, queue, nil)
        } else {
            // Without these keys the link cannot be used to join.
            guard parts.keys.agreement != nil else { throw StoreError(.damaged) }
            made = OfficialConnection(
                connection: value(parts, role: .initiator, status: .new, receiveQueue: queue.queue, sendQueue: nil))
        }
        made.link = queue.link.map { ($0, queue.queue.server) }
        return made
    }

    /// The side that made the link and knows the joiner: it waits for its application, or its answer is due.
    private func requested(
        _ parts: Parts, _ confirmation: Confirmation, _ queue: OfficialReceiveQueue, _ sendQueue: SendQueue?
    ) throws -> OfficialConnection {
        guard let reply = confirmation.replies.first, MessageEnvelope.versions.contains(reply.version),
            let new = try? SendQueue(reply, random: SystemRandom())
        else { throw StoreError(.damaged) }
        let isSecured = queue.status == .secured || queue.status == .active
        var made = OfficialConnection(
            connection: value(
                parts, role: .initiator, status: .requested, receiveQueue: queue.queue, sendQueue: sendQueue ?? new,
                waitingSenderKey: isSecured ? nil : confirmation.senderKey, keepsKeys: false))
        let answer =
            confirmation.answer
            ?? parts.commands.lazy.compactMap { command in
                if case .allow(let information) = command { information } else { nil }
            }.first
        if let answer {
            do throws(Connection.Failure) {
                made.firstTasks = try made.connection.allow(answer).tasks
            } catch {
                throw StoreError(.damaged)
            }
        } else {
            made.events = [
                .conf(information: confirmation.information, supportsPostQuantum: parts.row.isPostQuantum)
            ]
        }
        return made
    }

    private func duplex(
        _ parts: Parts, _ queue: OfficialReceiveQueue, _ sendQueue: OfficialSendQueue,
        _ receiving: [OfficialReceiveQueue], note: (Remainder) -> Void
    ) throws -> OfficialConnection? {
        guard parts.keys.ratchet != nil else {
            note(.unfinishedJoins)
            return nil
        }
        let isJoiner = parts.keys.isJoiner || queue.queue.sender == nil
        let senderSecures = sendQueue.queue.senderCanSecure
        let role: Connection.Role = isJoiner ? .joiner : .initiator
        let isReady =
            isJoiner
            ? queue.status == .active && (senderSecures || sendQueue.status == .active)
            : sendQueue.status == .active
        if isReady { return try ready(parts, role, queue, sendQueue, receiving, note: note) }
        let status: Connection.Status
        if isJoiner, queue.queue.sender != nil {
            status = .greeting
        } else if parts.waiting.contains(.hello) {
            status = .greeting
        } else if parts.waiting.contains(.confirmation) {
            status = .confirming
        } else if sendQueue.status == .confirmed || sendQueue.status == .active {
            status = .confirmed
        } else if !isJoiner, let confirmation = try confirmation(of: parts.row.id) {
            return try requested(parts, confirmation, queue, sendQueue.queue)
        } else {
            note(.unfinishedJoins)
            return nil
        }
        var made = OfficialConnection(
            connection: value(
                parts, role: role, status: status, receiveQueue: queue.queue, sendQueue: sendQueue.queue,
                keepsKeys: false))
        if status == .confirming, senderSecures, sendQueue.status == .new { made.firstTasks = [.secureSendQueue] }
        if case let key? = parts.commands.lazy.compactMap({ command in
            if case .secureReply(let key) = command { key } else { nil }
        }).first {
            made.firstTasks = [.secureReceiveQueue(key)]
            do throws(Connection.Failure) {
                made.lastTasks = [.send(try made.connection.message(.hello, kind: .hello, notifies: true))]
            } catch {
                throw StoreError(.damaged)
            }
        }
        return made
    }

    /// Joining begins again: nothing was sent that the other side could have read.
    private func joiner(
        _ join: OfficialJoin, _ parts: Parts, _ sendQueue: OfficialSendQueue?, _ receiving: [OfficialReceiveQueue]
    ) throws -> OfficialConnection {
        var made: OfficialConnection
        do throws(Connection.Failure) {
            var key: Ed25519.PrivateKey?
            if case .ed25519(let known)? = sendQueue?.queue.authorizationKey { key = known }
            let (connection, step) = try join.begin(key: key)
            made = OfficialConnection(connection: connection, firstTasks: step.tasks)
        } catch {
            throw StoreError(.damaged)
        }
        if let sendQueue, sendQueue.queue.senderCanSecure, sendQueue.status == .new {
            made.firstTasks.insert(.secureSendQueue, at: 0)
        }
        made.discarded = receiving.map(\.queue)
        made.restarts = true
        return made
    }

    // MARK: - Established connections

    private func ready(
        _ parts: Parts, _ role: Connection.Role, _ queue: OfficialReceiveQueue, _ sendQueue: OfficialSendQueue,
        _ receiving: [OfficialReceiveQueue], note: (Remainder) -> Void
    ) throws -> OfficialConnection {
        var tasks: [ConnectionTask] = []
        var (current, receiveRotation) = (queue.queue, ReceiveRotation?.none)
        if let next = receiving.last(where: { $0.replaces == queue.id }) {
            switch (next.status, queue.switchStatus) {
            case (.active, _):
                // The sender has stopped using the old queue.
                (current, receiveRotation) = (next.queue, ReceiveRotation(stage: .draining, queue: queue.queue))
            case (.secured, "sending_quse"):
                receiveRotation = ReceiveRotation(stage: .announced, queue: next.queue)
            case (.secured, _): receiveRotation = ReceiveRotation(stage: .secured, queue: next.queue)
            case (.confirmed, _):
                receiveRotation = ReceiveRotation(stage: .confirmed, queue: next.queue)
                tasks = parts.commands.compactMap { command in
                    if case .secureNext(let key) = command { .secureNextQueue(key) } else { nil }
                }
            case (.new, _): receiveRotation = ReceiveRotation(stage: .offered, queue: next.queue)
            case (.disabled, _): break
            }
        } else if let former = receiving.last(where: { $0.id != queue.id && $0.switchStatus == "received_message" }) {
            // The new queue is in use, and the old one has still to be deleted.
            receiveRotation = ReceiveRotation(stage: .draining, queue: former.queue)
        }
        var (currentSend, sendRotation) = (sendQueue.queue, SendRotation?.none)
        if let next = parts.sendQueues.last(where: { $0.replaces == sendQueue.id }) {
            switch next.status {
            case .new, .confirmed: sendRotation = SendRotation(stage: .keySent, queue: next.queue)
            case .secured, .active:
                currentSend = next.queue
                sendRotation = SendRotation(stage: .testing, queue: nil)
            case .disabled: break
            }
        }
        let used = [current.recipientID, receiveRotation?.queue?.recipientID]
        let spare = receiving.filter { !used.contains($0.queue.recipientID) }
        for _ in spare { note(.spareQueues) }
        var made = OfficialConnection(
            connection: value(
                parts, role: role, status: .ready, receiveQueue: current, sendQueue: currentSend,
                keepsKeys: parts.row.synchronization == .started, receiveRotation: receiveRotation,
                sendRotation: sendRotation))
        made.firstTasks = tasks
        made.discarded = spare.map(\.queue)
        return made
    }

    private func applyCommands(_ parts: Parts, _ made: inout OfficialConnection?) throws {
        for command in parts.commands {
            let step: ConnectionStep?
            switch command {
            case .switchQueue: step = try? made?.connection.switchQueue()
            case .delete: step = made?.connection.delete()
            default: step = nil
            }
            guard let step else { continue }
            made?.lastTasks += step.tasks
            made?.discarded += step.discarded
        }
    }
}

/// A connection that the official agent was asked to join and that it has to begin.
private struct OfficialJoin {
    let link: ConnectionRequest
    let information: Bytes
    let postQuantum: PostQuantumSupport

    init?(_ command: OfficialCommand) {
        guard case .join(let link, let information, let postQuantum) = command else { return nil }
        self.link = link
        self.information = information
        self.postQuantum = postQuantum ? .on : .off
    }

    /// - Parameter key: The key that the relay of the other side's queue may know already.
    func begin(key: Ed25519.PrivateKey?) throws(Connection.Failure) -> (Connection, ConnectionStep) {
        let replyServer = link.queues.first.location.server
        switch (link, key) {
        case (.invitation(let queues, let offer), let key?):
            return try Connection.joiner(
                queues, offer, securedWith: key, information: information, replyServer: replyServer,
                random: SystemRandom(), postQuantum: postQuantum)
        case (.invitation(let queues, let offer), nil):
            return try Connection.joiner(
                queues, offer, information: information, replyServer: replyServer, random: SystemRandom(),
                postQuantum: postQuantum)
        case (.contact(let queues), _):
            return try Connection.requester(
                queues, information: information, replyServer: replyServer, random: SystemRandom(),
                postQuantum: postQuantum)
        }
    }
}
