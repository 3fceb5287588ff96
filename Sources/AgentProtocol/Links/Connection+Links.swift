public import ByteCoding
public import CryptoCore
public import Ratchet
public import SMPProtocol

extension Connection {
    /// Creates a connection in a queue made together with its short link. `keys` are the private halves of the link's
    /// keys.
    public static func initiator(
        _ queue: ReceiveQueue, keys: X3DHPrivateKeys, isPostQuantum: Bool
    ) -> Connection {
        Connection(
            role: .initiator, status: .new, agentVersion: AgentVersion.supported.max, isPostQuantum: isPostQuantum,
            agreementKeys: keys, ratchet: nil, sent: MessageSequence(), received: MessageSequence(),
            ownInformation: nil, waitingSenderKey: nil, receiveQueue: queue, sendQueue: nil)
    }

    /// Creates a connection through an invitation whose queue LKEY has already secured.
    ///
    /// Otherwise like ``joiner(_:_:information:replyServer:random:postQuantum:)``.
    ///
    /// - Parameter senderKey: The key of LKEY.
    /// - Throws: ``Connection/Failure``.
    public static func joiner(
        _ queues: ConnectionQueues, _ offer: RatchetOffer, securedWith senderKey: Ed25519.PrivateKey,
        information: Bytes, replyServer: ServerAddress, random: any RandomSource, postQuantum: PostQuantumSupport
    ) throws(Connection.Failure) -> (Connection, ConnectionStep) {
        var (connection, step) = try joiner(
            queues, offer, information: information, replyServer: replyServer, random: random,
            postQuantum: postQuantum)
        connection.sendQueue = connection.sendQueue?.authorized(by: senderKey)
        step.tasks.removeAll { if case .secureSendQueue = $0 { true } else { false } }
        return (connection, step)
    }

    /// Creates a connection through a short link, whose records the relay has to return first.
    public static func opener(
        _ link: ShortLink, information: Bytes, postQuantum: PostQuantumSupport
    ) -> (Connection, ConnectionStep) {
        let connection = Connection(
            role: link.kind == .invitation ? .joiner : .initiator, status: .opening,
            agentVersion: AgentVersion.supported.max, isPostQuantum: postQuantum != .off, agreementKeys: nil,
            ratchet: nil,
            sent: MessageSequence(), received: MessageSequence(), ownInformation: information, waitingSenderKey: nil,
            receiveQueue: nil, sendQueue: nil)
        var step = ConnectionStep()
        step.tasks = [.openLink(link)]
        return (connection, step)
    }

    /// Begins the handshake with the records of the short link.
    ///
    /// - Parameter senderKey: The key of LKEY, for an invitation.
    /// - Throws: ``Connection/Failure``.
    public mutating func opened(
        _ link: OpenedLink, securedWith senderKey: Ed25519.PrivateKey?, random: any RandomSource
    ) throws(Connection.Failure) -> ConnectionStep {
        guard status == .opening, let information = ownInformation else { throw .notReady }
        if case .address(_, let record) = link.user, !record.isDirect { throw .incompatible }
        // The relay of the own queue is unknown here; hosts differ little in length.
        let replyServer = link.request.queues.first.location.server
        let postQuantum: PostQuantumSupport = isPostQuantum ? .on : .off
        let step: ConnectionStep
        switch (link.request, senderKey) {
        case (.invitation(let queues, let offer), let senderKey?):
            (self, step) = try Connection.joiner(
                queues, offer, securedWith: senderKey, information: information, replyServer: replyServer,
                random: random, postQuantum: postQuantum)
        case (.contact(let queues), _):
            (self, step) = try Connection.requester(
                queues, information: information, replyServer: replyServer, random: random,
                postQuantum: postQuantum)
        case (.invitation, nil): throw .notReady
        }
        return step
    }
}

extension SendQueue {
    /// Returns the queue with another key for the sender's commands.
    fileprivate func authorized(by key: Ed25519.PrivateKey) -> SendQueue {
        SendQueue(
            server: server, senderID: senderID, mode: mode, version: version, authorizationKey: .ed25519(key),
            agreementKey: agreementKey, secret: secret)
    }
}
