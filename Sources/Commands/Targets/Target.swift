package import ChatCore
import CommandKit

/// Whom or what a command is about, as it is written in a command line.
package enum Target: Hashable, Sendable {
    /// `@name`
    case contact(String)
    /// `+name`, `#name`
    case group(String)
    /// `name`: the one thing that is called so.
    case bare(String)
    /// `notes`: the conversation with oneself.
    case notes
    /// `id:c3`
    case contactID(ContactID)

    /// Reads a target; nil for an empty name or an id of another kind.
    package init?(_ word: String) {
        if word.hasPrefix("id:") {
            guard let id = ObjectID.contact(from: word.dropFirst(3)) else { return nil }
            self = .contactID(id)
            return
        }
        if word == Target.notes.word {
            self = .notes
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
        case .bare(let name): name
        case .notes: "notes"
        case .contactID(let id): "id:\(ObjectID.text(id))"
        }
    }
}

extension ValueKind where Value == Target {
    /// A conversation, with others or with oneself.
    static func target() -> ValueKind {
        ValueKind(
            ValueForm("TARGET", expected: "@name, a name, notes, or id:c1", completing: .chat),
            read: { Target($0) }, write: { $0.word })
    }

    /// Somebody else.
    static func contact() -> ValueKind {
        ValueKind(
            ValueForm("CONTACT", expected: "@name, a name, or id:c1", completing: .contact),
            read: { Target($0) }, write: { $0.word })
    }
}
