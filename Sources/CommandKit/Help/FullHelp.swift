extension CommandTree {
    /// Returns the output of `--help`: the complete description of a command.
    public func fullHelp(for command: Command, width: Int = 80) -> String {
        var page = HelpText(width: width)
        page.wrapped(command.abstract)
        page.heading("Usage")
        let usage = completeUsage(of: command)
        page.wrapped(usage.map { $0.nonBreaking }.joined(separator: " "), indent: 2, hanging: 6)
        if command.isNoun {
            if !command.path.isEmpty { addExamples(command.examplesOfVerbs.prefix(3), to: &page) }
        } else if !command.examples.isEmpty {
            addExamples(command.examples, to: &page)
        }
        if !command.discussion.isEmpty {
            page.gap()
            page.paragraphs(command.discussion)
        }
        if command.isNoun { addCommands(of: command, to: &page) }
        addArguments(of: command, to: &page)
        if !command.isNoun { addContract(of: command, to: &page) }
        addTopics(of: command, to: &page)
        return page.text.breakable
    }

    private func addCommands(of command: Command, to page: inout HelpText) {
        guard command.path.isEmpty else {
            page.heading("Verbs")
            return page.list(rows(of: command.subcommands, default: command.defaultVerb))
        }
        for section in sections where section.commands.contains(where: { !$0.isHidden }) {
            page.heading(section.title)
            page.list(rows(of: section.commands))
        }
    }

    private func addArguments(of command: Command, to page: inout HelpText) {
        if !command.positionals.isEmpty {
            page.heading("Arguments")
            page.list(command.positionals.map { ($0.name, $0.abstract) })
        }
        if !command.options.isEmpty, !command.path.isEmpty {
            page.heading("Options")
            page.list(command.options.map { ($0.term, $0.meaning) })
        }
        guard command.path.isEmpty else { return addGlobalOptions(to: &page) }
        page.heading("Global options")
        page.list(root.options.map { ($0.term, $0.meaning) })
    }

    /// Adds the interface for scripts: variables, exit codes, output format.
    private func addContract(of command: Command, to page: inout HelpText) {
        page.heading("Environment")
        let variables = command.options.filter { $0.variable != nil }
        page.list(
            variables.map { ($0.variable ?? "", "Value of --\($0.name)") }
                + [
                    (
                        "\(variablePrefix(of: command))OPTION",
                        "Value of any option, in capitals with _ for -"
                    )
                ])
        page.gap()
        let section = command.path.joined(separator: ".")
        page.wrapped("Configuration files set these options in the section [\(section)], with _ for -.")
        page.heading("Exit codes")
        let codes = exitCodes(of: command).filter { $0 != 0 }
        page.list(
            [("0", command.promise)]
                + codes.map { code in ("\(code)", exits.first { $0.code == code }?.meaning ?? "") })
        page.gap()
        switch command.store {
        case .none: page.wrapped("This command does not open the store.")
        case .reading: page.wrapped("This command reads the store and does not wait for other processes.")
        case .writing: page.wrapped("This command writes to the store; it waits while another command writes.")
        }
        let types = command.reports.map { "\"\($0.type)\"" }
        if !types.isEmpty {
            let list = WordGrammar.alternatives(types)
            page.wrapped("With --json each line is an object of the type \(list): see \(program) schema.")
        }
        let columns = command.reports.filter { !$0.plain.isEmpty }
        guard !columns.isEmpty else { return }
        page.heading("Plain columns")
        page.list(columns.map { ($0.type, $0.plain.joined(separator: ", ")) })
    }

    private func addTopics(of command: Command, to page: inout HelpText) {
        let shown = command.path.isEmpty ? topics : topics.filter { command.topics.contains($0.name) }
        guard !shown.isEmpty else { return }
        page.heading("Topics")
        page.list(shown.map { ("\(program) help \($0.name)", $0.abstract) })
    }
}

extension String {
    /// The text with protected spaces: wrapping must not separate an option from its value.
    fileprivate var nonBreaking: String {
        split(separator: " ", omittingEmptySubsequences: false).joined(separator: "\u{a0}")
    }

    /// The text with protected spaces replaced by ordinary ones.
    fileprivate var breakable: String {
        split(separator: "\u{a0}", omittingEmptySubsequences: false).joined(separator: " ")
    }
}
