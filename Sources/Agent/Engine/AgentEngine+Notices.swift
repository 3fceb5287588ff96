import ByteCoding
import SMPProtocol

/// Relays that refuse new addresses after abuse (SMP v18).
extension AgentEngine {
    /// Stores the notice with which a relay blocks a queue, or removes the notice of a queue without one.
    func note(_ notice: Blocking.Notice?, of recipientID: EntityID, at server: ServerAddress) throws {
        let known = try noticedQueues ?? store.noticedQueues()
        noticedQueues = known
        guard notice != nil || known.contains(recipientID) else { return }
        try commit { _ in
            if let notice {
                try store.insertNotice(of: recipientID, at: server, seconds: notice.seconds, now())
            } else {
                try store.removeNotice(of: recipientID, at: server)
            }
        }
        if notice == nil { noticedQueues?.remove(recipientID) } else { noticedQueues?.insert(recipientID) }
    }

    /// Refuses a new address on a relay that gave a notice. All relays of the presets count as one. The durations of
    /// several notices add up from the latest one.
    ///
    /// - Throws: ``AgentError/notice(_:isPreset:until:)``.
    func refuseNoticed(_ server: ServerAddress, isPreset: (ServerAddress) -> Bool) throws {
        let isShared = isPreset(server)
        let notices = try store.notices().filter { isShared ? isPreset($0.server) : $0.server == server }
        guard let latest = notices.map(\.notedAt).max() else { return }
        var end: Timestamp?
        if notices.allSatisfy({ $0.seconds != nil }) {
            let total = notices.compactMap(\.seconds).reduce(0, +)
            end = (latest + .seconds(total)).clamped
        }
        guard end.map({ now() < $0 }) ?? true else { return }
        throw AgentError.notice(server, isPreset: isShared, until: end)
    }
}
