import ByteCoding
import ChatProtocol
import JSONCoding

/// Sets the menu of commands that contacts of the active profile see, and makes the profile a bot. (`/set bot commands
/// 'Help':/help,'Orders':{'Track':/'track <id>'}`, `/delete bot commands`)
public struct SetBotCommands: ChatCommand {
    public var commands: [BotCommand]

    public init(_ commands: [BotCommand]) {
        self.commands = commands
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/delete bot commands", none, make: Self.init), Form("/set bot commands", menu, make: Self.init))

    private static let none = Argument<Self, [BotCommand]>(
        read: { _ in [] }, write: { $0.commands.isEmpty ? "" : nil })

    private static let menu = Argument<Self, [BotCommand]>(
        read: { reader throws(DecodeError) in
            var text = TextReader(reader.rest())
            let commands = try BotCommand.list(from: &text)
            try text.finish()
            return commands
        }, write: { $0.commands.isEmpty ? nil : BotCommand.text(of: $0.commands) })

    public func effect(of response: ProfileUpdate) -> SessionEffect? { response.effect }

    public func perform(on core: isolated LocalCore) async throws -> ProfileUpdate {
        let former = try core.lookup.activeProfile()
        var presented = former.profile
        var preferences = presented.preferences?.object ?? [:]
        preferences["commands"] = .array(commands.map(\.json))
        presented.preferences = .object(preferences)
        presented.peerType = .bot
        return try await core.profiles.update(former, presented)
    }
}

/// An entry of the menu of a bot: `ChatBotCommand` of the API.
public enum BotCommand: Hashable, Sendable {
    /// A command, with a text that names its parameters if it has some.
    case command(label: String, keyword: String, parameters: String?)
    case menu(label: String, [BotCommand])

    /// The most menus within each other.
    private static let depthLimit = 16

    var json: JSONValue {
        switch self {
        case .command(let label, let keyword, let parameters):
            var fields: JSONObject = [
                "type": "command", "keyword": .string(keyword), "label": .string(label),
            ]
            fields.set("params", parameters)
            return .object(fields)
        case .menu(let label, let commands):
            return .object([
                "type": "menu", "label": .string(label), "commands": .array(commands.map(\.json)),
            ])
        }
    }

    // MARK: - Text

    /// Reads `'Help':/help,'Orders':{...}`, as the official program does: labels and commands may be in single quotes.
    static func list(from reader: inout TextReader, depth: Int = 0) throws(DecodeError) -> [BotCommand] {
        guard depth < depthLimit else { throw .invalid("menu") }
        var commands: [BotCommand] = []
        repeat { commands.append(try BotCommand(from: &reader, depth: depth)) } while reader.skip(",")
        return commands
    }

    private init(from reader: inout TextReader, depth: Int) throws(DecodeError) {
        let label = try BotCommand.quoted(&reader) ?? reader.take(until: ":")
        try reader.expect(":")
        guard !label.isEmpty else { throw .invalid("label") }
        if reader.skip("{") {
            self = .menu(label: label, try BotCommand.list(from: &reader, depth: depth + 1))
            try reader.expect("}")
            return
        }
        _ = reader.skip("/")
        let text = try BotCommand.quoted(&reader) ?? reader.take { !":,}".utf8.contains($0) }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let keyword = words.first else { throw .invalid("command") }
        let parameters = words.dropFirst().joined(separator: " ")
        self = .command(
            label: label, keyword: String(keyword), parameters: parameters.isEmpty ? nil : parameters)
    }

    /// `'text'`; nil without a quote.
    private static func quoted(_ reader: inout TextReader) throws(DecodeError) -> String? {
        guard reader.skip("'") else { return nil }
        let text = reader.take(until: "'")
        try reader.expect("'")
        return text
    }

    static func text(of commands: [BotCommand]) -> String {
        let parts = commands.map { command in
            switch command {
            case .command(let label, let keyword, let parameters):
                "\(quoted(label)):/\(quoted([keyword, parameters].compactMap(\.self).joined(separator: " ")))"
            case .menu(let label, let commands): "\(quoted(label)):{\(text(of: commands))}"
            }
        }
        return parts.joined(separator: ",")
    }

    /// A text that was read with a quote in it stood without quotes.
    private static func quoted(_ text: String) -> String { text.utf8.contains(UInt8(ascii: "'")) ? text : "'\(text)'" }
}
