/// An unfinished command line, read with more tolerance than in ``ArgumentParser``.
struct UnfinishedLine {
    private let tree: CommandTree
    private var command: Command
    /// True if a word in the position of a command is not one.
    private var isLost = false
    private var optionsHaveEnded = false
    /// The option whose value is next.
    private var awaiting: OptionDeclaration?
    private var arguments: [String] = []
    private var written: Set<String> = []
    private var values: [String: String] = [:]

    init(tree: CommandTree) {
        self.tree = tree
        command = tree.root
    }

    // MARK: - Words before the last

    mutating func read(_ word: String) {
        if let option = awaiting {
            awaiting = nil
            if ArgumentParser.isValue(word) { return values[option.name] = word }
        }
        if optionsHaveEnded || !ArgumentParser.isOption(word) {
            read(argument: word)
        } else if word == "--" {
            optionsHaveEnded = true
        } else if word.hasPrefix("--") {
            read(longOption: word)
        } else {
            for letter in word.dropFirst() { note(find { $0.letter == letter }) }
        }
    }

    private mutating func read(argument word: String) {
        guard command.isNoun else { return arguments.append(word) }
        if let next = command.subcommand(word) { command = next } else { isLost = true }
    }

    private mutating func read(longOption word: String) {
        let (name, value) = UnfinishedLine.parts(of: word)
        let option = find { $0.name == name || $0.isNegatable && "no-\($0.name)" == name }
        note(option)
        guard let option, let value else { return }
        awaiting = nil
        values[option.name] = value
    }

    private mutating func note(_ option: OptionDeclaration?) {
        guard let option else { return }
        if !option.isRepeatable { written.insert(option.name) }
        awaiting = option.takesValue ? option : nil
    }

    /// Returns the name and the value of `--name=value`.
    private static func parts(of word: String) -> (name: String, value: String?) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts.first ?? ""), parts.dropFirst().first.map(String.init))
    }

    private mutating func find(_ matches: (OptionDeclaration) -> Bool) -> OptionDeclaration? {
        guard let found = tree.option(of: command, matches) else { return nil }
        command = found.command
        return found.option
    }

    // MARK: - The last word

    mutating func offer(for word: String, aliases: [Offer.Candidate] = []) -> Offer {
        guard !isLost else { return Offer([], beginning: word) }
        if let awaiting, ArgumentParser.isValue(word) { return offer(awaiting, attached: "", beginning: word) }
        guard !optionsHaveEnded, word.hasPrefix("-") else { return offer(argument: word, aliases) }
        let (name, value) = UnfinishedLine.parts(of: word)
        if word.hasPrefix("--"), let value, let option = find({ $0.name == name && $0.takesValue }) {
            return offer(option, attached: "--\(name)=", beginning: value)
        }
        return Offer(options(word), beginning: word)
    }

    /// Returns the options of the command, then the global ones, without the given ones. Negations are offered if they
    /// are useful by default, or if the word starts like one.
    private func options(_ word: String) -> [Offer.Candidate] {
        let verb = command.defaultVerb.flatMap(command.subcommand)
        func isNegated(_ option: OptionDeclaration) -> Bool {
            option.showsNegation || option.isNegatable && word.hasPrefix("--no-")
        }
        let all = (command.path.isEmpty ? [] : command.options) + (verb?.options ?? []) + tree.root.options
        return all.filter { !written.contains($0.name) }.flatMap { option in
            ["--\(option.name)"] + (isNegated(option) ? ["--no-\(option.name)"] : [])
        }.map { spelling in Offer.Candidate(spelling, all.first { "--\($0.name)" == spelling }?.abstract ?? "") }
    }

    private func offer(_ option: OptionDeclaration, attached: String, beginning: String) -> Offer {
        guard let form = option.valueForm else { return Offer([], beginning: beginning) }
        return offer(form, attached: attached, beginning: beginning)
    }

    private func offer(argument word: String, _ aliases: [Offer.Candidate]) -> Offer {
        if command.isNoun {
            let verbs = command.subcommands.filter { !$0.isHidden }
            return Offer(verbs.map { .init($0.name, $0.abstract) } + aliases, beginning: word)
        }
        let places = command.positionals
        let last = places.last.flatMap { $0.isRepeated ? $0 : nil }
        guard let place = arguments.count < places.count ? places[arguments.count] : last else {
            return Offer([], beginning: word)
        }
        return offer(place.form, attached: "", beginning: word)
    }

    private func offer(_ form: ValueForm, attached: String, beginning: String) -> Offer {
        var attached = attached, beginning = beginning
        var words = form.choices.map { Offer.Candidate($0) }
        switch form.completion {
        case .topic: words = subjects
        case .setting: words = tree.knownSettings.map { .init($0.key, $0.abstract) }
        case .report: words = tree.reports.map { .init($0.type, $0.abstract) }
        case .field:
            // After a comma the next name starts.
            let place = beginning.lastIndex(of: ",").map { beginning.index(after: $0) } ?? beginning.startIndex
            attached += beginning[..<place]
            beginning = String(beginning[place...])
            words = fields
        default: break
        }
        return Offer(
            words.map { .init(attached + $0.word, $0.meaning) }, wanted: form.completion, attached: attached,
            beginning: beginning, values: values)
    }

    /// The subjects of `help` after the given words.
    private var subjects: [Offer.Candidate] {
        let topics = arguments.isEmpty ? tree.topics.map { Offer.Candidate($0.name, $0.abstract) } : []
        let commands = tree.command(at: arguments)?.subcommands.filter { !$0.isHidden } ?? []
        return commands.map { .init($0.name, $0.abstract) } + topics
    }

    /// The fields of the command's reports, each name once.
    private var fields: [Offer.Candidate] {
        var seen: Set<String> = []
        return command.reports.flatMap(\.fields).filter { seen.insert($0.name).inserted }
            .map { .init($0.name, $0.abstract) }
    }
}
