/// A manual page in roff.
public struct ManualPage: Hashable, Sendable {
    /// The argument of `man`: `tacit-send`.
    public let name: String
    /// The section: 1 for commands, 5 for formats, 8 for operators of a service.
    public let section: Int
    /// The roff text.
    public let text: String

    /// The file name: `tacit-send.1`.
    public var fileName: String { "\(name).\(section)" }

    /// The version in the footer of a manual.
    public struct Edition: Sendable {
        /// The version of the program.
        public let version: String
        /// The date of the version, as `2026-11-21`.
        public let date: String

        /// Creates an edition from its parts.
        public init(version: String, date: String) {
            self.version = version
            self.date = date
        }
    }
}

extension CommandTree {
    /// Returns the whole manual: pages for the program, each daily command, each noun with its verbs, the reports, the
    /// configuration files, and topics with a page of their own.
    public func manual(_ edition: ManualPage.Edition) -> [ManualPage] {
        let commands = root.subcommands.filter { !$0.isHidden }
        return [programPage(edition)] + commands.map { page(of: $0, edition) }
            + [reportsPage(edition), settingsPage(edition)] + topics.compactMap { page(about: $0, edition) }
    }

    /// Returns a page with only its name.
    func page(
        _ name: String, _ section: Int, _ abstract: String, _ edition: ManualPage.Edition
    ) -> RoffText {
        var roff = RoffText(
            name, section: section, date: edition.date, source: "\(program) \(edition.version)",
            volume: "Manual of \(program)")
        roff.name(name, abstract)
        return roff
    }

    /// Returns the name of the page of a command: that of the daily command or of the noun.
    func pageName(of command: Command) -> String {
        ([program] + command.path.prefix(1)).joined(separator: "-")
    }

    /// Returns a reference to the page of a command, in bold with its section.
    func reference(to command: Command) -> String {
        let section = root.subcommand(command.path.first ?? "")?.manualSection ?? 1
        return reference(pageName(of: command), section)
    }

    func reference(_ name: String, _ section: Int) -> String {
        "\(RoffText.bold(name))(\(section))"
    }

    /// The name of the page about reports.
    var reportsPageName: String { "\(program)-json" }
}

extension CommandTree {
    /// Returns the page about a command, or about a noun with its verbs.
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

    /// Describes a verb with its options and arguments; `heading` is called before each part.
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

    /// Adds the interface for scripts.
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
            "The value of any option\(command.isNoun ? " of a command" : ""), in capitals with _ for -.")
        let types = verbs.flatMap(\.reports).map(\.type)
        guard !types.isEmpty else { return }
        roff.heading("Output")
        var once: Set<String> = []
        let list = WordGrammar.alternatives(types.filter { once.insert($0).inserted })
        roff.paragraph("With --json each line of output is an object of type \(list).")
        addColumns(of: verbs, to: &roff)
    }

    /// Adds the columns of plain records, by type of object.
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
        roff.paragraph("With --plain each line is a record with these columns, unless --fields selects others:")
        for (type, plain, verbs) in columns {
            // A few types have other columns in some verbs.
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

    /// Returns the other commands with the same reports.
    fileprivate func relatives(in tree: CommandTree) -> [Command] {
        let types = Set(family.flatMap(\.reports).map(\.type))
        return tree.root.subcommands.filter { other in
            other.name != name && !other.isHidden
                && !types.isDisjoint(with: other.family.flatMap(\.reports).map(\.type))
        }
    }
}

extension String {
    /// The words with a capital, and with a period unless they are a question.
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

    /// The option above its meaning.
    var roffTerm: String {
        (letter.map { "\(RoffText.bold("-\($0)")), " } ?? "") + roffSpelling
    }

    private var roffSpelling: String {
        let flag = RoffText.bold(showsNegation ? "--[no-]\(name)" : "--\(name)")
        return valueForm.map { "\(flag)\\~\(RoffText.italic(choice: $0.metavariable))" } ?? flag
    }
}

extension CommandTree {
    /// Returns the page about the program itself, with the parts that apply to every command.
    func programPage(_ edition: ManualPage.Edition) -> ManualPage {
        var roff = page(program, 1, root.abstract, edition)
        roff.heading("Synopsis")
        roff.synopsis(program, [RoffText.italic("[OPTIONS] COMMAND")])
        roff.heading("Description")
        roff.paragraphs(root.discussion)
        roff.heading("Commands")
        for section in sections {
            roff.subheading(section.title)
            for command in section.commands where !command.isHidden {
                roff.term(reference(to: command), command.abstract)
            }
        }
        roff.heading("Options")
        roff.paragraph(
            """
            Every command accepts these options, before or after its name. --no-x cancels a flag --x, also one from the \
            environment or the configuration.
            """)
        for option in root.options { roff.term(option.roffTerm, option.meaning) }
        for topic in topics where topic.manualSection == nil {
            roff.heading(topic.name.split(separator: "-").joined(separator: " "))
            roff.paragraphs(topic.text)
        }
        roff.heading("See also")
        roff.list(
            [reference(reportsPageName, 5), reference(settingsPageName, 5)] + topics.compactMap(reference))
        return ManualPage(name: program, section: 1, text: roff.text)
    }

    /// Returns the page about a topic, or nil if the topic has none.
    func page(about topic: Topic, _ edition: ManualPage.Edition) -> ManualPage? {
        guard let section = topic.manualSection else { return nil }
        let name = "\(program)-\(topic.manualName)"
        var roff = page(name, section, topic.abstract, edition)
        roff.heading("Description")
        roff.paragraphs(topic.text)
        roff.heading("See also")
        let commands = root.subcommands.filter { !$0.isHidden && $0.family.contains { $0.topics.contains(topic.name) } }
        roff.list([reference(program, 1)] + commands.map(reference) + [reference(reportsPageName, 5)])
        return ManualPage(name: name, section: section, text: roff.text)
    }

    /// Returns the reference to the page of a topic, or nil if the topic has none.
    private func reference(to topic: Topic) -> String? {
        topic.manualSection.map { reference("\(program)-\(topic.manualName)", $0) }
    }
}

extension RoffText {
    /// Adds references to pages, separated by commas.
    mutating func list(_ references: [String]) {
        for (index, reference) in references.enumerated() {
            line(index == references.count - 1 ? reference : reference + ",")
        }
    }
}

extension CommandTree {
    /// Returns the page about the objects that commands print in JSON mode.
    func reportsPage(_ edition: ManualPage.Edition) -> ManualPage {
        let abstract = "Objects that \(program) prints with --json"
        var roff = page(reportsPageName, 5, abstract, edition)
        roff.heading("Description")
        roff.paragraph(
            """
            With --json each line of output is one object in UTF-8, and an error is the last line of standard error. Every \
            object begins with v, the version of the format, which is 1, and type, the type of the object.
            """)
        roff.paragraph(
            """
            Within a version, fields, types and words are only added: readers must ignore unknown ones. A missing field is \
            unknown or does not apply; null is not used.
            """)
        roff.paragraph("The kinds of values, named below in parentheses:")
        for (name, meaning) in ReportForm.Kind.meanings { roff.term(name, meaning) }
        roff.paragraph("\(program) schema prints the same as JSON Schema, for programs.")
        roff.paragraph(
            """
            With --plain each line of output is a record with the columns named below, separated by tabs; --fields selects \
            others. A column can be any field of the type, or a nested field: lock.pid. A field without a value is empty. A \
            list has one line per element, an object one line NAME=VALUE per field; line breaks are written as \\n, and an \
            empty line separates the objects of a list.
            """)
        roff.heading("Types")
        for form in reports { describe(form, in: &roff) }
        roff.heading("See also")
        roff.list([reference(program, 1)])
        return ManualPage(name: reportsPageName, section: 5, text: roff.text)
    }

    private func describe(_ form: ReportForm, in roff: inout RoffText) {
        roff.subheading(form.type)
        let printers = root.family.filter { $0.reports.contains { $0.type == form.type } }
            .map { invocation(of: $0.path) }
        roff.paragraph("\(form.abstract).")
        if !printers.isEmpty { roff.paragraph("Printed by \(printers.joined(separator: ", ")).") }
        if !form.plain.isEmpty { roff.paragraph("Plain columns: \(form.plain.joined(separator: ", ")).") }
        for field in form.fields { describe(field, in: &roff) }
    }

    private func describe(_ field: ReportForm.Field, in roff: inout RoffText, below parent: String = "") {
        let note = field.isOptional ? "\(field.kind.name), may be missing" : field.kind.name
        var meaning = "\(field.meaning)."
        if case .word(let words) = field.kind { meaning += " One of: \(words.joined(separator: ", "))." }
        roff.term("\(RoffText.bold(parent + field.name)) (\(note))", meaning)
        for part in field.kind.inner { describe(part, in: &roff, below: "\(parent)\(field.name).") }
    }
}

extension ReportForm.Kind {
    /// The name of the kind in the manual.
    fileprivate var name: String {
        switch self {
        case .text: "text"
        case .id: "id"
        case .time: "time"
        case .word: "word"
        case .flag: "flag"
        case .count: "number"
        case .size: "bytes"
        case .duration: "milliseconds"
        case .texts: "list of texts"
        case .numbers: "list of numbers"
        case .counts: "numbers by name"
        case .object: "object"
        case .objects: "list of objects"
        }
    }

    /// All names with their meanings.
    fileprivate static let meanings = [
        ("text", "A string."), ("id", "A permanent identifier: a letter and a number."),
        ("time", "A time in RFC 3339, in UTC with milliseconds."),
        ("word", "A string from a list."), ("flag", "true or false."),
        ("number, bytes, milliseconds", "An integer from 0."), ("list of ...", "An array."),
        ("numbers by name", "An object whose values are integers from 0."), ("object", "An inner object."),
    ]
}
