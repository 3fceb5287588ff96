import CommandKit
import Host
import JSONCoding

/// The parameters of a request as the words of a command line, so that both are read by the same parser.
enum RPCArguments {
    /// Parameters that are no words of a command.
    struct Mistake: Error {
        /// What is wrong, as a sentence without a capital.
        let text: String
    }

    /// The command that a method names: `contact.rename`.
    static func command(of method: String) -> Command? {
        let path = method.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let command = CommandTree.tacit.command(at: path), !command.path.isEmpty else { return nil }
        return command.isNoun ? command.defaultVerb.flatMap(command.subcommand) : command
    }

    /// The words of a request: a list as it stands, or an object with options by their names and arguments by theirs, in
    /// lower case and up to the first `|`.
    static func words(of command: Command, _ params: JSONValue?) throws(Mistake) -> [String] {
        guard let params else { return command.path }
        if let list = params.array { return command.path + (try texts(list, "the list")) }
        let fields = params.object ?? [:]
        var options: [String] = [], known: Set<String> = []
        for option in command.options + CommandTree.tacit.root.options {
            guard known.insert(option.name).inserted, let value = fields[option.name] else { continue }
            options += try words(of: option, value)
        }
        var words: [String] = []
        for positional in command.positionals {
            let name = name(of: positional)
            guard known.insert(name).inserted, let value = fields[name] else { continue }
            if let list = value.array { words += try texts(list, name) } else { words.append(try text(value, name)) }
        }
        if let stranger = fields.names.first(where: { !known.contains($0) }) {
            throw Mistake(text: "\(command.path.joined(separator: ".")) has no parameter '\(stranger)'")
        }
        return command.path + options + ["--"] + words
    }

    /// The name of an argument as a parameter: `text` for `TEXT|-`.
    static func name(of positional: PositionalDeclaration) -> String {
        String(positional.name.prefix { $0 != "|" }).lowercased()
    }

    private static func words(of option: OptionDeclaration, _ value: JSONValue) throws(Mistake) -> [String] {
        if !option.takesValue {
            if let count = value.integer, option.isRepeatable, (0...9).contains(count) {
                return Array(repeating: "--\(option.name)", count: Int(count))
            }
            guard let isOn = value.bool else { throw Mistake(text: "'\(option.name)' is true or false") }
            // Answers are JSON, whatever the client thinks of it.
            let isNegatable = option.isNegatable && option.name != GlobalOptions.json.declaration.name
            return isOn ? ["--\(option.name)"] : isNegatable ? ["--no-\(option.name)"] : []
        }
        if let list = value.array { return try texts(list, option.name).map { "--\(option.name)=\($0)" } }
        return ["--\(option.name)=\(try text(value, option.name))"]
    }

    private static func texts(_ list: [JSONValue], _ name: String) throws(Mistake) -> [String] {
        var texts: [String] = []
        for value in list { texts.append(try text(value, name)) }
        return texts
    }

    private static func text(_ value: JSONValue, _ name: String) throws(Mistake) -> String {
        if let text = value.string { return text }
        if let number = value.integer { return "\(number)" }
        throw Mistake(text: "'\(name)' is a text")
    }
}
