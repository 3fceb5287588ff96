public import ByteCoding
public import CryptoCore
public import Ratchet
public import SMPProtocol

/// A duplex connection with one other side: two one-way queues and a ratchet (smp-agent.md 7.6).
///
/// The steps are pure: each takes an event, changes the value and returns the resulting actions. A step that throws may
/// leave a half-changed value, which the caller discards.
///
/// | initiator               | status       | joiner                           | status       |
/// |-------------------------|--------------|----------------------------------|--------------|
/// | creates a queue, a link | `new`        |                                  |              |
/// |                         |              | secures that queue, creates its own, sends its confirmation | `confirming`, then `confirmed` |
/// | receives it             | `requested`  |                                  |              |
/// | allows, secures the joiner's queue, sends its confirmation | `confirming`, then `ready` | | |
/// |                         |              | receives it                      | `ready`      |
///
/// With an address the roles are exchanged: the requester sends an invitation to its own queue to the queue of the
/// address and becomes the initiator. The owner of the address joins.
///
/// A queue that its sender cannot secure takes one more round: its recipient secures it, and both sides send HELLO
/// (status `greeting`, smp-agent.md 7.7).
public struct Connection: Sendable {
    /// The role of this side in the handshake.
    public enum Role: Int64, Sendable {
        /// The side that made the link.
        case initiator
        /// The side that used the link.
        case joiner
        /// An address, which takes requests and has no messages.
        case address
    }

    /// The progress of a connection.
    public enum Status: Int64, Sendable {
        /// The initiator waits for a confirmation.
        case new
        /// The initiator has a confirmation and waits for the application.
        case requested
        /// The own confirmation is on its way.
        case confirming
        /// The relay has the own confirmation. The response of the other side is outstanding.
        case confirmed
        /// The own HELLO is on its way or awaits its answer.
        case greeting
        /// Both sides can send.
        case ready
        /// The connection could not be made, or its queues are gone.
        case failed
        /// Deleted by the application. Queued messages are still sent, then the queue is deleted.
        case deleted
        /// Waiting for the records behind a short link, before the handshake.
        case opening
    }

    /// The role of this side.
    public let role: Role
    /// The progress of the connection.
    public internal(set) var status: Status
    /// The agreed version; the largest own version before the agreement.
    public internal(set) var agentVersion: UInt16
    /// True if this side uses the KEM with a peer that does, so that messages leave room for it. Never turns false
    /// again.
    public internal(set) var isPostQuantum: Bool
    /// The private keys of the link, the confirmation or the ratchet synchronisation, as long as they are needed.
    public internal(set) var agreementKeys: X3DHPrivateKeys?
    /// The ratchet; nil before the key agreement.
    public internal(set) var ratchet: RatchetState?
    /// The last sent message.
    public internal(set) var sent: MessageSequence
    /// The last received message.
    public internal(set) var received: MessageSequence
    /// The own connection information that waits for the reply queue.
    public internal(set) var ownInformation: Bytes?
    /// The key of a sender that is not yet allowed into the receive queue.
    public internal(set) var waitingSenderKey: AuthorizationKey?
    /// The own queue in use.
    public internal(set) var receiveQueue: ReceiveQueue?
    /// The other side's queue in use.
    public internal(set) var sendQueue: SendQueue?
    /// The running rotation of the receive queue.
    public internal(set) var receiveRotation: ReceiveRotation?
    /// The running rotation of the send queue.
    public internal(set) var sendRotation: SendRotation?
    /// The rotation offers of the other side today.
    public internal(set) var offersToday: RotationOffers
    /// The synchronisation of the ratchets.
    public internal(set) var synchronization: RatchetSynchronization
    /// The agreement of a ratchet synchronisation in which the other side may have the same role as this side.
    public internal(set) var uncertainAgreement: UncertainAgreement?

    /// Creates a connection from stored values.
    public init(
        role: Role, status: Status, agentVersion: UInt16, isPostQuantum: Bool, agreementKeys: X3DHPrivateKeys?,
        ratchet: RatchetState?, sent: MessageSequence, received: MessageSequence, ownInformation: Bytes?,
        waitingSenderKey: AuthorizationKey?, receiveQueue: ReceiveQueue?, sendQueue: SendQueue?,
        receiveRotation: ReceiveRotation? = nil, sendRotation: SendRotation? = nil,
        offersToday: RotationOffers = RotationOffers(), synchronization: RatchetSynchronization = .ok,
        uncertainAgreement: UncertainAgreement? = nil
    ) {
        self.role = role
        self.status = status
        self.agentVersion = agentVersion
        self.isPostQuantum = isPostQuantum
        self.agreementKeys = agreementKeys
        self.ratchet = ratchet
        self.sent = sent
        self.received = received
        self.ownInformation = ownInformation
        self.waitingSenderKey = waitingSenderKey
        self.receiveQueue = receiveQueue
        self.sendQueue = sendQueue
        self.receiveRotation = receiveRotation
        self.sendRotation = sendRotation
        self.offersToday = offersToday
        self.synchronization = synchronization
        self.uncertainAgreement = uncertainAgreement
    }

    /// True if the connection accepts messages of the application. They are queued behind the own confirmation and
    /// HELLO. False during ratchet synchronisation.
    public var canSend: Bool {
        guard synchronization.allowsSending else { return false }
        return switch status {
        case .ready: true
        // A side that sends HELLO is allowed into the other side's queue.
        case .greeting: true
        // The recipient reads the messages after the confirmation, if the relay accepts them.
        case .confirming, .confirmed: role == .initiator && sendQueue?.senderCanSecure == true
        default: false
        }
    }

    /// The relays of all queues.
    public var servers: [ServerAddress] {
        [receiveQueue?.server, receiveRotation?.queue?.server, sendQueue?.server, sendRotation?.queue?.server]
            .compactMap { $0 }
    }

    /// The longest message of the application in bytes, unless it switches the KEM on.
    public var largestMessage: Int { PaddedSize.largestBody(postQuantum: leavesRoom) }

    /// True if the KEM protects the messages of this side.
    public var sendsPostQuantum: Bool { ratchet?.sendsPostQuantum ?? false }

    /// True if messages have to leave room for large headers. An old peer that accepts the KEM key of a link has large
    /// headers.
    var leavesRoom: Bool { isPostQuantum || ratchet?.hasRoomForKEM == true }

    /// Returns true if the next message has to leave room for the KEM with the setting `isWanted`.
    public func leavesRoom(ifWanted isWanted: Bool) -> Bool {
        guard isWanted, let ratchet else { return leavesRoom }
        return leavesRoom
            || PostQuantumSupport.isPossible(agentVersion: agentVersion, ratchetVersion: ratchet.version)
    }

    /// Ends a connection whose handshake failed or whose queues are deleted.
    public mutating func fail() {
        status = .failed
        ownInformation = nil
        agreementKeys = nil
        uncertainAgreement = nil
    }

    /// Ends a connection that the application deletes.
    public mutating func delete() -> ConnectionStep {
        var step = ConnectionStep()
        guard status != .deleted else { return step }
        status = .deleted
        ownInformation = nil
        agreementKeys = nil
        uncertainAgreement = nil
        if role == .address { step.tasks = [.deleteLink] }
        step.tasks.append(.deleteReceiveQueue)
        step.discarded = receiveRotation?.queue.map { [$0] } ?? []
        step.changesQueues = true
        receiveRotation = nil
        sendRotation = nil
        return step
    }
}

extension Connection {
    /// Encrypts a message of the application (smp-agent.md 7.9). ``sendsPostQuantum`` is up to date afterwards.
    ///
    /// - Parameter postQuantum: Turns the KEM on or off from this message on; nil keeps the setting. The KEM protects
    ///   messages some responses after both sides turned it on. It stays off if the versions lack it.
    /// - Throws: ``Connection/Failure/notReady``, ``Connection/Failure/outOfStep``,
    ///   ``Connection/Failure/tooLarge(limit:)``.
    public mutating func send(
        _ body: Bytes, notifies: Bool, postQuantum: Bool? = nil
    ) throws(Connection.Failure) -> OutgoingMessage {
        guard synchronization.allowsSending else { throw .outOfStep }
        guard canSend, let ratchet else { throw .notReady }
        let isPossible = PostQuantumSupport.isPossible(
            agentVersion: agentVersion, ratchetVersion: ratchet.version)
        let setting = postQuantum.map { $0 && isPossible }
        if setting == true { isPostQuantum = true }
        guard body.count <= largestMessage else { throw .tooLarge(limit: largestMessage) }
        return try message(.content(body), kind: .content, notifies: notifies, postQuantum: setting)
    }

    /// Creates a message in the sequence. The connection itself creates HELLO and control messages.
    package mutating func message(
        _ body: AgentMessageBody, kind: OutgoingMessage.Kind, notifies: Bool, postQuantum: Bool? = nil
    ) throws(Connection.Failure) -> OutgoingMessage {
        let header = sent.nextHeader
        let encrypted = try encrypt(
            AgentMessage.message(header, body).encoded, paddedSize: PaddedSize.message(postQuantum: leavesRoom),
            postQuantum: postQuantum)
        // Messages contain the sender's newest version, so that the other side notices an upgrade.
        let envelope = AgentEnvelope(version: AgentVersion.supported.max, .message(encrypted: encrypted))
        return OutgoingMessage(
            kind: kind, number: header.number, hash: sent.lastHash, notifies: notifies, envelope: envelope.encoded)
    }

    /// Advances the sequence and the ratchet and encrypts.
    mutating func encrypt(
        _ message: Bytes, paddedSize: Int, postQuantum: Bool?
    ) throws(Connection.Failure) -> Bytes {
        guard let ratchet else { throw .notReady }
        do throws(RatchetError) {
            let (next, encrypted) = try ratchet.encrypting(
                message, paddedSize: paddedSize, postQuantum: postQuantum)
            self.ratchet = next
            sent.advance(over: message)
            return encrypted
        } catch .messageTooLarge {
            throw .tooLarge(limit: paddedSize - Padding.lengthSize)
        } catch {
            throw .ratchet(error)
        }
    }

    /// Records that the relay has a message.
    public mutating func delivered(_ kind: OutgoingMessage.Kind) -> ConnectionStep {
        var step = ConnectionStep()
        switch (kind, role, status) {
        case (.confirmation, .initiator, .confirming):
            // A joiner whose queue was secured by this side can already send: it needs no HELLO.
            if sendQueue?.senderCanSecure == true {
                status = .ready
                step.events = [.con(isPostQuantum: sendsPostQuantum)]
            } else {
                status = .confirmed
            }
        case (.confirmation, .joiner, .confirming):
            status = .confirmed
            step.events = [.joined]
        case (.hello, .initiator, .greeting):
            status = .ready
            step.events = [.con(isPostQuantum: sendsPostQuantum)]
        default: deliveredRotation(kind, &step)
        }
        return step
    }
}

extension Connection {
    /// Returns the stored skipped keys that ``receive(_:at:skipped:random:)`` can need for a message.
    ///
    /// - Throws: The error of `store`.
    public func skippedKeys<Store: SkippedKeyStore>(
        for message: OpenedMessage, in store: Store
    ) throws(Store.Failure) -> SkippedKeys {
        guard case .message(let encrypted) = message.envelope.content, let ratchet else { return SkippedKeys() }
        return try ratchet.skippedKeys(for: encrypted, in: store)
    }

    /// Reads a message that was opened with ``ReceiveQueue/open(_:)``.
    ///
    /// - Parameters:
    ///   - time: The time at which the relay received the message.
    ///   - skipped: The stored skipped keys: all, or those of ``skippedKeys(for:in:)``.
    /// - Throws: ``ReceptionError``.
    public mutating func receive(
        _ message: OpenedMessage, at time: Timestamp, skipped: SkippedKeys, random: any RandomSource
    ) throws(ReceptionError) -> ConnectionStep {
        switch message.envelope.content {
        case .confirmation(let parameters?, let encrypted):
            return try receiveConfirmation(message, parameters, encrypted, random: random)
        case .confirmation(nil, let encrypted):
            return try receiveAnswer(message, encrypted, random: random)
        case .message(let encrypted):
            upgrade(to: message.envelope.version)
            var step = try receiveMessage(encrypted, at: time, skipped: skipped, random: random)
            noteQueue(message.queueID, &step)
            continueRotation(&step)
            return step
        case .ratchetKey(let parameters, let info):
            upgrade(to: message.envelope.version)
            var step = try receiveRatchetKeys(parameters, info: info, at: time, random: random)
            noteQueue(message.queueID, &step)
            return step
        case .invitation(let link, let information):
            return try receiveRequest(link: link, information: information)
        }
    }

    /// Tells the sender to continue, after a full queue was emptied (QCONT).
    public mutating func receiveQuota(of queue: ReceiveQueue) throws(Connection.Failure) -> ConnectionStep {
        var step = ConnectionStep()
        guard canSend else { return step }
        step.tasks = [.send(try message(.queueContinue(queue.senderAddress), kind: .control, notifies: false))]
        return step
    }

    // MARK: - Confirmations

    /// Reads the joiner's confirmation, which starts the initiator's ratchet.
    private mutating func receiveConfirmation(
        _ message: OpenedMessage, _ parameters: RatchetParameters, _ encrypted: Bytes, random: any RandomSource
    ) throws(ReceptionError) -> ConnectionStep {
        guard role == .initiator, status == .new, let keys = agreementKeys else { throw .unexpected }
        guard AgentVersion.supported.contains(message.envelope.version),
            RatchetVersion.supported.contains(parameters.version)
        else { throw .incompatible }
        agentVersion = message.envelope.version
        isPostQuantum =
            isPostQuantum
            && PostQuantumSupport.isPossible(agentVersion: agentVersion, ratchetVersion: parameters.version)
        do throws(RatchetError) {
            ratchet = try RatchetState.initiator(
                own: keys, peer: parameters, maximumVersion: RatchetVersion.supported.max, isPostQuantum: isPostQuantum,
                random: RandomRatchetKeys(random))
        } catch {
            throw .ratchet(error)
        }
        let plain = try decrypt(encrypted, skipped: SkippedKeys(), random: random).message
        guard case .connectionInfoReply(let replies, let information) = try AgentMessage(received: plain),
            let reply = replies.first
        else { throw .unexpected }
        guard MessageEnvelope.versions.contains(reply.version) else { throw .incompatible }
        guard let queue = try? SendQueue(reply, random: random) else { throw .notAuthentic }
        received.advance(over: plain)
        receiveQueue?.sender = message.sender
        sendQueue = queue
        waitingSenderKey = message.senderKey
        agreementKeys = nil
        status = .requested
        var step = ConnectionStep()
        step.events = [.conf(information: information, supportsPostQuantum: isPostQuantum)]
        return step
    }

    /// Reads the initiator's confirmation, which ends the handshake unless this side has to secure the reply queue.
    private mutating func receiveAnswer(
        _ message: OpenedMessage, _ encrypted: Bytes, random: any RandomSource
    ) throws(ReceptionError) -> ConnectionStep {
        guard role == .joiner, status == .confirmed || status == .confirming else { throw .unexpected }
        let decrypted = try decrypt(encrypted, skipped: SkippedKeys(), random: random)
        guard case .connectionInfo(let information) = try AgentMessage(received: decrypted.message) else {
            throw .unexpected
        }
        received.advance(over: decrypted.message)
        receiveQueue?.sender = message.sender
        var step = ConnectionStep()
        step.events = [.info(information, supportsPostQuantum: isPostQuantum)]
        if let senderKey = message.senderKey {
            status = .greeting
            step.tasks = [.secureReceiveQueue(senderKey), .send(try hello())]
        } else {
            status = .ready
            step.events.append(.con(isPostQuantum: decrypted.isPostQuantum))
        }
        return step
    }

    // MARK: - Messages

    private mutating func receiveMessage(
        _ encrypted: Bytes, at time: Timestamp, skipped: SkippedKeys, random: any RandomSource
    ) throws(ReceptionError) -> ConnectionStep {
        var couldSend = ratchet?.sending != nil
        let decrypted: DecryptedMessage
        do throws(ReceptionError) {
            decrypted = try decrypt(encrypted, skipped: skipped, random: random)
        } catch {
            guard let waiting = decryptWaiting(encrypted, random: random) else { throw error }
            if holdFirstMessage(waiting, at: time) { return ConnectionStep() }
            ratchet = waiting.state
            (decrypted, couldSend) = (waiting, false)
        }
        var step = ConnectionStep()
        step.skipped = decrypted.skipped
        noteDecryption(&step)
        guard let message = try? AgentMessage(decoding: decrypted.message),
            case .message(let header, let body) = message
        else {
            // The ratchet advances: the next message stays readable.
            step.problem = .unexpected
            return step
        }
        let integrity = received.receive(header, message: decrypted.message)
        switch body {
        case .content(let body):
            let message = ReceivedMessage(
                number: header.number, hash: received.lastHash, relayTime: time, integrity: integrity,
                isPostQuantum: decrypted.isPostQuantum, body: body)
            step.events.append(.msg(message))
        case .hello: try receiveHello(&step, isPostQuantum: decrypted.isPostQuantum)
        case .receipts(let receipts): step.events.append(.rcvd(receipts))
        case .queueContinue:
            step.canContinue = true
            step.events.append(.qcont)
        case .queueAdd(let offers): receiveOffer(offers, &step, at: time, random: random)
        case .queueKey(let keys): receiveKeys(keys, &step)
        case .queueUse(let uses): receiveUse(uses, &step)
        // The message has no content.
        case .queueTest: break
        case .ratchetReady: receiveReady(couldSend: couldSend, &step)
        }
        return step
    }

    private mutating func receiveHello(
        _ step: inout ConnectionStep, isPostQuantum: Bool
    ) throws(ReceptionError) {
        switch (role, status) {
        case (.initiator, .confirmed), (.initiator, .confirming):
            status = .greeting
            step.tasks.append(.send(try hello()))
        case (.joiner, .greeting):
            status = .ready
            step.events.append(.con(isPostQuantum: isPostQuantum))
        default: break
        }
    }

    private mutating func hello() throws(ReceptionError) -> OutgoingMessage {
        do throws(Connection.Failure) {
            return try message(.hello, kind: .hello, notifies: true)
        } catch .ratchet(let error) {
            throw .ratchet(error)
        } catch {
            throw .unexpected
        }
    }

    /// Raises the agreed version to the newer version in a message.
    private mutating func upgrade(to version: UInt16) {
        agentVersion = max(agentVersion, min(version, AgentVersion.supported.max))
    }

    private mutating func decrypt(
        _ encrypted: Bytes, skipped: SkippedKeys, random: any RandomSource
    ) throws(ReceptionError) -> DecryptedMessage {
        guard let ratchet else { throw .unexpected }
        do throws(RatchetError) {
            let decrypted = try ratchet.decrypting(encrypted, skipped: skipped, random: RandomRatchetKeys(random))
            self.ratchet = decrypted.state
            return decrypted
        } catch {
            throw .ratchet(error)
        }
    }
}

extension AgentMessage {
    /// Reads a decrypted message.
    fileprivate init(received bytes: Bytes) throws(ReceptionError) {
        do throws(DecodeError) { try self.init(decoding: bytes) } catch { throw .malformed(error) }
    }
}

extension Connection {
    /// The largest number of receipts in one message: the count is one byte, and they fit into any ratchet message.
    public static let mostReceipts = 255

    /// Sends delivery receipts for messages of the other side (smp-agent.md 7.10). Returns nil if the connection cannot
    /// send now; the caller may retry later.
    public mutating func confirm(_ receipts: [MessageReceipt]) throws(Connection.Failure) -> ConnectionStep? {
        guard canSend, !receipts.isEmpty, receipts.count <= Connection.mostReceipts,
            agentVersion >= AgentVersion.receipts
        else { return nil }
        var step = ConnectionStep()
        step.tasks = [.send(try message(.receipts(receipts), kind: .receipts, notifies: false))]
        return step
    }
}

extension Connection {
    /// The SHA-256 of the ratchet's associated data, equal on both sides unless an attacker is in the middle. Nil
    /// without a ratchet; a new ratchet has a new hash.
    public var securityHash: Bytes? {
        ratchet.map { SHA256.hash($0.associatedData) }
    }
}

/// The condition of a connection: its relays, rotations and ratchet synchronisation.
public struct ConnectionCondition: Hashable, Sendable {
    /// The agreed agent version.
    public let agentVersion: UInt16
    /// The relays of the own queues, the one in use first.
    public let receiveServers: [ServerAddress]
    /// The relays of the other side's queues, the one in use first.
    public let sendServers: [ServerAddress]
    /// The synchronisation of the ratchets.
    public let synchronization: RatchetSynchronization
    /// True if the own queue is in rotation.
    public let isSwitching: Bool
    /// True if the rotation can be aborted.
    public let canAbortSwitch: Bool

    /// Creates a condition received from another process.
    public init(
        agentVersion: UInt16, receiveServers: [ServerAddress], sendServers: [ServerAddress],
        synchronization: RatchetSynchronization, isSwitching: Bool, canAbortSwitch: Bool
    ) {
        self.agentVersion = agentVersion
        self.receiveServers = receiveServers
        self.sendServers = sendServers
        self.synchronization = synchronization
        self.isSwitching = isSwitching
        self.canAbortSwitch = canAbortSwitch
    }

    /// Reads the condition of a connection.
    public init(_ connection: Connection) {
        agentVersion = connection.agentVersion
        receiveServers = [connection.receiveQueue?.server, connection.receiveRotation?.queue?.server].compactMap { $0 }
        sendServers = [connection.sendQueue?.server, connection.sendRotation?.queue?.server].compactMap { $0 }
        synchronization = connection.synchronization
        isSwitching = connection.receiveRotation != nil
        canAbortSwitch = connection.receiveRotation?.canAbort == true
    }
}
