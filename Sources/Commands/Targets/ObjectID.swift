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
    package static func text(_ id: GroupMemberID) -> String { "u\(id.number)" }
    package static func text(_ id: ProfileID) -> String { "p\(id.number)" }
    package static func text(_ id: ConnectionID) -> String { "i\(id.number)" }
    package static func text(_ id: ServerID) -> String { "s\(id.number)" }
    package static func text(_ id: ChatFileID) -> String { "f\(id.number)" }
    package static func text(_ id: RequestID) -> String { "r\(id.number)" }

    /// A message's id.
    static func item(from text: some StringProtocol) -> ChatItemID? {
        number(of: text, "m").map { ChatItemID($0) }
    }

    /// A file's id.
    package static func file(from text: some StringProtocol) -> ChatFileID? {
        number(of: text, "f").map { ChatFileID($0) }
    }

    /// A contact's id.
    package static func contact(from text: some StringProtocol) -> ContactID? {
        number(of: text, "c").map { ContactID($0) }
    }

    /// A group's id.
    package static func group(from text: some StringProtocol) -> GroupID? {
        number(of: text, "g").map { GroupID($0) }
    }

    /// The id of a member of a group.
    package static func member(from text: some StringProtocol) -> GroupMemberID? {
        number(of: text, "u").map { GroupMemberID($0) }
    }

    private static func number(of text: some StringProtocol, _ letter: Character) -> Int64? {
        guard text.first == letter, let number = Int64(text.dropFirst()), number > 0 else { return nil }
        return number
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

extension Group {
    var objectID: String { ObjectID.text(.group(id)) }
    /// What is typed to name it.
    var target: String { "+\(name)" }
}

extension GroupMember {
    var objectID: String { ObjectID.text(id) }

    /// What is typed to name it.
    func target(in group: Group) -> String { "\(group.target)/@\(name)" }
}

extension Chat {
    var objectID: String { ObjectID.text(reference) }
    /// What is typed to name it.
    var target: String { reference.target(named: name) }
}

extension ChatSummary {
    var objectID: String { ObjectID.text(reference) }
    /// What is typed to name it.
    var target: String { reference.target(named: name) }
}

extension ChatReference {
    /// What is typed to name a chat with this local name.
    fileprivate func target(named name: String) -> String {
        switch self {
        case .direct: "@\(name)"
        case .group: "+\(name)"
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

extension ChatFileID {
    /// The id of a file, as it is written in a command line.
    static let kind = ValueKind(
        ValueForm("FILE", expected: "an id such as f7", completing: .transfer), read: { ObjectID.file(from: $0) },
        write: { ObjectID.text($0) })
}
