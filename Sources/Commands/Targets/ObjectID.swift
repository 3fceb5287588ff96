package import AgentProtocol
package import ChatCore
import CommandKit

/// The ids that scripts keep: a letter for the kind, and the number in the store. They are never used again for
/// something else.
package enum ObjectID {
    package static func text(_ id: ChatItemID) -> String { "m\(id.number)" }
    package static func text(_ id: ContactID) -> String { "c\(id.number)" }
    package static func text(_ chat: ChatReference) -> String {
        switch chat {
        case .direct, .notes: "c\(chat.number)"
        case .group: "g\(chat.number)"
        }
    }
    package static func text(_ id: ProfileID) -> String { "p\(id.number)" }
    package static func text(_ id: ConnectionID) -> String { "i\(id.number)" }
    package static func text(_ id: ServerID) -> String { "s\(id.number)" }
    package static func text(_ id: RequestID) -> String { "r\(id.number)" }

    /// A message's id.
    static func item(from text: some StringProtocol) -> ChatItemID? {
        guard text.first == "m", let number = Int64(text.dropFirst()), number > 0 else { return nil }
        return ChatItemID(number)
    }

    /// A contact's id.
    package static func contact(from text: some StringProtocol) -> ContactID? {
        guard text.first == "c", let number = Int64(text.dropFirst()), number > 0 else { return nil }
        return ContactID(number)
    }
}

extension ReceivedRequest {
    var objectID: String { ObjectID.text(id) }
    /// What is typed to name it.
    var target: String { "@\(name)" }
}

extension OwnProfile {
    var objectID: String { ObjectID.text(id) }
}

extension Contact {
    var objectID: String { ObjectID.text(id) }
    /// What is typed to name it.
    var target: String { "@\(name)" }
}

extension Chat {
    var objectID: String { ObjectID.text(reference) }
    /// What is typed to name it.
    var target: String {
        switch self {
        case .direct(let contact): contact.target
        case .group(let group): "+\(group.name)"
        case .notes: Target.notes.word
        }
    }
}

extension ChatItemID {
    /// The id of a message, as it is written in a command line.
    static let kind = ValueKind(
        ValueForm("ID", expected: "an id such as m12", completing: .message), read: { ObjectID.item(from: $0) },
        write: { ObjectID.text($0) })
}
