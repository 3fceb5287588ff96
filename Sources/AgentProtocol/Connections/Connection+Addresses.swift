public import ByteCoding
public import CryptoCore
import Ratchet
public import SMPProtocol

extension Connection {
    // MARK: - The owner of an address

    /// Creates an address: a queue for the requests of many senders. Each accepted request leads to a separate
    /// connection.
    public static func address(_ queue: ReceiveQueue) -> Connection {
        Connection(
            role: .address, status: .new, agentVersion: AgentVersion.supported.max, isPostQuantum: false,
            agreementKeys: nil, ratchet: nil, sent: MessageSequence(), received: MessageSequence(),
            ownInformation: nil, waitingSenderKey: nil, receiveQueue: queue, sendQueue: nil)
    }

    /// The full link of an address.
    public var address: ConnectionRequest? {
        guard role == .address, status == .new, let receiveQueue else { return nil }
        return .contact(ConnectionQueues(versions: AgentVersion.supported, queues: [receiveQueue.address]))
    }

    /// Reads a request to the address: an invitation to a queue of the requester (smp-agent.md 7.8).
    func receiveRequest(link text: String, information: Bytes) throws(ReceptionError) -> ConnectionStep {
        guard role == .address else { throw .unexpected }
        let request: ConnectionRequest
        do throws(DecodeError) { request = try ConnectionRequest(text: text) } catch { throw .malformed(error) }
        // SECURITY: the request is stored as text. A request that could not be read again would block all others.
        // The canonical text may be longer than the received one, which escaped less.
        let written = request.description
        guard case .invitation(let queues, let offer) = request, written.utf8.count <= UInt16.max,
            (try? ConnectionRequest(text: written)) == request
        else { throw .unexpected }
        guard queues.versions.agreed(with: AgentVersion.supported) != nil,
            queues.first.agreed(with: MessageEnvelope.versions) != nil,
            offer.versions.agreed(with: RatchetVersion.supported) != nil
        else { throw .incompatible }
        var step = ConnectionStep()
        step.events = [.req(request, information: information)]
        return step
    }

    // MARK: - The requester

    /// Creates a connection through the address of another side.
    ///
    /// This side is the initiator of the handshake: it creates a queue and sends an invitation to the owner of the
    /// address.
    ///
    /// - Parameter replyServer: The probable relay of that queue, for the size of the request.
    /// - Throws: ``Connection/Failure/incompatible``, ``Connection/Failure/tooLarge(limit:)``.
    public static func requester(
        _ queues: ConnectionQueues, information: Bytes, replyServer: ServerAddress, random: any RandomSource,
        postQuantum: PostQuantumSupport
    ) throws(Connection.Failure) -> (Connection, ConnectionStep) {
        guard let agentVersion = queues.versions.agreed(with: AgentVersion.supported),
            let target = queues.first.agreed(with: MessageEnvelope.versions)
        else { throw .incompatible }
        // The request is read by a program of at least this version, so it may propose a key.
        let isPostQuantum = postQuantum != .off && agentVersion >= AgentVersion.postQuantum
        let keys = X3DHPrivateKeys(proposesKEM: isPostQuantum, random: RandomRatchetKeys(random))
        let connection = Connection(
            role: .initiator, status: .new, agentVersion: agentVersion, isPostQuantum: isPostQuantum,
            agreementKeys: keys, ratchet: nil, sent: MessageSequence(),
            received: MessageSequence(), ownInformation: information, waitingSenderKey: nil, receiveQueue: nil,
            sendQueue: nil)
        try connection.checkRequest(information, replyServer: replyServer)
        var step = ConnectionStep()
        step.tasks = [.createRequestQueue(for: target)]
        return (connection, step)
    }

    /// Makes the request after the relay created the queue for the response.
    ///
    /// - Throws: ``Connection/Failure``.
    public mutating func created(
        _ queue: ReceiveQueue, for target: AgreedQueueAddress
    ) throws(Connection.Failure) -> ConnectionStep {
        guard role == .initiator, status == .new, receiveQueue == nil, let information = ownInformation else {
            throw .notReady
        }
        receiveQueue = queue
        ownInformation = nil
        guard let invitation else { throw .notReady }
        var step = ConnectionStep()
        step.tasks = [.sendRequest(request(invitation, information), to: target)]
        return step
    }

    /// Records that the relay has the request.
    public func requested() -> ConnectionStep {
        var step = ConnectionStep()
        // The response may have arrived before the relay's.
        if status == .new { step.events = [.joined] }
        return step
    }

    private func request(_ invitation: ConnectionRequest, _ information: Bytes) -> Bytes {
        AgentEnvelope(version: agentVersion, .invitation(link: invitation.description, info: information)).encoded
    }

    private func checkRequest(_ information: Bytes, replyServer: ServerAddress) throws(Connection.Failure) {
        guard let agreementKeys else { throw .notReady }
        let location = QueueLocation(
            server: replyServer, senderID: EntityID(Bytes(repeating: 0, count: SMP.idSize)),
            dhKey: X25519.PublicKey(checkedRaw: Bytes(repeating: 0, count: 32)), mode: .messaging)
        let queues = ConnectionQueues(
            versions: AgentVersion.supported,
            queues: [QueueAddress(versions: MessageEnvelope.versions, location: location)])
        let invitation = ConnectionRequest.invitation(queues, agreementKeys.offer(RatchetVersion.supported))
        let room = MessageEnvelope.confirmationSize - Padding.lengthSize
        guard invitation.description.utf8.count <= room else { throw .tooLarge(limit: 0) }
        let excess = ClientMessage(body: request(invitation, information)).encoded.count - room
        guard excess <= 0 else { throw .tooLarge(limit: information.count - excess) }
    }
}

extension AgreedQueueAddress {
    /// Returns the SEND of a request. Each attempt uses a new key, because the queue of an address has no permanent
    /// senders.
    public func requesting(
        _ envelope: Bytes, random: any RandomSource
    ) throws(CryptoError) -> ClientCommand {
        let key = X25519.PrivateKey(random: random)
        let sealed = try MessageEnvelope(
            sealing: ClientMessage(body: envelope), paddedTo: MessageEnvelope.confirmationSize, version: version,
            showing: key.publicKey, nonce: Nonce(random: random), secret: try key.agree(with: location.dhKey))
        return .send(MessageFlags(notifies: true), body: sealed.encoded)
    }
}

extension ReceiveQueue {
    /// The address for a sender whose versions are unknown.
    var address: QueueAddress {
        QueueAddress(versions: MessageEnvelope.versions, location: location)
    }
}
