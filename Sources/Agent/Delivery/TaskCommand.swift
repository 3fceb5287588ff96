import AgentProtocol
import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol

/// The inputs of a command besides its connection.
struct TaskMeans {
    /// Chooses the server for a new queue, called only if one is created.
    let queueServer: () -> ConfiguredServer?
    /// The key that secures an invitation on opening.
    let openingKey: Ed25519.PrivateKey?
    /// The connection's own short link.
    let ownedLink: OwnedLink?
    let random: any RandomSource
}

/// The command of one attempt at a task, with its relay.
struct TaskCommand {
    let server: ServerAddress
    let command: RelayRequest
    /// The keys of a queue that the command creates.
    var newQueue: NewQueueKeys?

    /// Creates the command, or returns nil if there is no queue or link to delete.
    init?(
        _ task: ConnectionTask, of connection: Connection, _ means: TaskMeans
    ) throws(Connection.Failure) {
        switch task {
        case .secureSendQueue:
            let queue = try TaskCommand.require(connection.sendQueue)
            server = queue.server
            command = RelayRequest(queue.securing, entityID: queue.senderID, key: queue.authorizationKey)
        case .createReplyQueue(let mode):
            (server, command, newQueue) = try TaskCommand.newQueue(mode, means)
        case .createRequestQueue, .createNextQueue:
            (server, command, newQueue) = try TaskCommand.newQueue(.messaging, means)
        case .secureReceiveQueue(let senderKey), .secureNextQueue(let senderKey):
            var queue = try TaskCommand.require(connection.receiveQueue)
            if case .secureNextQueue = task { queue = try TaskCommand.require(connection.receiveRotation?.queue) }
            server = queue.server
            command = RelayRequest(
                .key(senderKey), entityID: queue.recipientID, key: queue.authorizationKey)
        case .send(let message):
            let queue = try TaskCommand.require(connection.sendQueue)
            server = queue.server
            let key: AuthorizationPrivateKey? = queue.authorizes(message.kind) ? queue.authorizationKey : nil
            do throws(CryptoError) {
                command = RelayRequest(
                    try queue.sending(message, random: means.random), entityID: queue.senderID, key: key)
            } catch {
                throw .libraryFailed
            }
        case .deleteReceiveQueue:
            guard let queue = connection.receiveQueue else { return nil }
            server = queue.server
            command = RelayRequest(.del, entityID: queue.recipientID, key: queue.authorizationKey)
        case .openLink(let link): (server, command) = try TaskCommand.opening(link, means)
        case .sendRequest(let envelope, let target):
            server = target.location.server
            command = try TaskCommand.requesting(envelope, target, means)
        case .setLink(let record):
            let queue = try TaskCommand.require(connection.receiveQueue)
            server = queue.server
            command = try TaskCommand.setting(record, of: queue, means)
        case .deleteLink:
            guard means.ownedLink != nil, let queue = connection.receiveQueue else { return nil }
            server = queue.server
            command = RelayRequest(.ldel, entityID: queue.recipientID, key: queue.authorizationKey)
        }
    }

    private static func newQueue(
        _ mode: QueueMode?, _ means: TaskMeans
    ) throws(Connection.Failure) -> (ServerAddress, RelayRequest, NewQueueKeys) {
        let queueServer = try require(means.queueServer())
        let keys = NewQueueKeys(random: means.random)
        return (queueServer.address, keys.command(mode: mode, password: queueServer.password), keys)
    }

    static func require<Value>(_ value: Value?) throws(Connection.Failure) -> Value {
        guard let value else { throw .notReady }
        return value
    }

    /// Returns the result of the task for a response, or nil if the task has to be retried.
    func result(of answer: RelaySession.Answer) -> TaskResult? {
        switch answer {
        case .success(.ok): .done
        case .success(.lnk(let senderID, let blobs)): .linked(senderID: senderID, blobs)
        case .success(.ids(let ids)):
            (try? newQueue?.queue(on: server, ids: ids)).flatMap { $0 }.map(TaskResult.created)
        case .failure(.refused(let error)): TaskCommand.isFinal(error) ? .refused(error) : nil
        case .failure(.tooLarge), .failure(.unusableKey): .unsendable
        case .success, .failure: nil
        }
    }

    /// Returns true if the relay will always respond with this error.
    private static func isFinal(_ error: ProtocolError) -> Bool {
        switch error {
        case .authorization, .blocked, .command, .service, .largeMessage: true
        case .block, .session, .proxy, .crypto, .quota, .store, .noMessage, .expired, .internal, .duplicate, .name:
            false
        }
    }
}

extension NewQueueKeys {
    /// Returns NEW without a subscription: receiving subscribes all queues in the same way.
    func command(mode: QueueMode?, password: ServerPassword?) -> RelayRequest {
        RelayRequest(
            .new(request(mode: mode, password: password, subscription: .createOnly)), key: authorizationKey)
    }
}

/// The commands about short links and addresses.
extension TaskCommand {
    /// Returns LKEY for an invitation, LGET for an address.
    static func opening(
        _ link: ShortLink, _ means: TaskMeans
    ) throws(Connection.Failure) -> (ServerAddress, RelayRequest) {
        guard let server = try? link.usableServer() else { throw .incompatible }
        guard link.kind == .invitation else { return (server, RelayRequest(.lget, entityID: link.linkID)) }
        return (server, RelayRequest(opening: link, with: try require(means.openingKey)))
    }

    static func requesting(
        _ envelope: Bytes, _ target: AgreedQueueAddress, _ means: TaskMeans
    ) throws(Connection.Failure) -> RelayRequest {
        do throws(CryptoError) {
            return RelayRequest(
                try target.requesting(envelope, random: means.random), entityID: target.location.senderID)
        } catch {
            throw .libraryFailed
        }
    }

    static func setting(
        _ record: UserLinkRecord, of queue: ReceiveQueue, _ means: TaskMeans
    ) throws(Connection.Failure) -> RelayRequest {
        guard let command = try? means.ownedLink?.setting(record, random: means.random) else { throw .notReady }
        return RelayRequest(command, entityID: queue.recipientID, key: queue.authorizationKey)
    }
}

extension RelayRequest {
    /// Creates LKEY, which secures the queue with the key that authorizes the command.
    init(opening link: ShortLink, with key: Ed25519.PrivateKey) {
        self.init(.lkey(.ed25519(key.publicKey)), entityID: link.linkID, key: .ed25519(key))
    }
}
