public import ByteCoding
public import CryptoCore
public import Ratchet
public import SMPProtocol

extension Connection {
    // MARK: - The initiator

    /// Creates a connection that waits for its joiner in a new queue (smp-agent.md 7.6).
    ///
    /// - Parameter postQuantum: The use of the KEM, and whether the link proposes a key for it.
    public static func initiator(
        _ queue: ReceiveQueue, random: any RandomSource, postQuantum: PostQuantumSupport
    ) -> Connection {
        let keys = X3DHPrivateKeys(proposesKEM: postQuantum == .inLink, random: RandomRatchetKeys(random))
        return Connection(
            role: .initiator, status: .new, agentVersion: AgentVersion.supported.max,
            isPostQuantum: postQuantum != .off, agreementKeys: keys, ratchet: nil, sent: MessageSequence(),
            received: MessageSequence(), ownInformation: nil, waitingSenderKey: nil, receiveQueue: queue, sendQueue: nil
        )
    }

    /// The link of a connection without a joiner.
    public var invitation: ConnectionRequest? {
        guard role == .initiator, status == .new, let receiveQueue, let agreementKeys else { return nil }
        return .invitation(
            ConnectionQueues(versions: AgentVersion.supported, queues: [receiveQueue.address]),
            agreementKeys.offer(RatchetVersion.supported))
    }

    /// Accepts the joiner and sends the own connection information.
    ///
    /// - Throws: ``Connection/Failure/notReady``, ``Connection/Failure/tooLarge(limit:)``.
    public mutating func allow(_ information: Bytes) throws(Connection.Failure) -> ConnectionStep {
        guard role == .initiator, status == .requested, let sendQueue else { throw .notReady }
        var step = ConnectionStep()
        if let waitingSenderKey { step.tasks.append(.secureReceiveQueue(waitingSenderKey)) }
        waitingSenderKey = nil
        if sendQueue.senderCanSecure { step.tasks.append(.secureSendQueue) }
        step.tasks.append(.send(try confirmation(.connectionInfo(information), parameters: nil)))
        status = .confirming
        return step
    }

    // MARK: - The joiner

    /// Creates a connection through the link of another side (smp-agent.md 7.6).
    ///
    /// Store its keys before sending: the relay accepts no other key for the queue that they secured.
    ///
    /// - Parameters:
    ///   - replyServer: The relay of the reply queue, for the size of the confirmation.
    ///   - postQuantum: The use of the KEM: this side accepts a key of the link, or proposes one.
    /// - Throws: ``Connection/Failure/incompatible``, ``Connection/Failure/invalidKey``,
    ///   ``Connection/Failure/tooLarge(limit:)``.
    public static func joiner(
        _ queues: ConnectionQueues, _ offer: RatchetOffer, information: Bytes, replyServer: ServerAddress,
        random: any RandomSource, postQuantum: PostQuantumSupport
    ) throws(Connection.Failure) -> (Connection, ConnectionStep) {
        guard let agentVersion = queues.versions.agreed(with: AgentVersion.supported),
            let address = queues.first.agreed(with: MessageEnvelope.versions),
            let ratchetVersion = offer.versions.agreed(with: RatchetVersion.supported)
        else { throw .incompatible }
        let sendQueue: SendQueue
        let isPostQuantum = postQuantum.isUsed(agentVersion: agentVersion, ratchetVersion: ratchetVersion)
        let keys: X3DHPrivateKeys
        let ratchet: RatchetState
        do {
            sendQueue = try SendQueue(address, random: random)
            keys = try X3DHPrivateKeys(
                answering: offer.parameters(for: ratchetVersion), usesKEM: isPostQuantum,
                random: RandomRatchetKeys(random))
            ratchet = try RatchetState.joiner(
                own: keys, peer: offer.parameters(for: ratchetVersion), maximumVersion: RatchetVersion.supported.max,
                random: RandomRatchetKeys(random))
        } catch {
            throw .invalidKey
        }
        let connection = Connection(
            role: .joiner, status: .confirming, agentVersion: agentVersion, isPostQuantum: isPostQuantum,
            agreementKeys: keys, ratchet: ratchet, sent: MessageSequence(), received: MessageSequence(),
            ownInformation: information, waitingSenderKey: nil, receiveQueue: nil, sendQueue: sendQueue)
        try connection.checkSize(of: information, replyServer: replyServer)
        var step = ConnectionStep()
        if sendQueue.senderCanSecure { step.tasks.append(.secureSendQueue) }
        let senderSecuresReply = agentVersion >= AgentVersion.senderSecuresReply
        step.tasks.append(.createReplyQueue(mode: senderSecuresReply ? .messaging : nil))
        return (connection, step)
    }

    /// Makes the confirmation after the relay created the reply queue.
    ///
    /// - Throws: ``Connection/Failure``.
    public mutating func created(_ queue: ReceiveQueue) throws(Connection.Failure) -> ConnectionStep {
        guard role == .joiner, status == .confirming, receiveQueue == nil, let information = ownInformation,
            let keys = agreementKeys, let ratchet, let sendQueue
        else { throw .notReady }
        receiveQueue = queue
        ownInformation = nil
        agreementKeys = nil
        let reply = AgreedQueueAddress(version: sendQueue.version, location: queue.location)
        var step = ConnectionStep()
        step.tasks = [
            .send(
                try confirmation(
                    .connectionInfoReply([reply], info: information), parameters: keys.parameters(for: ratchet.version))
            )
        ]
        return step
    }

    private func checkSize(of information: Bytes, replyServer: ServerAddress) throws(Connection.Failure) {
        let location = QueueLocation(
            server: replyServer, senderID: EntityID(Bytes(repeating: 0, count: SMP.idSize)),
            dhKey: X25519.PublicKey(checkedRaw: Bytes(repeating: 0, count: 32)), mode: .messaging)
        let reply = AgreedQueueAddress(version: MessageEnvelope.versions.max, location: location)
        let overhead = AgentMessage.connectionInfoReply([reply], info: []).encoded.count
        let limit = PaddedSize.connectionInfo(postQuantum: isPostQuantum) - Padding.lengthSize - overhead
        guard information.count <= limit else { throw .tooLarge(limit: limit) }
    }

    private mutating func confirmation(
        _ message: AgentMessage, parameters: RatchetParameters?
    ) throws(Connection.Failure) -> OutgoingMessage {
        let encoded = message.encoded
        let number = sent.nextHeader.number
        let encrypted = try encrypt(
            encoded, paddedSize: PaddedSize.connectionInfo(postQuantum: leavesRoom), postQuantum: isPostQuantum)
        return OutgoingMessage(
            kind: .confirmation, number: number, hash: sent.lastHash, notifies: true,
            envelope: AgentEnvelope(version: agentVersion, .confirmation(parameters, encrypted: encrypted)).encoded)
    }
}
