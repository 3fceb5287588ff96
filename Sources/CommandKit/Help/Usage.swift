extension CommandTree {
    /// Returns the usage of a command on one line: `tacit send TARGET [TEXT|-] [OPTIONS]`.
    public func usage(of command: Command) -> String {
        let options = command.options.isEmpty || command.path.isEmpty ? [] : ["[OPTIONS]"]
        return (usageStart(of: command) + options).joined(separator: " ")
    }

    /// Returns the usage of a command with each of its own options.
    func completeUsage(of command: Command) -> [String] {
        usageStart(of: command) + (command.path.isEmpty ? [] : command.options.map(\.usage))
    }

    private func usageStart(of command: Command) -> [String] {
        guard command.isNoun else { return [invocation(of: command.path)] + command.positionals.map(\.usage) }
        let next = command.path.isEmpty ? "COMMAND" : "VERB"
        return [invocation(of: command.path)] + (command.path.isEmpty ? ["[OPTIONS]"] : [])
            + [command.defaultVerb == nil ? next : "[\(next)]"]
    }
}

extension PositionalDeclaration {
    /// The form `NAME`, in brackets if optional, with dots if repeated.
    var usage: String {
        let word = isRepeated ? "\(name)..." : name
        return mayBeMissing ? "[\(word)]" : word
    }
}

extension OptionDeclaration {
    /// The form `[--wait STAGE]`, `[--to TARGET]...`.
    var usage: String {
        "[\(spelling)]" + (isRepeatable ? "..." : "")
    }

    /// The long name with its value: `--wait STAGE`, `--[no-]color`.
    var spelling: String {
        let flag = showsNegation ? "--[no-]\(name)" : "--\(name)"
        return valueForm.map { "\(flag) \($0.metavariable)" } ?? flag
    }

    /// The short and the long form in aligned columns: `-q, --quiet`, `    --json`.
    var term: String {
        letter.map { "-\($0), \(spelling)" } ?? "    \(spelling)"
    }

    /// The summary with default and notes.
    var meaning: String {
        var meaning = abstract
        if let form = valueForm, !form.choices.isEmpty, form.metavariable != form.choices.joined(separator: "|") {
            meaning += ": \(form.choices.joined(separator: ", "))"
        }
        if isRepeatable { meaning += " (can be repeated)" }
        if isNumeral { meaning += " (also -\(valueForm?.metavariable ?? "N"))" }
        if let defaultText { meaning += " [default: \(defaultText)]" }
        return meaning
    }
}
