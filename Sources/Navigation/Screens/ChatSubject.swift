import ByteCoding
import JSONCoding

/// The chat of a screen.
public enum ChatSubject: Hashable, Sendable {
    /// The direct chat with a contact.
    case contact(Int64)
    /// The chat of a group.
    case group(Int64)
    /// The notes of a profile. A contact never has the same number.
    case notes(Int64)

    /// Creates the chat of a subject, or nil for a subject of another kind.
    public init?(_ subject: Subject) {
        switch subject.kind {
        case .contact: self = .contact(subject.number)
        case .group: self = .group(subject.number)
        case .notes: self = .notes(subject.number)
        default: return nil
        }
    }

    /// The chat as the subject of a screen.
    public var subject: Subject {
        switch self {
        case .contact(let number): Subject(.contact, number)
        case .group(let number): Subject(.group, number)
        case .notes(let number): Subject(.notes, number)
        }
    }

    /// The number of the contact, the group or the notes.
    public var number: Int64 { subject.number }

    /// The contact of a direct chat.
    public var contact: Int64? {
        if case .contact(let number) = self { number } else { nil }
    }

    /// The notes that earlier versions stored as a contact.
    var asNotes: ChatSubject? { contact.map { .notes($0) } }

    /// Reads the field that ``set(in:)`` writes.
    init(from fields: inout JSONFields) throws(DecodeError) {
        if let number = try fields.optionalInteger("group") {
            self = .group(number)
        } else if let number = try fields.optionalInteger("notes") {
            self = .notes(number)
        } else {
            self = .contact(try fields.integer("contact"))
        }
    }

    /// Writes `"contact":4`, `"group":4` or `"notes":4`.
    func set(in fields: inout JSONObject) {
        switch self {
        case .contact(let number): fields.set("contact", number)
        case .group(let number): fields.set("group", number)
        case .notes(let number): fields.set("notes", number)
        }
    }
}
