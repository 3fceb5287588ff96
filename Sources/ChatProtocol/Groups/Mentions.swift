public import ByteCoding
public import JSONCoding

/// The members that a message mentions (chat.md 2.2).
///
/// The text has each name after `@`, in quotes if the name contains spaces. The names are unique within one message.
public struct Mentions: Hashable, Sendable {
    /// The ids of the members by their names.
    public var members: [String: MemberID]

    /// Creates mentions from the ids of members by their names.
    public init(_ members: [String: MemberID]) {
        self.members = members
    }

    /// The largest number of mentions in an own message.
    public static let mostSent = 3
    /// The largest number of mentions that count in a received message.
    public static let mostReceived = 5

    /// True if no member is mentioned.
    public var isEmpty: Bool { members.isEmpty }
}

extension Mentions: ExpressibleByDictionaryLiteral {
    /// Creates mentions from a literal. The last of repeated names counts.
    public init(dictionaryLiteral members: (String, MemberID)...) {
        self.members = Dictionary(members) { $1 }
    }
}

extension Mentions {
    /// The field of a member's id.
    private static let memberID: StaticText = "memberId"

    /// The JSON form, names in order; nil without mentions.
    var json: JSONValue? {
        guard !isEmpty else { return nil }
        var fields = JSONObject()
        for (name, id) in members.sorted(by: { $0.key < $1.key }) {
            fields[name] = .object([Mentions.memberID.description: id.json])
        }
        return .object(fields)
    }

    /// Reads the JSON form, an object of objects. Unknown fields of a mention are not kept.
    ///
    /// - Throws: ``DecodeError``.
    fileprivate init(_ names: JSONObject, _ field: StaticText) throws(DecodeError) {
        members = [:]
        for name in names.names {
            guard let object = names[name]?.object else { throw .invalid(field) }
            var fields = JSONFields(object)
            members[name] = try fields.requiredMemberID(Mentions.memberID)
        }
    }
}

extension JSONFields {
    /// Takes optional mentions; empty without the field.
    ///
    /// - Throws: ``DecodeError`` if the field is invalid.
    public mutating func mentions(_ name: StaticText = "mentions") throws(DecodeError) -> Mentions {
        guard let names = try optionalObject(name) else { return [:] }
        return try Mentions(names.rest, name)
    }
}
