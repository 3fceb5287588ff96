extension CommandTree {
    /// Returns the page about configuration files with all settings.
    func settingsPage(_ edition: ManualPage.Edition) -> ManualPage {
        var roff = page(settingsPageName, 5, "Configuration files of \(program)", edition)
        roff.heading("Synopsis")
        for path in ["$XDG_CONFIG_HOME/\(program)/\(settingsPageName)", "/etc/\(program)/\(settingsPageName)"] {
            roff.paragraph(path)
        }
        roff.heading("Description")
        roff.paragraph(
            """
            Each option takes its value from the first of these sources that has one: the command line, the environment, the \
            file of the user, the file of the machine, the built-in default. Without XDG_CONFIG_HOME the file of the user is \
            in ~/.config/\(program); with \(variable("DIR")) it is in that folder. \(variable("CONFIG")) names another file, \
            which must exist. No file is read from the working directory.
            """)
        roff.paragraph(
            """
            A configuration file must be a regular file that belongs to the user or to root, and that only its owner can write \
            to; /dev/null stands for an empty file. \(program) config changes the file of the user, and \(program) config \
            check checks both files.
            """)
        describeSyntax(&roff)
        describeSettings(&roff)
        roff.heading("Examples")
        roff.paragraphs(CommandTree.example.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
        roff.heading("See also")
        let editor = root.subcommand("config").map { [reference(to: $0)] } ?? []
        roff.list([reference(program, 1)] + editor)
        return ManualPage(name: settingsPageName, section: 5, text: roff.text)
    }

    /// The name of the page and of the files.
    var settingsPageName: String { "\(program).conf" }

    private func variable(_ name: String) -> String { variablePrefix(of: root) + name }

    private func describeSyntax(_ roff: inout RoffText) {
        roff.heading("Syntax")
        roff.paragraph(
            """
            The text is UTF-8. A line holds a section in brackets, a setting, or both. A # at the start of a line or after a \
            space begins a comment. If a key occurs several times, the last value counts, except for repeatable options, which \
            take all values.
            """)
        roff.paragraphs("  [send]\n  wait = delivered      # NAME = VALUE\n  [alias] s = send")
        roff.paragraph(
            """
            The key of the first setting is send.wait. A value extends to the end of the line or to the comment, without \
            surrounding spaces. In double quotes it can contain any character, with \\" for a quote, \\\\ for a backslash, \\n \
            for a line break and \\t for a tab.
            """)
        roff.paragraph(
            """
            An unknown key is an error, and the exit code is 78. With config.strict = no it is a warning, for files that a \
            newer version uses too.
            """)
    }

    private func describeSettings(_ roff: inout RoffText) {
        roff.heading("Settings")
        var seen: Set<String> = []
        for setting in settings {
            if seen.insert(setting.section).inserted { roff.subheading("[\(setting.section)]") }
            roff.term(term(of: setting), meaning(of: setting))
        }
        roff.subheading("[\(CommandTree.aliasSection)]")
        roff.term(
            "\(RoffText.bold("NAME"))\\~=\\~\(RoffText.italic("WORDS"))",
            """
            '\(program) NAME' stands for '\(program) WORDS'. The words are split as in a shell, with quotes and backslashes \
            but without expansion; they may begin with another alias. Further words on the command line follow them. A command \
            takes precedence over an alias of the same name.
            """)
        roff.subheading("[\(CommandTree.globalSection)]")
        roff.paragraph(
            """
            The global options. In the section of a command they apply to that command only.
            """)
        let known = knownSettings.filter { setting in !settings.contains { $0.key == setting.key } }
        for setting in known where setting.section == CommandTree.globalSection {
            roff.term(term(of: setting), meaning(of: setting))
        }
        roff.paragraph(
            """
            Every other section is named like a command, its words joined by dots or spaces, and sets defaults of its options, \
            with _ for -. The page of the command describes them.
            """)
        for command in root.family where !command.isNoun && !command.isHidden {
            let section = command.path.joined(separator: ".")
            let own = known.filter { $0.section == section }
            guard !own.isEmpty else { continue }
            roff.subheading("[\(section)]")
            roff.paragraph(own.map { "\($0.name) (\($0.defaultText ?? $0.metavariable))" }.joined(separator: ", "))
        }
    }

    private func term(of setting: SettingDeclaration) -> String {
        "\(RoffText.bold(setting.name))\\~=\\~\(RoffText.italic(setting.metavariable))"
    }

    private func meaning(of setting: SettingDeclaration) -> String {
        var meaning = setting.abstract
        if let defaultText = setting.defaultText { meaning += " [default: \(defaultText)]" }
        if !setting.metavariable.contains("|"), setting.expected != "a text",
            settings.contains(where: { $0.key == setting.key })
        {
            meaning += ". Value: \(setting.expected)"
        }
        if let variable = setting.variables.first { meaning += ". \(variable) overrides it" }
        if let variable = setting.fallbackVariable { meaning += "; \(variable) applies if nothing is set" }
        return meaning + "."
    }

    /// An example file.
    private static let example = """
        [net]
        proxy = tor
        require_proxy = yes
        [global]
        utc = yes
        [fetch]
        jitter = 2m
        [alias]
        s = send
        hi = send @alice 'good morning'
        """
}
