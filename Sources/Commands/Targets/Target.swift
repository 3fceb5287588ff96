package import ChatCore
import CommandKit

/// Whom or what a command is about, as it is written in a command line.
package enum Target: Hashable, Sendable {
    /// `@name`
    case contact(String)
    /// `+name`, `#name`
    case group(String)
    /// `+team/@ann`: the contact that a member of a group is.
    case member(MemberName)
    /// `name`: the one thing that is called so.
    case bare(String)
    /// `notes`: the conversation with oneself.
    case notes
    /// `id:c3`
    case contactID(ContactID)
    /// `id:g3`
    case groupID(GroupID)

    /// Reads a target; nil for an empty name or an id of another kind.
    package init?(_ word: String) {
        if word.hasPrefix("id:") {
            let id = word.dropFirst(3)
            if let contact = ObjectID.contact(from: id) {
                self = .contactID(contact)
            } else if let group = ObjectID.group(from: id) {
                self = .groupID(group)
            } else {
                return nil
            }
            return
        }
        if word == Target.notes.word {
            self = .notes
            return
        }
        if let member = MemberName(word) {
            self = .member(member)
            return
        }
        let name = word.hasPrefix("@") || word.hasPrefix("+") || word.hasPrefix("#") ? String(word.dropFirst()) : word
        guard !name.isEmpty else { return nil }
        switch word.first {
        case "@": self = .contact(name)
        case "+", "#": self = .group(name)
        default: self = .bare(name)
        }
    }

    package var word: String {
        switch self {
        case .contact(let name): "@\(name)"
        case .group(let name): "+\(name)"
        case .member(let member): member.word
        case .bare(let name): name
        case .notes: "notes"
        case .contactID(let id): "id:\(ObjectID.text(id))"
        case .groupID(let id): "id:\(ObjectID.text(.group(id)))"
        }
    }
}

extension ValueKind where Value == Target {
    /// A conversation, with others or with oneself.
    static func target() -> ValueKind {
        ValueKind(
            ValueForm("TARGET", expected: "@name, +group, a name, notes, or id:c1", completing: .chat),
            read: { Target($0) }, write: { $0.word })
    }

    /// A group.
    static func group() -> ValueKind {
        ValueKind(
            ValueForm("GROUP", expected: "+name, a name, or id:g1", completing: .group),
            read: { Target($0) }, write: { $0.word })
    }

    /// Somebody else.
    static func contact() -> ValueKind {
        ValueKind(
            ValueForm("CONTACT", expected: "@name, a name, or id:c1", completing: .contact),
            read: { Target($0) }, write: { $0.word })
    }
}
