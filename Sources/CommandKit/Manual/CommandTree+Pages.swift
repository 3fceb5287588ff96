extension CommandTree {
    /// The page about a command, or about a noun with its verbs.
    func page(of command: Command, _ edition: ManualPage.Edition) -> ManualPage {
        let name = pageName(of: command), verbs = command.isNoun ? command.visibleVerbs : [command]
        var roff = page(name, command.manualSection, command.abstract, edition)
        roff.heading("Synopsis")
        for verb in verbs {
            roff.synopsis(
                invocation(of: verb.path), verb.positionals.map(\.roffUsage) + verb.options.map(\.roffUsage))
        }
        roff.paragraph("Global options: \(program)(1).")
        roff.heading("Description")
        if command.isNoun {
            roff.paragraphs(
                command.discussion.isEmpty ? "\(command.abstract), with one of these commands." : command.discussion)
            if let verb = command.defaultVerb {
                roff.paragraph("\(invocation(of: command.path)) alone is \(invocation(of: command.path + [verb])).")
            }
            roff.heading("Commands")
            for verb in verbs {
                roff.subheading(invocation(of: verb.path))
                describe(verb, in: &roff) { _, _ in }
            }
        } else {
            describe(command, in: &roff) { roff, title in roff.heading(title) }
        }
        for part in command.manual { roff.add(part) }
        addContract(of: command, verbs, to: &roff)
        roff.heading("See also")
        let others = command.relatives(in: self).map { reference(to: $0) }
        roff.list(
            [reference(program, 1)] + others
                + (verbs.contains { !$0.reports.isEmpty } ? [reference(reportsPageName, 5)] : []))
        return ManualPage(name: name, section: command.manualSection, text: roff.text)
    }

    /// What a verb does, with all that may be written; `heading` is called before each part.
    private func describe(_ verb: Command, in roff: inout RoffText, heading: (inout RoffText, String) -> Void) {
        roff.paragraph(verb.abstract.asSentence)
        roff.paragraphs(verb.discussion)
        if !verb.positionals.isEmpty || !verb.options.isEmpty {
            heading(&roff, "Options")
            for positional in verb.positionals {
                roff.term(RoffText.italic(positional.name), positional.abstract.asSentence)
            }
            for option in verb.options { roff.term(option.roffTerm, option.meaning.asSentence) }
        }
        heading(&roff, "Examples")
        for example in verb.examples { roff.example(example.line, example.note.asSentence) }
    }

    /// What scripts rely on.
    private func addContract(of command: Command, _ verbs: [Command], to roff: inout RoffText) {
        roff.heading("Exit status")
        for verb in verbs {
            roff.term(
                "0", verbs.count == 1 ? verb.promise.asSentence : "\(invocation(of: verb.path)): \(verb.promise).")
        }
        for code in Set(verbs.flatMap(exitCodes)).subtracting([0]).sorted() {
            roff.term("\(code)", (exits.first { $0.code == code }?.meaning ?? "").asSentence)
        }
        roff.heading("Environment")
        var seen: Set<String> = []
        for option in verbs.flatMap(\.options) {
            guard let variable = option.variable, seen.insert(variable).inserted else { continue }
            roff.term(RoffText.bold(variable), "The value of --\(option.name).")
        }
        let prefix = variablePrefix(of: command) + (command.isNoun ? "COMMAND_OPTION" : "OPTION")
        roff.term(
            RoffText.bold(prefix),
            "The value of any option\(command.isNoun ? " of a command" : ""), written in capitals with _ for -.")
        let types = verbs.flatMap(\.reports).map(\.type)
        guard !types.isEmpty else { return }
        roff.heading("Output")
        var once: Set<String> = []
        let list = WordGrammar.alternatives(types.filter { once.insert($0).inserted })
        roff.paragraph("With --json each line of output is an object of the type \(list).")
        addColumns(of: verbs, to: &roff)
    }

    /// The columns of plain records, by the types of the objects.
    private func addColumns(of verbs: [Command], to roff: inout RoffText) {
        var columns: [(type: String, plain: [String], verbs: [String])] = []
        for verb in verbs {
            for form in verb.reports where !form.plain.isEmpty {
                if let index = columns.firstIndex(where: { $0.type == form.type && $0.plain == form.plain }) {
                    columns[index].verbs.append(verb.name)
                } else {
                    columns.append((form.type, form.plain, [verb.name]))
                }
            }
        }
        guard !columns.isEmpty else { return }
        roff.paragraph("With --plain each line is a record with these columns, unless --fields chooses others:")
        for (type, plain, verbs) in columns {
            // Few types have other columns after some verbs.
            let isOnlyOne = columns.filter { $0.type == type }.count == 1
            let note = isOnlyOne ? "" : " (\(verbs.joined(separator: ", ")))"
            roff.term(RoffText.bold(type) + note, plain.joined(separator: ", "))
        }
    }
}

extension RoffText {
    fileprivate mutating func add(_ part: ManualPart) {
        switch part {
        case .heading(let title): heading(title)
        case .subheading(let title): subheading(title)
        case .text(let text): paragraphs(text)
        case .term(let word, let rest, let meaning):
            term(RoffText.bold(word) + (rest.isEmpty ? "" : "\\~" + RoffText.italic(rest)), meaning)
        }
    }
}

extension Command {
    fileprivate var visibleVerbs: [Command] { subcommands.filter { !$0.isHidden } }

    /// The other commands that print what this one prints.
    fileprivate func relatives(in tree: CommandTree) -> [Command] {
        let types = Set(family.flatMap(\.reports).map(\.type))
        return tree.root.subcommands.filter { other in
            other.name != name && !other.isHidden
                && !types.isDisjoint(with: other.family.flatMap(\.reports).map(\.type))
        }
    }
}

extension String {
    /// Words with a capital, and with a period unless they ask something.
    fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix("?") ? "" : ".") }
}

extension PositionalDeclaration {
    /// The argument in a synopsis.
    fileprivate var roffUsage: String {
        let word = RoffText.italic(name) + (isRepeated ? "\\&.\\|.\\|." : "")
        return mayBeMissing ? "[\(word)]" : word
    }
}

extension OptionDeclaration {
    /// The option in a synopsis.
    fileprivate var roffUsage: String {
        "[\(roffSpelling)]" + (isRepeatable ? "\\&.\\|.\\|." : "")
    }

    /// The option over its meaning.
    var roffTerm: String {
        (letter.map { "\(RoffText.bold("-\($0)")), " } ?? "") + roffSpelling
    }

    private var roffSpelling: String {
        let flag = RoffText.bold(showsNegation ? "--[no-]\(name)" : "--\(name)")
        return valueForm.map { "\(flag)\\~\(RoffText.italic($0.metavariable))" } ?? flag
    }
}
