import AgentProtocol
import CryptoCore
import SMPClient
import SMPProtocol

/// A queue that is asked for, with a short link if the relay knows them.
final class QueueAttempt {
    private let server: ConfiguredServer
    private let new: NewLinkedQueue
    private let linked: RelayCommand
    private let plainKeys: NewQueueKeys
    private let plain: RelayCommand
    private var isLinked = false

    /// Fails if the link cannot be made, as with a record that is too large.
    init(
        _ new: NewLinkedQueue, mode: QueueMode, showing record: UserLinkRecord, on server: ConfiguredServer,
        random: any RandomSource
    ) throws(LinkError) {
        self.server = server
        self.new = new
        let request = try new.request(
            showing: record, password: server.password, subscription: .createOnly, random: random)
        linked = RelayCommand(.new(request), key: new.authorizationKey, correlationID: new.correlationID)
        plainKeys = NewQueueKeys(random: random)
        plain = plainKeys.command(mode: mode, password: server.password)
    }

    /// NEW for a relay that speaks `version`.
    func command(version: UInt16) -> RelayCommand {
        isLinked = version >= SMP.shortLinks
        return isLinked ? linked : plain
    }

    /// The queue in the answer.
    func made(_ answer: RelaySession.Answer) throws(AgentError) -> MadeQueue {
        switch answer {
        case .success(.ids(let ids)):
            if isLinked, let made = try? new.made(ids) { return MadeQueue(queue: made.queue, link: made.link) }
            guard !isLinked, let queue = try? plainKeys.queue(on: server.address, ids: ids) else {
                throw .relay(server.address, .unexpectedAnswer)
            }
            return MadeQueue(queue: queue, link: nil)
        case .success: throw .relay(server.address, .unexpectedAnswer)
        case .failure(let error): throw .relay(server.address, error)
        }
    }
}
