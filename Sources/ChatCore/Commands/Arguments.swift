import AgentProtocol
import ByteCoding
import JSONCoding

// The values that stand in the texts of commands. Each is written here once, in both directions.

extension Argument where Value == ProfileID? {
    /// `1`: the number of a profile, which must be known.
    static func profile(_ value: @escaping @Sendable (Command) -> ProfileID?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.profileID() },
            write: { value($0).map { "\($0.number)" } })
    }
}

extension Argument where Value == ProfileID? {
    /// `1`, or nothing.
    static func optionalProfile(_ value: @escaping @Sendable (Command) -> ProfileID?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in reader.isAtEnd ? nil : try reader.profileID() },
            write: { value($0).map { "\($0.number)" } ?? "" })
    }
}

extension Argument where Value == ProfileID {
    /// `1`: the number of a profile.
    static func profile(_ value: @escaping @Sendable (Command) -> ProfileID) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.profileID() }, write: { "\(value($0).number)" })
    }
}

extension Argument {
    /// A value that this form does not have.
    static func absent<Wrapped: Sendable>(_ value: @escaping @Sendable (Command) -> Wrapped?) -> Argument
    where Value == Wrapped? {
        Argument(read: { _ in nil }, write: { value($0) == nil ? "" : nil })
    }

    /// A value that the words of the form say already.
    static func fixed(_ known: Value, _ value: @escaping @Sendable (Command) -> Value) -> Argument
    where Value: Equatable {
        Argument(read: { _ in known }, write: { value($0) == known ? "" : nil })
    }

    /// A value that is read and not written: what people may leave out, or say in other words.
    static func onlyRead(
        _ read: @escaping @Sendable (inout CommandReader) throws(DecodeError) -> Value
    ) -> Argument {
        Argument(read: read, write: { _ in nil })
    }

    /// A word of a closed list.
    static func word(_ value: @escaping @Sendable (Command) -> Value) -> Argument
    where Value: RawRepresentable, Value.RawValue == String {
        Argument(
            read: { reader throws(DecodeError) in
                guard let value = Value(rawValue: reader.word()) else { throw .invalid("word") }
                return value
            }, write: { value($0).rawValue })
    }

    /// A JSON object to the end of the text.
    static func json(_ value: @escaping @Sendable (Command) -> Value) -> Argument where Value: JSONObjectCodable {
        Argument(
            read: { reader throws(DecodeError) in try Value(decoding: Bytes(reader.rest().utf8)) },
            write: { value($0).json.line })
    }
}

extension Argument where Value == ChatTarget {
    /// `@12` or `@'name'`
    static func chat(_ value: @escaping @Sendable (Command) -> ChatTarget) -> Argument {
        Argument(read: { reader throws(DecodeError) in try reader.target() }, write: { value($0).text })
    }
}

extension Argument where Value == ChatTarget {
    /// `@12` or `@'name'`, or for people `name` of a contact.
    static func person(_ value: @escaping @Sendable (Command) -> ChatTarget) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                if "@#*".utf8.contains(reader.next ?? 0) { return try reader.target() }
                return .name(try reader.name(behind: "@"))
            }, write: { value($0).text })
    }

    /// An argument that names no group and no notes, because words that follow would be a member of the group.
    static func ofContact(_ argument: Argument) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard !"#*".utf8.contains(reader.next ?? 0) else { throw .invalid("contact") }
                return try argument.read(&reader)
            }, write: argument.write)
    }

    /// The same for a chat that other forms do not have.
    static func presentPerson(_ value: @escaping @Sendable (Command) -> ChatTarget?) -> Argument {
        let named = Argument<Command, ChatTarget>.person { _ in .name("") }
        return Argument(read: { reader throws(DecodeError) in try named.read(&reader) }, write: { value($0)?.text })
    }

    /// `@12` or `@'name'` for a chat that other forms do not have.
    static func present(_ value: @escaping @Sendable (Command) -> ChatTarget?) -> Argument {
        Argument(read: { reader throws(DecodeError) in try reader.target() }, write: { value($0)?.text })
    }
}

extension Argument where Value == ChatTarget? {
    /// The same, or nothing.
    static func chat(_ value: @escaping @Sendable (Command) -> ChatTarget?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.isChat ? reader.target() : nil },
            write: { value($0)?.text ?? "" })
    }
}

extension Argument where Value == ContactID? {
    /// `@4`, or nothing
    static func contact(_ value: @escaping @Sendable (Command) -> ContactID?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.isName else { return nil }
                guard case .reference(.direct(let id)) = try reader.target() else { throw .invalid("contact") }
                return id
            }, write: { command in value(command).map { "@\($0.number)" } ?? "" })
    }
}

extension Argument where Value == ChatReference? {
    /// `@4`, `#5` or `*7`, or nothing
    static func reference(_ value: @escaping @Sendable (Command) -> ChatReference?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.reference() },
            write: { command in value(command)?.text ?? "" })
    }
}

extension Argument where Value == NoteFolderID? {
    /// `*1`, or `*` for the notes of the active profile.
    static func notes(_ value: @escaping @Sendable (Command) -> NoteFolderID?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.isChat else {
                    try reader.expect("*")
                    return nil
                }
                guard case .reference(.notes(let id)) = try reader.target() else { throw .invalid("notes") }
                return id
            }, write: { command in value(command).map { "*\($0.number)" } ?? "*" })
    }
}

extension Argument where Value == ChatItemID {
    /// `7`: an entry.
    static func item(_ value: @escaping @Sendable (Command) -> ChatItemID) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in ChatItemID(try reader.integer()) },
            write: { "\(value($0).number)" })
    }
}

extension Argument where Value == [ChatItemID] {
    /// `7,8`: at least one entry.
    static func items(_ value: @escaping @Sendable (Command) -> [ChatItemID]) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.itemIDs() },
            write: { value($0).map { "\($0.number)" }.joined(separator: ",") })
    }
}

extension Argument where Value == ConnectionID {
    /// `5`: a connection; with a prefix such as `:` before it.
    static func connection(_ value: @escaping @Sendable (Command) -> ConnectionID) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in ConnectionID(try reader.integer()) },
            write: { "\(value($0).number)" })
    }
}

extension Argument where Value == Bool {
    /// `on` or `off`
    static func isOn(_ value: @escaping @Sendable (Command) -> Bool) -> Argument {
        Argument(read: { reader throws(DecodeError) in try reader.isOn() }, write: { value($0) ? "on" : "off" })
    }

    /// `name=on`; what is off by default is left out.
    static func flag(_ name: String, _ value: @escaping @Sendable (Command) -> Bool, byDefault: Bool = false)
        -> Argument
    {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly(name, "=") else { return byDefault }
                return try reader.isOn()
            },
            write: { value($0) == byDefault ? "" : "\(name)=\(value($0) ? "on" : "off")" })
    }

    /// `queue=on`: the answer does not wait for a relay.
    static func queued(_ value: @escaping @Sendable (Command) -> Bool) -> Argument { .flag("queue", value) }
}

extension Argument where Value == Void {
    /// `name=on`, `name=off` or nothing, which mean the same here.
    static func ignoredFlag(_ name: String) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in if reader.skipExactly(name, "=") { _ = try reader.isOn() } },
            write: { _ in "" })
    }
}

extension Argument where Value == Void {
    /// `name=off`, or nothing: what this program does not have cannot be turned on.
    static func fixedOff(_ name: String) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly(name, "=") else { return }
                guard try !reader.isOn() else { throw .invalid("switch") }
            },
            write: { _ in "" })
    }
}

extension Argument where Value == Int64? {
    /// `name=60`, or nothing
    static func number(_ name: String, _ value: @escaping @Sendable (Command) -> Int64?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                try reader.skipExactly(name, "=") ? reader.integer(Int64.self) : nil
            }, write: { command in value(command).map { "\(name)=\($0)" } ?? "" })
    }
}

extension Argument where Value == Int64 {
    /// `7`
    static func integer(_ value: @escaping @Sendable (Command) -> Int64) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.integer() }, write: { "\(value($0))" })
    }
}

extension Argument {
    /// A JSON object to the end of the text, or nothing.
    static func optionalJSON<Wrapped: JSONObjectCodable & Sendable>(
        _ value: @escaping @Sendable (Command) -> Wrapped?
    ) -> Argument where Value == Wrapped? {
        Argument(
            read: { reader throws(DecodeError) in
                reader.isAtEnd ? nil : try Wrapped(decoding: Bytes(reader.rest().utf8))
            },
            write: { command in value(command).map { $0.json.line } ?? "" })
    }
}

extension Argument where Value == Int64? {
    /// `ttl=60`: the seconds after which a message disappears; nothing or `ttl=default` for the time of the chat.
    static func lifetime(_ value: @escaping @Sendable (Command) -> Int64?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly("ttl", "="), !reader.skip("default") else { return nil }
                return try reader.integer(Int64.self)
            }, write: { command in value(command).map { "ttl=\($0)" } ?? "" })
    }
}

extension Argument where Value == Int? {
    /// `count=20`, or nothing
    static func count(_ value: @escaping @Sendable (Command) -> Int?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.count() },
            write: { command in value(command).map { "count=\($0)" } ?? "" })
    }
}

extension Argument where Value == ItemRange {
    /// `count=20`, `before=7 count=20`, `after=7 count=20`, `around=7 count=20` or `initial=20`
    static func range(_ value: @escaping @Sendable (Command) -> ItemRange) -> Argument {
        Argument(read: { reader throws(DecodeError) in try reader.range() }, write: { value($0).text })
    }
}

extension Argument where Value == String? {
    /// `search=words` to the end of the text, or nothing.
    static func search(_ value: @escaping @Sendable (Command) -> String?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in reader.skipExactly("search", "=") ? reader.rest() : nil },
            write: { command in value(command).map { "search=\($0)" } ?? "" })
    }
}

extension Argument where Value == Duration {
    /// `timeout=500ms`, also `timeout=30` and `timeout=30s`, or the default.
    static func duration(
        _ name: String, _ value: @escaping @Sendable (Command) -> Duration, byDefault: Duration
    ) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.duration(name) ?? byDefault },
            write: { "\(name)=\(value($0).milliseconds)ms" })
    }
}

extension Argument where Value == Duration? {
    /// The same, or nothing.
    static func duration(_ name: String, _ value: @escaping @Sendable (Command) -> Duration?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.duration(name) },
            write: { command in value(command).map { "\(name)=\($0.milliseconds)ms" } ?? "" })
    }
}

extension Argument where Value == String {
    /// A name in single quotes, in which a doubled quote stands for one. A word without quotes is read too.
    static func name(_ value: @escaping @Sendable (Command) -> String) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard !reader.isAtEnd else { throw .truncated }
                return reader.name()
            }, write: { CommandText.quoted(value($0)) })
    }

    /// `@'name'`, also `@name` and `name`
    static func contactName(_ value: @escaping @Sendable (Command) -> String) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.contactName() },
            write: { "@\(CommandText.quoted(value($0)))" })
    }

    /// Everything to the end of the text, which is not empty.
    static func rest(_ value: @escaping @Sendable (Command) -> String) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                let text = reader.rest()
                guard !text.isEmpty else { throw .truncated }
                return text
            }, write: { value($0) })
    }

    /// A JSON string to the end of the text: any character survives.
    static func string(_ value: @escaping @Sendable (Command) -> String) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard let text = try JSONValue(decoding: Bytes(reader.rest().utf8)).string else {
                    throw .invalid("text")
                }
                return text
            }, write: { JSONValue.string(value($0)).line })
    }
}

extension Argument where Value == String? {
    /// `as='name'`, or nothing
    static func name(_ option: String, _ value: @escaping @Sendable (Command) -> String?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                reader.skipExactly(option, "=") ? reader.name() : nil
            }, write: { command in value(command).map { "\(option)=\(CommandText.quoted($0))" } ?? "" })
    }

    /// Everything to the end of the text, or nothing.
    static func rest(_ value: @escaping @Sendable (Command) -> String?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                let text = reader.rest()
                return text.isEmpty ? nil : text
            }, write: { value($0) ?? "" })
    }
}

extension Argument where Value == String? {
    /// A JSON string to the end of the text, which must be there: any character survives.
    static func string(_ value: @escaping @Sendable (Command) -> String?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard let text = try JSONValue(decoding: Bytes(reader.rest().utf8)).string else {
                    throw .invalid("text")
                }
                return text
            }, write: { command in value(command).map { JSONValue.string($0).line } })
    }
}

/// How words are written in the texts of commands.
enum CommandText {
    /// In single quotes; a quote in it is doubled.
    static func quoted(_ name: String) -> String {
        // Not by characters: a quote and an accent behind it are one.
        var text = "'"
        for scalar in name.unicodeScalars {
            if scalar == "'" { text.unicodeScalars.append(scalar) }
            text.unicodeScalars.append(scalar)
        }
        text.unicodeScalars.append("'")
        return text
    }
}

// Texts at the end of a command. A text that is empty or would be read as something else is written in JSON behind a word:
// `link="..."`

extension Argument where Value == String {
    /// A text to the end.
    ///
    /// - Parameter options: How texts begin that would be read as something else.
    static func words(
        _ name: String, besides options: [String] = [], _ value: @escaping @Sendable (Command) -> String
    ) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard let text = reader.words(name) else { throw .truncated }
                return text
            }, write: { CommandText.words(value($0), name, besides: options) })
    }
}

extension Argument where Value == String? {
    /// A text to the end, or nothing.
    static func optionalWords(
        _ name: String, _ value: @escaping @Sendable (Command) -> String?
    ) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in reader.words(name) },
            write: { command in value(command).map { CommandText.words($0, name, besides: []) } ?? "" })
    }
}

extension CommandText {
    fileprivate static func words(_ text: String, _ name: String, besides options: [String]) -> String {
        let isPlain = !text.isEmpty && !([" ", "\(name)="] + options).contains { text.utf8.starts(with: $0.utf8) }
        return isPlain ? text : "\(name)=\(JSONValue.string(text).line)"
    }
}

extension CommandReader {
    /// A JSON array of objects to the end of the text.
    mutating func objects() throws(DecodeError) -> [JSONFields] {
        guard let values = try JSONValue(decoding: Bytes(rest().utf8)).array else { throw .invalid("array") }
        return try values.map { value throws(DecodeError) in
            guard let object = value.object else { throw .invalid("object") }
            return JSONFields(object)
        }
    }

    /// Reads what ``CommandText/words(_:_:besides:)`` wrote; nil if nothing is left.
    fileprivate mutating func words(_ name: String) -> String? {
        if isAtEnd { return nil }
        var copy = self
        if copy.skipExactly(name, "="), let text = (try? JSONValue(decoding: Bytes(copy.rest().utf8)))?.string {
            self = copy
            return text
        }
        return rest()
    }
}

extension ChatReference {
    /// `ChatRef` of the API: `@12`, `#12` or `*12`.
    var text: String {
        switch self {
        case .direct(let id): "@\(id.number)"
        case .group(let id): "#\(id.number)"
        case .notes(let id): "*\(id.number)"
        }
    }
}

extension ChatTarget {
    /// `@12`, `#12`, `*12` or `@'name'`: quotes tell a name from a number.
    var text: String {
        switch self {
        case .reference(let reference): reference.text
        case .name(let name): "@\(CommandText.quoted(name))"
        case .groupName(let name): "#\(CommandText.quoted(name))"
        case .channel(let id): "#\(id.number)(as_group=on)"
        case .support(let id, nil): "#\(id.number)(_support)"
        case .support(let id, let member?): "#\(id.number)(_support:\(member.number))"
        }
    }
}

extension ItemRange {
    var text: String {
        switch self {
        case .last(let count): "count=\(count)"
        case .before(let id, let count): "before=\(id.number) count=\(count)"
        case .after(let id, let count): "after=\(id.number) count=\(count)"
        case .around(let id, let count): "around=\(id.number) count=\(count)"
        case .initial(let count): "initial=\(count)"
        }
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
