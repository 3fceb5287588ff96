import AgentProtocol
import ByteCoding
import ChatProtocol
import SMPClient
import SMPProtocol
import SecureTransport

/// Messages that are held up on their way.
extension LocalCore {
    /// A message is not with its relay yet, and will not be at once. It stands with the message until the relay has it.
    func recordWarning(_ id: ConnectionID, _ token: Bytes?, _ error: SessionError) throws {
        guard context.failure == nil, let problem = ChatItem.SendProblem(warning: error) else { return }
        let updated: LocatedItem? = try store.transaction {
            if problem == .quota { try store.countQuotaError(of: id) }
            guard let token, !token.isEmpty, let contactID = try store.connection(id)?.contactID,
                let item = try store.item(SharedMessageID(token), .sent, in: .direct(contactID)), item.status.isUnsent,
                item.status != .sendWarning(problem)
            else { return nil }
            try store.update(item.id, status: .sendWarning(problem))
            return LocatedItem(chat: .direct(try lookup.contact(contactID)), item: try lookup.item(item.id))
        }
        if let updated { tell(ItemsUpdatedEvent(profile: try lookup.owner(updated.chat.profileID), items: [updated])) }
    }
}

extension ChatItem.SendProblem {
    /// What a person has to know of, because it does not pass by itself; nil for networks that come and go. Source: the
    /// reference implementation.
    fileprivate init?(warning error: SessionError) {
        switch error {
        case .refused(.quota): self = .quota
        case .connection(.unknownHost), .refused(.proxy(.broker(.host))): self = .host
        case .handshake(.version), .refused(.proxy(.broker(.transport(.version)))): self = .version
        case .forwarder(let error): self.init(warning: error)
        default: return nil
        }
    }
}
