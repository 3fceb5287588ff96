extension CommandTree {
    /// Returns all mistakes in the declarations, in the order of the tree.
    public func defects() -> [ModelDefect] {
        var check = ModelCheck(tree: self)
        check.run()
        return check.defects
    }
}

/// A check of a command tree, which collects its mistakes.
private struct ModelCheck {
    let tree: CommandTree
    private(set) var defects: [ModelDefect] = []
    /// The first use of each option name, and whether it takes a value there.
    private var forms: [String: (subject: String, takesValue: Bool)] = [:]
    private var meanings: [Character: (subject: String, name: String)] = [:]
    /// The option of each environment variable.
    private var owners: [String: String] = [:]

    init(tree: CommandTree) {
        self.tree = tree
    }

    mutating func run() {
        for command in tree.root.family {
            check(command)
        }
        checkDuplicates(tree.topics.map(\.name) + Set(tree.root.subcommands.map(\.name)).sorted(), at: "help")
        for topic in tree.topics {
            check(abstract: topic.abstract, at: "help \(topic.name)")
            if !topic.name.isOptionName { report("help \(topic.name)", .badName) }
        }
        for topic in tree.topics { checkWidths(of: topic.text, at: "help \(topic.name)") }
        for code in tree.commonExits + tree.storeExits { checkExit(code, at: "") }
        checkReports()
    }

    private mutating func report(_ subject: String, _ mistake: ModelDefect.Mistake) {
        defects.append(ModelDefect(subject, mistake))
    }

    // MARK: - Commands

    private mutating func check(_ command: Command) {
        let subject = command.path.joined(separator: " ")
        check(abstract: command.abstract, at: subject)
        if command.abstract.count > 72 { report(subject, .tooWide(command.abstract)) }
        checkWidths(of: command.discussion, at: subject)
        checkDuplicates(command.subcommands.map(\.name), at: subject)
        for subcommand in command.subcommands where subcommand.path.dropLast() != command.path[...] {
            report(subcommand.path.joined(separator: " "), .misplaced)
        }
        // Commands for programs only, such as `__complete`, are marked by their name.
        let name = command.isHidden ? String(command.name.drop { $0 == "_" }) : command.name
        if !command.path.isEmpty, !name.isCommandName { report(subject, .badName) }
        for topic in command.topics where !tree.topics.contains(where: { $0.name == topic }) {
            report(subject, .unknownTopic(topic))
        }
        checkOptions(of: command, at: subject)
        if command.isNoun { checkNoun(command, at: subject) } else { checkVerb(command, at: subject) }
    }

    private mutating func checkNoun(_ command: Command, at subject: String) {
        if command.subcommands.isEmpty { report(subject, .nounWithoutVerbs) }
        if let verb = command.defaultVerb, command.subcommand(verb) == nil {
            report(subject, .unknownDefaultVerb(verb))
        }
    }

    private mutating func checkVerb(_ command: Command, at subject: String) {
        if command.promise.isEmpty { report(subject, .noPromise) }
        for code in command.exits { checkExit(code, at: subject) }
        for (positional, previous) in zip(command.positionals, [nil] + command.positionals) {
            if let previous, previous.isRepeated || previous.mayBeMissing && !positional.mayBeMissing {
                report("\(subject) \(positional.name)", .unreachableArgument)
            }
            check(abstract: positional.abstract, at: "\(subject) \(positional.name)")
        }
        checkDuplicates(command.positionals.map(\.name), at: subject)
        checkExamples(of: command, at: subject)
    }

    private mutating func checkExamples(of command: Command, at subject: String) {
        guard !command.examples.isEmpty else { return report(subject, .noExample) }
        var showsItself = false
        for example in command.examples {
            let calls = ShellLine.calls(of: tree.program, in: example.line)
            if calls.isEmpty { report(subject, .exampleWithoutCall(example.line)) }
            if example.line.count > 100 { report(subject, .tooWide(example.line)) }
            for call in calls {
                do throws(UsageError) {
                    if case .run(let parsed) = try tree.parse(arguments: call, environment: [:]) {
                        showsItself = showsItself || parsed.command.path == command.path
                    }
                } catch {
                    report(subject, .brokenExample(example.line, error))
                }
            }
        }
        if !showsItself { report(subject, .noExampleOfItself) }
    }

    // MARK: - Options

    private mutating func checkOptions(of command: Command, at subject: String) {
        let inherited = command.path.isEmpty ? [] : tree.root.options
        let visible = inherited + command.options
        let negations = Set(visible.filter(\.isNegatable).map { "no-" + $0.name })
        checkDuplicates(visible.map(\.name) + negations.sorted(), at: subject)
        checkDuplicates(visible.compactMap { $0.letter.map { "-\($0)" } }, at: subject)
        for option in command.options {
            if let variable = option.variable { checkOwner(of: variable, "--\(option.name)", at: subject) }
        }
        for option in visible where !command.isNoun {
            let variable = tree.variables(of: option, in: command).first
            if let variable, variable != option.variable {
                checkOwner(of: variable, "\(subject) --\(option.name)", at: subject)
            }
        }
        for option in command.options {
            let name = "\(subject) --\(option.name)"
            check(abstract: option.abstract, at: name)
            if !option.name.isOptionName || option.letter?.isOptionLetter == false { report(name, .badName) }
            // The parser reads no other variables.
            if let variable = option.variable, !variable.hasPrefix(tree.variablePrefix(of: tree.root)) {
                report(name, .badName)
            }
            checkMeaning(of: option, at: name)
        }
    }

    private mutating func checkMeaning(of option: OptionDeclaration, at subject: String) {
        let form = forms[option.name] ?? (subject, option.takesValue)
        forms[option.name] = form
        if form.takesValue != option.takesValue { report(subject, .twoForms(otherwise: form.subject)) }
        guard let letter = option.letter else { return }
        let meaning = meanings[letter] ?? (subject, option.name)
        meanings[letter] = meaning
        if meaning.name != option.name { report(subject, .twoMeanings(of: letter, otherwise: meaning.subject)) }
    }

    // MARK: - Reports

    /// Checks that all declarations of an object type are equal.
    private mutating func checkReports() {
        var seen: [String: ReportForm] = [:]
        for form in tree.root.family.flatMap(\.reports) + tree.commonReports {
            let subject = "schema \(form.type)"
            if let other = seen.updateValue(form, forKey: form.type) {
                if other.with(plain: form.plain) != form { report(subject, .duplicate(form.type)) }
                checkColumns(of: form, at: subject)
                continue
            }
            if !form.type.isCommandName { report(subject, .badName) }
            check(abstract: form.abstract, at: subject)
            check(ReportForm.common + form.fields, at: subject)
            checkColumns(of: form, at: subject)
        }
    }

    /// Checks that the columns of plain records are fields, and not deprecated ones.
    private mutating func checkColumns(of form: ReportForm, at subject: String) {
        checkDuplicates(form.plain, at: subject)
        let fields = ReportForm.common + form.fields
        for name in form.plain where !fields.contains(where: { $0.name == name && $0.successor == nil }) {
            report(subject, .unknownColumn(name))
        }
    }

    private mutating func check(_ fields: [ReportForm.Field], at subject: String) {
        checkDuplicates(fields.map(\.name), at: subject)
        for field in fields {
            let name = "\(subject).\(field.name)"
            check(abstract: field.abstract, at: name)
            if !field.name.isFieldName { report(name, .badName) }
            checkSuccessor(of: field, among: fields, at: name)
            let isTime = field.kind == .time, isNamedSo = field.name.hasSuffix("_at") || field.name == "at"
            if isTime, field.successor == nil, !field.name.hasSuffix("_at") { report(name, .badTimeName) }
            if !isTime, isNamedSo { report(name, .badTimeName) }
            check(field.kind.inner, at: name)
            if case .word(let words) = field.kind { checkDuplicates(words, at: name) }
        }
    }

    /// Checks that a deprecated field has a successor with the same kind.
    private mutating func checkSuccessor(
        of field: ReportForm.Field, among fields: [ReportForm.Field], at subject: String
    ) {
        guard let successor = field.successor else { return }
        let other = fields.first { $0.name == successor }
        if other?.kind != field.kind || other?.isOptional != field.isOptional || other?.successor != nil {
            report(subject, .badSuccessor(successor))
        }
    }

    // MARK: - Parts

    /// Checks that lines without wrapping fit into 80 columns, except a single word such as a link.
    private mutating func checkWidths(of text: String, at subject: String) {
        for line in text.split(separator: "\n")
        where line.hasPrefix(" ") && line.count > 80 && line.split(separator: " ").count > 1 {
            report(subject, .tooWide(String(line)))
        }
    }

    private mutating func check(abstract: String, at subject: String) {
        guard let first = abstract.first else { return report(subject, .noAbstract) }
        if !first.isUppercase || abstract.hasSuffix(".") || abstract.contains("\n") { report(subject, .badAbstract) }
    }

    private mutating func checkExit(_ code: Int32, at subject: String) {
        if !tree.exits.contains(where: { $0.code == code }) { report(subject, .undocumentedExit(code)) }
    }

    private mutating func checkDuplicates(_ names: [String], at subject: String) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            report(subject, .duplicate(name))
        }
    }

    private mutating func checkOwner(of variable: String, _ option: String, at subject: String) {
        let owner = owners[variable] ?? option
        owners[variable] = owner
        if owner != option { report(subject, .sharedVariable(variable)) }
    }
}

extension String {
    /// True if the text consists of lower-case letters and digits in words joined by single dashes, starting with a
    /// letter.
    fileprivate var isCommandName: Bool {
        guard let first, first.isASCII, first.isLetter else { return false }
        return split(separator: "-", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.utf8.allSatisfy { $0.isLowerLetter || $0.isDigit }
        }
    }

    /// True if the text is a command name with underscores, as in JSON.
    fileprivate var isFieldName: Bool {
        !contains("-") && split(separator: "_", omittingEmptySubsequences: false).joined(separator: "-").isCommandName
    }

    /// True if the text is a command name of at least two letters: a single one would look like the short form.
    fileprivate var isOptionName: Bool { isCommandName && count > 1 }
}

extension Character {
    /// True if the character is a letter or digit: `-0` is an option.
    fileprivate var isOptionLetter: Bool { isASCII && (isLetter || isNumber) }
}

extension UInt8 {
    fileprivate var isLowerLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

/// A mistake in the declaration of a command line, which fails a test.
public struct ModelDefect: Hashable, Sendable, CustomStringConvertible {
    /// The declaration: `send`, `send --wait`, `help exit-codes`; empty for the program itself.
    public let subject: String
    /// The mistake.
    public let mistake: Mistake

    /// A kind of mistake.
    public enum Mistake: Hashable, Sendable {
        /// A name or letter is used twice in the same place, or two reports of one type have different fields.
        case duplicate(String)
        /// The path of a command does not continue that of its noun.
        case misplaced
        /// A name does not consist of lower-case words joined by `-`, a long name has fewer than two letters, an option
        /// letter is neither a letter nor a digit, or a variable does not start with the name of the program.
        case badName
        /// The same long name has a value here, and none in another command.
        case twoForms(otherwise: String)
        /// The same letter is another option in another command.
        case twoMeanings(of: Character, otherwise: String)
        /// The abstract is missing.
        case noAbstract
        /// The abstract has a final period, no capital at the start, or a line break.
        case badAbstract
        /// A verb does not declare the meaning of exit 0.
        case noPromise
        /// A verb has no example.
        case noExample
        /// An example line does not call the program.
        case exampleWithoutCall(String)
        /// The example line is not accepted by the parser.
        case brokenExample(String, UsageError)
        /// No example runs its own command.
        case noExampleOfItself
        /// The exit code has no meaning.
        case undocumentedExit(Int32)
        /// The topic does not exist.
        case unknownTopic(String)
        /// The default verb does not exist.
        case unknownDefaultVerb(String)
        /// A noun has no verbs.
        case nounWithoutVerbs
        /// An argument follows an optional one, or one that takes all words.
        case unreachableArgument
        /// A line without wrapping exceeds 80 columns (a line to paste: 100), or the abstract of a command exceeds 72.
        case tooWide(String)
        /// A column of plain records is not a field, or is a deprecated field.
        case unknownColumn(String)
        /// The successor of a deprecated field does not exist, or has other values.
        case badSuccessor(String)
        /// A time has a name without `_at`, or another field has such a name.
        case badTimeName
        /// Another option uses the same environment variable.
        case sharedVariable(String)
    }

    /// Creates a model defect from its parts.
    public init(_ subject: String, _ mistake: Mistake) {
        self.subject = subject
        self.mistake = mistake
    }

    /// The declaration and its mistake.
    public var description: String { "\(subject.isEmpty ? "the program" : subject): \(mistake)" }
}
