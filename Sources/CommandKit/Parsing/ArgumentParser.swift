extension CommandTree {
    /// Reads the arguments of the program (without its name). Missing options come from the environment, then from the
    /// configuration files.
    ///
    /// An empty variable counts as unset. `-h` and `--help` take precedence over all mistakes, except an unknown
    /// command.
    ///
    /// - Throws: ``UsageError``.
    public func parse(
        arguments: [String], environment: [String: String], settings: Settings = .none
    ) throws(UsageError) -> Request {
        if let request = try helpRequest(in: arguments) { return request }
        var parser = ArgumentParser(tree: self, arguments: arguments)
        try parser.readArguments()
        try parser.readEnvironment(environment)
        try parser.readSettings(settings)
        return .run(try parser.finish())
    }
}

/// A pass over the words of a command line.
struct ArgumentParser {
    private let tree: CommandTree
    private var remaining: ArraySlice<String>
    /// The command found so far.
    private var command: Command
    private var words: [String] = []
    private var given: [String: (value: Given, origin: Parsed.Origin)] = [:]

    init(tree: CommandTree, arguments: [String]) {
        self.tree = tree
        remaining = arguments[...]
        command = tree.root
    }

    /// Returns true if a word has the form of an option: `--`, or dashes before a name of letters, digits, dashes and
    /// underscores, with an optional `=` and value.
    ///
    /// A word with a space or another character in its name is text (`-10 °C`, `-> here`), and so is `-` alone.
    static func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), word != "-" else { return false }
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        if word.hasPrefix("--"), name.isEmpty { return !word.contains("=") }
        let characters = name.unicodeScalars.allSatisfy { scalar in
            scalar == "-" || scalar == "_" || scalar.isASCII && scalar.properties.isAlphabetic
                || ("0"..."9").contains(scalar)
        }
        return !name.isEmpty && characters && (word.hasPrefix("--") || !name.contains("_"))
    }

    /// Returns true if each letter of a word with one dash is a flag of the command.
    static func isCluster(_ word: String, of command: Command, in tree: CommandTree) -> Bool {
        let letters = word.dropFirst()
        return !letters.isEmpty
            && letters.allSatisfy { letter in
                tree.option(of: command) { $0.letter == letter }.map { !$0.option.takesValue } ?? false
            }
    }

    /// Returns true for one or more digits.
    private static func isNumeral(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }

    /// Returns true if a word may be the value of the preceding option. A word like a negative number may, as in
    /// `--since -2h`; one digit alone is an option (`-0`).
    static func isValue(_ word: String) -> Bool {
        guard isOption(word) else { return true }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return word.utf8.count > 2 && word.utf8.dropFirst().prefix(1).allSatisfy(digits.contains)
    }

    // MARK: - Words

    mutating func readArguments() throws(UsageError) {
        var optionsHaveEnded = false
        while let word = remaining.popFirst() {
            if optionsHaveEnded || !ArgumentParser.isOption(word) {
                try read(word: word)
            } else if word == "--" {
                optionsHaveEnded = true
            } else if word.hasPrefix("--") {
                try isText(longOption: word) ? read(word: word) : read(longOption: word)
            } else {
                try read(letters: word)
            }
        }
        if command.isNoun, let verb = command.defaultVerb.flatMap(command.subcommand) { command = verb }
        guard !command.isNoun || command.path.isEmpty else {
            throw .missingVerb(of: command.path, verbs: command.subcommands.filter { !$0.isHidden }.map(\.name))
        }
    }

    private mutating func read(word: String) throws(UsageError) {
        guard command.isNoun else { return words.append(word) }
        command = try tree.subcommand(word, of: command)
    }

    /// Returns true if a word such as `--total=5 of 7` has a space and is not an option with a value.
    private func isText(longOption word: String) -> Bool {
        guard word.contains(where: \.isWhitespace) else { return false }
        let name = word.dropFirst(2).prefix { $0 != "=" }
        return tree.option(of: command) { $0.name == name && $0.takesValue } == nil
    }

    private mutating func read(longOption word: String) throws(UsageError) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? ""), value = parts.dropFirst().first.map(String.init)
        if let option = find({ $0.name == name }) {
            return try read(option, as: "--\(name)", value)
        }
        guard name.hasPrefix("no-"), let option = find({ $0.isNegatable && $0.name == name.dropFirst(3) }) else {
            throw unknownOption("--\(name)") { $0.name == name }
        }
        guard value == nil else { throw .unexpectedValue(option: "--\(name)", of: command.path) }
        given[option.name] = (option.form == .count ? .count(0) : .flag(false), .commandLine)
    }

    private mutating func read(letters word: String) throws(UsageError) {
        let letters = word.dropFirst()
        if word.contains(where: \.isWhitespace) { return try read(word: word) }
        if ArgumentParser.isNumeral(letters), !ArgumentParser.isCluster(word, of: command, in: tree),
            let option = find({ $0.isNumeral })
        {
            return try read(option, as: word, String(letters))
        }
        for letter in letters {
            guard let option = find({ $0.letter == letter }) else {
                throw unknownOption(word) { $0.letter == letter }
            }
            guard letters.count == 1 || !option.takesValue else {
                throw .joinedLetter(letter, of: command.path, option: option.name)
            }
            try read(option, as: "-\(letter)", nil)
        }
    }

    /// Reads an option written as `spelling`, with the value after `=` if there is one.
    private mutating func read(
        _ option: OptionDeclaration, as spelling: String, _ attached: String?
    ) throws(UsageError) {
        guard case .value(let form, let isRepeatable) = option.form else {
            guard attached == nil else { throw .unexpectedValue(option: spelling, of: command.path) }
            var value = Given.flag(true)
            if option.form == .count {
                value = .count(1)
                if case .count(let before) = given[option.name]?.value { value = .count(before + 1) }
            }
            given[option.name] = (value, .commandLine)
            return
        }
        guard let word = attached ?? nextValue() else {
            throw .missingValue(option: spelling, of: command.path, expected: form.expected)
        }
        guard option.accepts(word) else {
            throw .invalidValue(.option(spelling), word, in: form, expected: form.expected)
        }
        var values = [word]
        while attached == nil, let fits = option.takesFollowing, let next = remaining.first,
            !ArgumentParser.isOption(next),
            option.accepts(next), fits(next)
        {
            remaining.removeFirst()
            values.append(next)
        }
        if isRepeatable, case .words(let before) = given[option.name]?.value { values = before + values }
        given[option.name] = (.words(values), .commandLine)
    }

    private mutating func nextValue() -> String? {
        guard let word = remaining.first, ArgumentParser.isValue(word) else { return nil }
        return remaining.popFirst()
    }

    // MARK: - Options

    private mutating func find(_ matches: (OptionDeclaration) -> Bool) -> OptionDeclaration? {
        guard let found = tree.option(of: command, matches) else { return nil }
        command = found.command
        return found.option
    }

    private func unknownOption(_ spelling: String, _ matches: (OptionDeclaration) -> Bool) -> UsageError {
        if command.isNoun, command.family.contains(where: { $0.options.contains(where: matches) }) {
            return .optionBeforeCommand(spelling)
        }
        let options = command.options + tree.root.options
        let names = options.map(\.name) + options.filter(\.isNegatable).map { "no-" + $0.name }
        let word = String(spelling.drop { $0 == "-" })
        // `-json` is a long name with a missing dash.
        let meant = names.contains(word) ? [word] : Suggestion.closest(to: word, among: names)
        return .unknownOption(spelling, of: command.path, suggestions: meant.map { "--" + $0 })
    }

    // MARK: - Completion

    /// Sets missing options from their variables.
    mutating func readEnvironment(_ environment: [String: String]) throws(UsageError) {
        // Most environments have no such variables, and making their names costs more than the rest of the parser.
        let prefix = tree.variablePrefix(of: tree.root)
        let environment = environment.filter { $0.key.utf8.starts(with: prefix.utf8) && !$0.value.isEmpty }
        guard !environment.isEmpty else { return }
        for option in command.options + tree.root.options where given[option.name] == nil {
            for variable in tree.variables(of: option, in: command) {
                guard let text = environment[variable] else { continue }
                guard let value = option.given(by: text) else {
                    throw .invalidValue(.variable(variable), text, in: option.valueForm, expected: option.expected)
                }
                given[option.name] = (value, .variable(variable))
                break
            }
        }
    }

    /// Sets missing options from the configuration files.
    mutating func readSettings(_ settings: Settings) throws(UsageError) {
        guard !settings.isEmpty else { return }
        for option in command.options + tree.root.options where given[option.name] == nil && option.isSettable {
            guard let found = settings.found(tree.keys(of: option, in: command)) else { continue }
            let text = found.text(isRepeatable: option.valueForm != nil && option.isRepeatable)
            guard let value = option.given(by: text) else {
                throw .invalidValue(.setting(found.place), text, in: option.valueForm, expected: option.expected)
            }
            given[option.name] = (value, .setting(found.place))
        }
    }

    /// Distributes the words over the positional arguments.
    func finish() throws(UsageError) -> Parsed {
        var words = self.words[...]
        var values: [String: [String]] = [:]
        for positional in command.positionals {
            let taken = Array(words.prefix(positional.isRepeated ? words.count : 1))
            words = words.dropFirst(taken.count)
            guard !taken.isEmpty || positional.mayBeMissing else {
                throw .missingArgument(positional.name, of: command.path)
            }
            for word in taken where !positional.accepts(word) {
                throw .invalidValue(
                    .argument(positional.name), word, in: positional.form, expected: positional.form.expected)
            }
            values[positional.name] = taken
        }
        if let word = words.first { throw .unexpectedArgument(word, of: command.path) }
        return Parsed(
            command: command, visible: command.options + tree.root.options, words: values, given: given)
    }
}

extension CommandTree {
    /// Returns the request of the first `-h` or `--help` before `--`, or nil.
    ///
    /// Other words may be invalid, because the user has not finished the line.
    func helpRequest(in arguments: [String]) throws(UsageError) -> Request? {
        let words = arguments.prefix { $0 != "--" }
        guard words.contains(where: mayAskForHelp) else { return nil }
        let command = try commandNamed(in: words)
        guard let question = words.first(where: { asksForHelp($0, on: command) }) else { return nil }
        return .help(command, isFull: question == "--help")
    }

    /// Returns true if a word is `--help`, or contains the letter of help, alone or among others (`-qh`).
    private func mayAskForHelp(_ word: String) -> Bool {
        let help = CommandTree.help.declaration
        if word.hasPrefix("--") { return word == "--\(help.name)" }
        guard ArgumentParser.isOption(word), !ArgumentParser.isValue(word) else { return false }
        return word.dropFirst().contains { $0 == help.letter }
    }

    /// Returns true if a word requests help on a command: in `-high` the letters are not flags of `send`.
    private func asksForHelp(_ word: String, on command: Command) -> Bool {
        guard mayAskForHelp(word) else { return false }
        return word.hasPrefix("--") || ArgumentParser.isCluster(word, of: command, in: self)
    }

    /// Returns the deepest command in the words, without regard to options between them.
    private func commandNamed(in words: ArraySlice<String>) throws(UsageError) -> Command {
        var command = root
        var words = words
        while command.isNoun, let word = words.popFirst() {
            guard ArgumentParser.isOption(word) else {
                command = try subcommand(word, of: command)
                continue
            }
            // The value of a global option is not a command.
            let takesValue = root.options.contains { $0.takesValue && $0.isSpelled(word) }
            if takesValue, let value = words.first, ArgumentParser.isValue(value) { words.removeFirst() }
        }
        return command
    }

    /// Returns the command `name` directly below another one.
    ///
    /// - Throws: ``UsageError/unknownCommand(_:below:suggestions:)``.
    func subcommand(_ name: String, of command: Command) throws(UsageError) -> Command {
        if let subcommand = command.subcommand(name) { return subcommand }
        let names = command.subcommands.filter { !$0.isHidden }.map(\.name)
        throw .unknownCommand(name, below: command.path, suggestions: Suggestion.closest(to: name, among: names))
    }
}

extension OptionDeclaration {
    /// Returns true if a word is this option without a value.
    func isSpelled(_ word: String) -> Bool {
        word == "--\(name)" || letter.map { word == "-\($0)" } ?? false
    }
}
