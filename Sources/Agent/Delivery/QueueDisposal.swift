import AgentProtocol
import SMPClient
import SMPProtocol

/// The deletion of unused queues at their relays. It runs independently: it waits for no other task and delays none.
final class QueueDisposal {
    private let engine: AgentEngine
    private let link: (LinkKey) -> RelayLink
    private var busy: Set<Int64> = []
    /// The queues whose relay was unreachable. It is tried again with the next session or the next start.
    private var failed: Set<Int64> = []
    var onFailure: (any Error) -> Void = { _ in }

    init(engine: AgentEngine, link: @escaping (LinkKey) -> RelayLink) {
        self.engine = engine
        self.link = link
    }

    /// True if no command waits for a response.
    var isIdle: Bool { busy.isEmpty }

    /// Sends the deletions that were not sent yet.
    func wake() throws {
        for queue in try engine.store.discardedQueues() where !busy.contains(queue.id) && !failed.contains(queue.id) {
            busy.insert(queue.id)
            let command = RelayRequest(.del, entityID: queue.recipientID, key: queue.key)
            link(LinkKey(profileID: queue.profileID, server: queue.server)).send(command) { [weak self] answer in
                self?.finish(queue, answer)
            }
        }
    }

    /// Retries after a session with a relay began.
    func opened() {
        guard !failed.isEmpty else { return }
        failed = []
        do { try wake() } catch { onFailure(error) }
    }

    func stop() {
        busy = []
        failed = []
    }

    private func finish(_ queue: DiscardedQueue, _ answer: RelaySession.Answer) {
        guard busy.remove(queue.id) != nil else { return }
        switch answer {
        case .success(.ok), .failure(.refused(.authorization)), .failure(.unusableKey), .failure(.tooLarge):
            do { try engine.removeDiscarded(queue.id) } catch { onFailure(error) }
        case .success, .failure: failed.insert(queue.id)
        }
    }
}
