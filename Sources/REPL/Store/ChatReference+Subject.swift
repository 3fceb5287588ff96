import ChatCore
import Navigation

extension ChatReference {
    init(_ subject: ChatSubject) {
        switch subject {
        case .contact(let number): self = .direct(ContactID(number))
        case .group(let number): self = .group(GroupID(number))
        case .notes(let number): self = .notes(NoteFolderID(number))
        }
    }

    /// The same for screens.
    var subject: ChatSubject {
        switch self {
        case .direct(let id): .contact(id.number)
        case .group(let id): .group(id.number)
        case .notes(let id): .notes(id.number)
        }
    }
}

extension ChatScreen {
    init(_ chat: ChatReference) {
        self.init(chat.subject)
    }
}
