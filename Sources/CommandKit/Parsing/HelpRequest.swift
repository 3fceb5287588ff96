extension CommandTree {
    /// What the first `-h` or `--help` before a `--` asks for, or nil if there is none.
    ///
    /// The words around it need not make sense: who asks for help has not finished the line yet.
    func helpRequest(in arguments: [String]) throws(UsageError) -> Request? {
        let words = arguments.prefix { $0 != "--" }
        guard words.contains(where: mayAskForHelp) else { return nil }
        let command = try commandNamed(in: words)
        guard let question = words.first(where: { asksForHelp($0, on: command) }) else { return nil }
        return .help(command, isFull: question == "--help")
    }

    /// True if a word is `--help`, or has the letter of help, alone or among others (`-qh`).
    private func mayAskForHelp(_ word: String) -> Bool {
        let help = CommandTree.help.declaration
        if word.hasPrefix("--") { return word == "--\(help.name)" }
        guard ArgumentParser.isOption(word), !ArgumentParser.isValue(word) else { return false }
        return word.dropFirst().contains { $0 == help.letter }
    }

    /// True if a word asks for help on a command: in `-high` the letters are no flags of `send`.
    private func asksForHelp(_ word: String, on command: Command) -> Bool {
        guard mayAskForHelp(word) else { return false }
        return word.hasPrefix("--") || ArgumentParser.isCluster(word, of: command, in: self)
    }

    /// The deepest command that the words name, whatever options stand between them.
    private func commandNamed(in words: ArraySlice<String>) throws(UsageError) -> Command {
        var command = root
        var words = words
        while command.isNoun, let word = words.popFirst() {
            guard ArgumentParser.isOption(word) else {
                command = try subcommand(word, of: command)
                continue
            }
            // The value of a global option is no command.
            let takesValue = root.options.contains { $0.takesValue && $0.isSpelled(word) }
            if takesValue, let value = words.first, ArgumentParser.isValue(value) { words.removeFirst() }
        }
        return command
    }

    /// The command `name` directly below another one.
    func subcommand(_ name: String, of command: Command) throws(UsageError) -> Command {
        if let subcommand = command.subcommand(name) { return subcommand }
        let names = command.subcommands.filter { !$0.isHidden }.map(\.name)
        throw .unknownCommand(name, below: command.path, suggestions: Suggestion.closest(to: name, among: names))
    }
}

extension OptionDeclaration {
    /// Whether a word is this option without a value.
    func isSpelled(_ word: String) -> Bool {
        word == "--\(name)" || letter.map { word == "-\($0)" } ?? false
    }
}
