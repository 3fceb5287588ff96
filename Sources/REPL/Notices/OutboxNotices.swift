import AgentProtocol
import ChatCore
import TerminalKit

/// Notices of sent messages that stay in the outbox, or that do not disappear.
final class OutboxNotices {
    /// The time in which a message usually reaches its relay.
    static let delay = Duration.seconds(3)

    private let reader: StoreReader
    private let display: Display
    private let scheduler: any Scheduler
    /// Returns the chat on the screen.
    var conversation: () -> ChatReference? = { nil }
    /// Messages of which it was said, or could have been said, that they wait.
    private var waiting: Set<ChatItemID> = []

    init(reader: StoreReader, display: Display, scheduler: any Scheduler) {
        (self.reader, self.display, self.scheduler) = (reader, display, scheduler)
    }

    /// Notes messages that were just given to the outbox.
    func note(_ items: [LocatedItem]) {
        if items.contains(where: { $0.chat.expiry != nil && $0.item.ttl == nil }) {
            let others = items.contains { $0.chat.group != nil } ? "group" : "contact"
            display.notify("the message does not expire: the \(others) does not allow disappearing messages")
        }
        let ids = items.map(\.item.id)
        scheduler.after(OutboxNotices.delay) { [weak self] in
            guard let self else { return }
            scheduler.start { await self.warn(of: ids) }
        }
    }

    /// Says that messages wait. Once, until all are sent.
    private func warn(of ids: [ChatItemID]) async {
        let wasSilent = waiting.isEmpty
        var targets: [ChatItemID: String] = [:]
        for id in ids {
            let located = await reader.failures.value { try await reader.item(id.number) }
            guard let located, located.item.status.isUnsent else { continue }
            waiting.insert(id)
            if located.item.chat != conversation() {
                targets[id] = Display.target(located.chat.name, located.item.chat)
            }
        }
        guard wasSilent, let first = waiting.min() else { return }
        let target = targets[first].map { " to \($0)" } ?? ""
        display.say("message \(first.number)\(target) stays in the outbox until its relay is reachable", .warning)
    }

    /// Says that all messages that waited are sent.
    func update(_ items: [LocatedItem]) {
        guard !waiting.isEmpty else { return }
        waiting.subtract(items.filter { !$0.item.status.isUnsent }.map(\.item.id))
        if waiting.isEmpty { display.say("the queued messages were sent", .success) }
    }
}
