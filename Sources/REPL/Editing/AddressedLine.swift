/// A line that names the contact it is for: `@NAME`, or `@NAME TEXT`.
///
/// Names may hold spaces, and contacts choose their names themselves: who calls themselves `alice I` must not get what follows in
/// `@alice I am late`. So all contacts count whose name may be meant, and who reads the line asks where there are several. Quotes
/// say where a name ends: `@"Ann Lee" TEXT`.
struct AddressedLine: Hashable, Sendable {
    /// A contact for whom the line may be, and the text; empty if there is none behind the name.
    struct Reading: Hashable, Sendable {
        let name: String
        let text: String
    }

    /// What stands behind the `@`, or the name in quotes there.
    private let rest: Substring
    private let quoted: Reading?

    /// The mark in front of the name: `@` for a contact, `+` for a group; nil behind a command without one.
    let mark: Character?

    /// Nil for a line that does not begin with `@` or `+` and at once a name. Behind `+` a digit is no name: `+1`.
    init?(_ line: String) {
        let start = line.drop(while: AddressedLine.isSpace)
        guard let mark = start.first, mark == "@" || mark == "+" else { return nil }
        if mark == "+", start.dropFirst().first?.isNumber != false { return nil }
        self.init(behind: mark, start.dropFirst())
    }

    /// A name and a text, with or without the `@`: what stands behind a command.
    init?(argument: String) {
        let start = argument.drop(while: AddressedLine.isSpace)
        let mark = start.first.flatMap { $0 == "@" || $0 == "+" ? $0 : nil }
        self.init(behind: mark, mark == nil ? start : start.dropFirst())
    }

    private init?(behind mark: Character?, _ rest: Substring) {
        guard let first = rest.first, !AddressedLine.isSpace(first) else { return nil }
        self.mark = mark
        self.rest = rest
        quoted = AddressedLine.quoted(rest)
    }

    private static func quoted(_ rest: Substring) -> Reading? {
        guard let quote = rest.first, quote == "\"" || quote == "'",
            let end = rest.dropFirst().firstIndex(of: quote)
        else { return nil }
        let behind = rest[rest.index(after: end)...]
        guard behind.first.map(isSpace) != false else { return nil }
        let name = rest[rest.index(after: rest.startIndex)..<end]
        return Reading(name: String(name), text: String(behind.drop(while: isSpace)))
    }

    /// The name as far as it is clear: in quotes, or the first word.
    var likelyName: String { quoted?.name ?? String(rest.prefix { !AddressedLine.isSpace($0) }) }

    /// Whether there is nothing but one word, or a name in quotes.
    var isName: Bool { quoted.map(\.text.isEmpty) ?? !rest.trimmedEnd.contains(where: AddressedLine.isSpace) }

    /// Whether something of the text is on another row than the name.
    var hasRows: Bool { rest.trimmedEnd.contains("\n") }

    /// What the line may mean, the shortest name first. A line that is a name as a whole means that contact and no other.
    func readings(among names: some Sequence<String>) -> [Reading] {
        if let quoted, names.contains(quoted.name) { return [quoted] }
        let whole = rest.trimmedEnd
        var found: [Reading] = []
        for name in names where !name.isEmpty {
            if whole == name { return [Reading(name: name, text: "")] }
            guard rest.hasPrefix(name) else { continue }
            let behind = rest.dropFirst(name.count)
            guard let next = behind.first, AddressedLine.isSpace(next) else { continue }
            found.append(Reading(name: name, text: String(behind.drop(while: AddressedLine.isSpace))))
        }
        return found.sorted { $0.name.count < $1.name.count }
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\n" || character == "\t"
    }
}

extension Substring {
    /// Without spaces and line breaks at its end.
    fileprivate var trimmedEnd: Substring {
        lastIndex { $0 != " " && $0 != "\n" && $0 != "\t" }.map { self[...$0] } ?? ""
    }
}
