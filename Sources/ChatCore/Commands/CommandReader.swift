import AgentProtocol
import ByteCoding

/// A cursor over the words of a command. Every method skips the spaces behind what it reads.
struct CommandReader {
    private var reader: TextReader

    init(_ text: String) {
        reader = TextReader(text)
    }

    /// Behind the words of a command, or at the start if there are none; nil if the text does not begin with them.
    init?(_ text: String, behind words: String) {
        guard text.utf8.starts(with: words.utf8) else { return nil }
        let rest = text.utf8.dropFirst(words.utf8.count)
        reader = TextReader(String(Substring(rest)))
        guard !words.isEmpty else { return }
        let first = rest.first
        guard first == nil || first == UInt8(ascii: " ") || CommandReader.mayJoin(words, first) else { return nil }
        skipSpaces()
    }

    /// True for words of the official core behind which no space is needed.
    private static func mayJoin(_ words: String, _ next: UInt8?) -> Bool {
        guard let next else { return false }
        switch words {
        case "/_save app settings": return next == UInt8(ascii: "{")
        case ">", ">>", "\\", "!": return "@#".utf8.contains(next)
        default: return false
        }
    }

    var isAtEnd: Bool { reader.isAtEnd }

    /// The next byte, if there is one.
    var next: UInt8? { reader.next }

    /// Whether a name follows.
    var isName: Bool { reader.next == UInt8(ascii: "@") }

    /// The next word, which may be empty.
    mutating func word() -> String {
        defer { skipSpaces() }
        return reader.take(until: " ")
    }

    /// Everything that is left.
    mutating func rest() -> String {
        reader.rest()
    }

    /// Throws unless everything was read.
    func finish() throws(DecodeError) {
        try reader.finish()
    }

    mutating func expect(_ literal: StaticString) throws(DecodeError) {
        try reader.expect(literal)
        skipSpaces()
    }

    /// True if `name=` follows, which is read then.
    mutating func skipExactly(_ name: String, _ sign: StaticString) -> Bool {
        var copy = reader
        guard copy.skip(text: name), copy.skip(sign) else { return false }
        reader = copy
        return true
    }

    mutating func skip(_ literal: StaticString) -> Bool {
        defer { skipSpaces() }
        return reader.skip(literal)
    }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(DecodeError) -> Value {
        defer { skipSpaces() }
        return try reader.number()
    }

    /// `on` or `off`
    mutating func isOn() throws(DecodeError) -> Bool {
        switch word() {
        case "on": return true
        case "off": return false
        default: throw .invalid("switch")
        }
    }

    mutating func profileID() throws(DecodeError) -> ProfileID {
        ProfileID(try integer())
    }

    /// `7,8`
    mutating func itemIDs() throws(DecodeError) -> [ChatItemID] {
        defer { skipSpaces() }
        var ids = [ChatItemID(try reader.number())]
        while reader.skip(",") { ids.append(ChatItemID(try reader.number())) }
        return ids
    }

    /// A word, or several in single quotes, in which a doubled quote stands for one.
    mutating func name() -> String {
        defer { skipSpaces() }
        guard reader.skip("'") else { return reader.take(until: " ") }
        var name = reader.take(until: "'")
        while reader.skip("'"), reader.next == UInt8(ascii: "'") {
            _ = reader.skip("'")
            name += "'" + reader.take(until: "'")
        }
        return name
    }

    /// True if the literal follows, which stays.
    func startsWith(_ literal: StaticString) -> Bool {
        var copy = reader
        return copy.skip(literal)
    }

    /// `(text)`, or nothing
    mutating func parenthesized() -> String? {
        var copy = reader
        guard copy.skip("(") else { return nil }
        let text = copy.take(until: ")")
        guard copy.skip(")") else { return nil }
        reader = copy
        skipSpaces()
        return text
    }

    /// True if the literal follows; spaces behind it stay.
    mutating func skipExactly(_ literal: StaticString) -> Bool {
        reader.skip(literal)
    }

    /// `@name` or `name`
    mutating func contactName() throws(DecodeError) -> String {
        guard reader.next != UInt8(ascii: "#") else { throw .invalid("name") }
        return try name(behind: "@")
    }

    /// True if a chat follows. Other words may begin with the signs of groups and notes, but not with a number behind them.
    var isChat: Bool {
        var rest = reader
        guard rest.skip("#") || rest.skip("*") else { return isName }
        return rest.next.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    /// `@12`, `#12` or `*12`, or nothing
    mutating func reference() throws(DecodeError) -> ChatReference? {
        guard isChat else { return nil }
        guard case .reference(let reference) = try target() else { throw .invalid("chat") }
        return reference
    }

    /// `@12`, `#12`, `#12(_support)`, `#12(_support:3)`, `#12(as_group=on)`, `*12`, `@name` or `@'name'`; `#name` and `#'name'` for people
    mutating func target() throws(DecodeError) -> ChatTarget {
        if reader.skip("#") { return try group() }
        if reader.skip("*") { return .reference(.notes(NoteFolderID(try integer()))) }
        try reader.expect("@")
        guard let digit = reader.next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else {
            let isQuoted = reader.next == UInt8(ascii: "'")
            let name = name()
            guard isQuoted || !name.isEmpty else { throw .invalid("name") }
            return .name(name)
        }
        return .reference(.direct(ContactID(try integer())))
    }

    /// What stands behind the sign of a group.
    private mutating func group() throws(DecodeError) -> ChatTarget {
        guard let digit = reader.next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else {
            let isQuoted = reader.next == UInt8(ascii: "'")
            let name = name()
            guard isQuoted || !name.isEmpty else { throw .invalid("name") }
            return .groupName(name)
        }
        let id = GroupID(try reader.number())
        defer { skipSpaces() }
        var target = ChatTarget.reference(.group(id))
        if reader.skip("(_support") {
            let member = reader.skip(":") ? GroupMemberID(try reader.number()) : nil
            try reader.expect(")")
            target = .support(id, member)
        }
        // Only the posts of channels come from the group itself.
        if reader.skip("(as_group=on)") { return .channel(id) }
        _ = reader.skip("(as_group=off)")
        return target
    }

    /// `as='name'`
    mutating func requestedName() -> String? {
        reader.skip("as=") ? name() : nil
    }

    /// `incognito=on`, `incognito=off`, or for people `incognito` before something else
    mutating func isIncognito() -> Bool {
        if skip("incognito=off") { return false }
        return skip("incognito=on") || skip("incognito ") || skip("i ")
    }

    /// `count=20`
    mutating func count() throws(DecodeError) -> Int? {
        reader.skip("count=") ? try integer() : nil
    }

    /// `count=20`, `before=7 count=20`, `after=7 count=20`, `around=7 count=20` or `initial=20`
    mutating func range() throws(DecodeError) -> ItemRange {
        if reader.skip("initial=") { return .initial(try integer()) }
        if reader.skip("around=") {
            let id = ChatItemID(try integer())
            return .around(id, try requiredCount())
        }
        if reader.skip("before=") {
            let id = ChatItemID(try integer())
            return .before(id, try requiredCount())
        }
        if reader.skip("after=") {
            let id = ChatItemID(try integer())
            return .after(id, try requiredCount())
        }
        return .last(try requiredCount())
    }

    private mutating func requiredCount() throws(DecodeError) -> Int {
        guard let count = try count() else { throw .invalid("count") }
        return count
    }

    /// `timeout=30`, `timeout=30s` or `timeout=500ms`
    mutating func duration(_ name: String) throws(DecodeError) -> Duration? {
        guard skipExactly(name, "=") else { return nil }
        let number = try reader.number(Int64.self)
        defer { skipSpaces() }
        // More than a hundred years in whole seconds, in either unit.
        let most = Int64(UInt32.max)
        if reader.skip("ms") {
            guard number <= most * 1000 else { throw .invalid("time") }
            return .milliseconds(number)
        }
        guard number <= most else { throw .invalid("time") }
        _ = reader.skip("s")
        return .seconds(number)
    }

    private mutating func skipSpaces() {
        _ = reader.take { $0 == UInt8(ascii: " ") }
    }
}
