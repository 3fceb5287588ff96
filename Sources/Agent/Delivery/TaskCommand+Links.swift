import AgentProtocol
import ByteCoding
import CryptoCore
import SMPClient
import SMPProtocol

/// The commands about short links and addresses.
extension TaskCommand {
    /// LKEY for an invitation, LGET for an address.
    static func opening(
        _ link: ShortLink, _ means: TaskMeans
    ) throws(Connection.Failure) -> (ServerAddress, RelayCommand) {
        guard let server = try? link.usableServer() else { throw .incompatible }
        guard link.kind == .invitation else { return (server, RelayCommand(.lget, entityID: link.linkID)) }
        return (server, RelayCommand(opening: link, with: try require(means.openingKey)))
    }

    static func requesting(
        _ envelope: Bytes, _ target: AgreedQueueAddress, _ means: TaskMeans
    ) throws(Connection.Failure) -> RelayCommand {
        do throws(CryptoError) {
            return RelayCommand(
                try target.requesting(envelope, random: means.random), entityID: target.location.senderID)
        } catch {
            throw .libraryFailed
        }
    }

    static func setting(
        _ record: UserLinkRecord, of queue: ReceiveQueue, _ means: TaskMeans
    ) throws(Connection.Failure) -> RelayCommand {
        guard let command = try? means.ownedLink?.setting(record, random: means.random) else { throw .notReady }
        return RelayCommand(command, entityID: queue.recipientID, key: .ed25519(queue.authorizationKey))
    }
}

extension RelayCommand {
    /// LKEY, which secures the queue with the key that authorizes it.
    init(opening link: ShortLink, with key: Ed25519.PrivateKey) {
        self.init(.lkey(.ed25519(key.publicKey)), entityID: link.linkID, key: .ed25519(key))
    }
}
