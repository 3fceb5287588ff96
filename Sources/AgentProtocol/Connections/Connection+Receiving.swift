public import ByteCoding
public import CryptoCore
public import Ratchet
import SMPProtocol

extension Connection {
    /// Returns the stored keys of overtaken messages that ``receive(_:at:skipped:random:)`` can need for a message.
    public func skippedKeys<Store: SkippedKeyStore>(
        for message: OpenedMessage, in store: Store
    ) throws(Store.Failure) -> SkippedKeys {
        guard case .message(let encrypted) = message.envelope.content, let ratchet else { return SkippedKeys() }
        return try ratchet.skippedKeys(for: encrypted, in: store)
    }

    /// Reads a message that was opened with ``ReceiveQueue/open(_:)``.
    ///
    /// - Parameters:
    ///   - time: When the relay received it.
    ///   - skipped: The stored keys of overtaken messages: all, or those of ``skippedKeys(for:in:)``.
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
            var step = try receiveRatchetKeys(parameters, info: info, random: random)
            noteQueue(message.queueID, &step)
            return step
        case .invitation(let link, let information):
            return try receiveRequest(link: link, information: information)
        }
    }

    /// A queue was full at some time and is empty now: tells the sender to go on.
    public mutating func receiveQuota(of queue: ReceiveQueue) throws(Connection.Failure) -> ConnectionStep {
        var step = ConnectionStep()
        guard canSend else { return step }
        step.tasks = [.send(try message(.queueContinue(queue.senderAddress), kind: .control, notifies: false))]
        return step
    }

    // MARK: - Confirmations

    /// The joiner's confirmation, which begins the ratchet of the initiator.
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

    /// The initiator's confirmation, which ends the handshake unless the reply queue has to be secured by this side.
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
        let couldSend = ratchet?.sending != nil
        let decrypted = try decrypt(encrypted, skipped: skipped, random: random)
        var step = ConnectionStep()
        step.skipped = decrypted.skipped
        noteDecryption(&step)
        guard let message = try? AgentMessage(decoding: decrypted.message),
            case .message(let header, let body) = message
        else {
            // The ratchet goes on: the next message is no less readable.
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
        // It only has to arrive.
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

    /// Goes to the newer version that a message tells of.
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
