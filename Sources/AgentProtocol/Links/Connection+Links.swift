public import ByteCoding
public import CryptoCore
public import Ratchet
public import SMPProtocol

extension Connection {
    /// A connection that waits in a queue that was made together with its short link. `keys` are those that the link offers.
    public static func initiator(
        _ queue: ReceiveQueue, keys: X3DHPrivateKeys, isPostQuantum: Bool
    ) -> Connection {
        Connection(
            role: .initiator, status: .new, agentVersion: AgentVersion.supported.max, isPostQuantum: isPostQuantum,
            agreementKeys: keys, ratchet: nil, sent: MessageSequence(), received: MessageSequence(),
            ownInformation: nil, waitingSenderKey: nil, receiveQueue: queue, sendQueue: nil)
    }

    /// A connection through an invitation whose queue was secured already, when LKEY asked for what is behind its short link.
    ///
    /// Otherwise like ``joiner(_:_:information:replyServer:random:postQuantum:)``.
    ///
    /// - Parameter senderKey: The key of LKEY.
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
}

extension SendQueue {
    /// The queue with another key for the sender's commands.
    fileprivate func authorized(by key: Ed25519.PrivateKey) -> SendQueue {
        SendQueue(
            server: server, senderID: senderID, mode: mode, version: version, authorizationKey: key,
            agreementKey: agreementKey, secret: secret)
    }
}
