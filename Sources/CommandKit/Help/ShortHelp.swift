extension CommandTree {
    /// Returns the output of `-h`: at most one screen of 24 lines.
    public func shortHelp(for command: Command, width: Int = 80) -> String {
        var page = HelpText(width: width)
        page.wrapped(command.abstract)
        page.gap()
        page.wrapped("Usage: \(usage(of: command))", hanging: 7)
        if command.path.isEmpty {
            addSections(to: &page)
        } else if command.isNoun {
            page.heading("Verbs")
            let rows = rows(of: command.subcommands, default: command.defaultVerb)
            // A noun with more verbs than the screen has lines names the last ones only.
            let isLong = rows.count > CommandTree.verbLimit
            let shown = isLong ? CommandTree.verbLimit - 2 : rows.count
            page.list(Array(rows.prefix(shown)))
            if isLong {
                page.wrapped("  and: \(rows.dropFirst(shown).map(\.term).joined(separator: ", "))", hanging: 7)
            }
            page.gap()
            if let example = command.examplesOfVerbs.first { page.wrapped("Example: \(example.line)", hanging: 9) }
        } else {
            addCommonOptions(of: command, to: &page)
            addExamples(command.examples.prefix(2), to: &page)
        }
        // With all groups of commands there is no line to spare.
        if !command.path.isEmpty { page.gap() }
        page.wrapped("Read more: \(furtherReading(on: command).joined(separator: ", "))", hanging: 11)
        if !command.path.isEmpty { page.wrapped(globalOptionsLine) }
        return page.text
    }

    /// The largest number of verbs with summaries.
    private static let verbLimit = 14

    /// The line that refers to the global options.
    private var globalOptionsLine: String { "Global options: \(program) --\(CommandTree.help.declaration.name)" }

    /// Adds the line that refers to the global options.
    func addGlobalOptions(to page: inout HelpText) {
        page.gap()
        page.wrapped(globalOptionsLine)
    }

    /// Adds the daily commands with their summaries, and the names of the others.
    private func addSections(to page: inout HelpText) {
        for (index, section) in sections.enumerated() {
            if index == 0 {
                page.heading(section.title)
                page.list(rows(of: section.commands))
                page.gap()
            } else {
                let names = section.commands.filter { !$0.isHidden }.map(\.name)
                if !names.isEmpty { page.wrapped("\(section.title): \(names.joined(separator: ", "))", hanging: 2) }
            }
        }
    }

    private func addCommonOptions(of command: Command, to page: inout HelpText) {
        let common = command.options.filter(\.isCommon)
        let shown = (common.isEmpty ? command.options : common).prefix(7)
        guard !shown.isEmpty else { return }
        page.heading(shown.count < command.options.count ? "Common options" : "Options")
        page.list(shown.map { ($0.term, $0.meaning) })
    }

    private func furtherReading(on command: Command) -> [String] {
        let topics = command.path.isEmpty ? [] : command.topics.prefix(3).map { "\(program) help \($0)" }
        return ["\(invocation(of: command.path)) --help"] + topics
            + (command.path.isEmpty && !self.topics.isEmpty ? ["\(program) help TOPIC"] : [])
    }

    /// Returns names and summaries.
    func rows(of commands: [Command], default defaultVerb: String? = nil) -> [(term: String, meaning: String)] {
        commands.filter { !$0.isHidden }.map { command in
            (command.name, command.abstract + (command.name == defaultVerb ? " (the default)" : ""))
        }
    }

    /// Adds lines to paste, each with its effect below.
    func addExamples(_ examples: some Sequence<Example>, to page: inout HelpText) {
        page.heading("Examples")
        for example in examples {
            page.line(example.line, indent: 2)
            page.wrapped(example.note, indent: 6)
        }
    }
}
