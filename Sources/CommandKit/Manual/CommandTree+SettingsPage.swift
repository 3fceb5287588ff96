extension CommandTree {
    /// The page about configuration files, with everything that can be set.
    func settingsPage(_ edition: ManualPage.Edition) -> ManualPage {
        var roff = page(settingsPageName, 5, "Configuration files of \(program)", edition)
        roff.heading("Synopsis")
        for path in ["$XDG_CONFIG_HOME/\(program)/\(settingsPageName)", "/etc/\(program)/\(settingsPageName)"] {
            roff.paragraph(path)
        }
        roff.heading("Description")
        roff.paragraph(
            """
            An option takes its value from the command line, else from the environment, else from the file of the user, else from \
            that of the machine, else it is built in. Without XDG_CONFIG_HOME the file of the user is in \
            ~/.config/\(program); with \(variable("DIR")) it is in that folder; \(variable("CONFIG")) names another file, which \
            must be there. Nothing is read from the working directory.
            """)
        roff.paragraph(
            """
            A file must belong to the user or to root, and nobody else may be able to change it. It must be a regular file, or \
            /dev/null for none. \(program) config changes the file \
            of the user, and \(program) config check looks for mistakes in both.
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

    /// How the files are called, and the page about them.
    var settingsPageName: String { "\(program).conf" }

    private func variable(_ name: String) -> String { variablePrefix(of: root) + name }

    private func describeSyntax(_ roff: inout RoffText) {
        roff.heading("Syntax")
        roff.paragraph(
            """
            The text is UTF-8. A line holds a section in brackets, a setting, or both; what stands behind a # at the start of a \
            line or behind a space is a comment. Of several lines with one key the last one counts, except for options that can \
            be repeated: they take all of them.
            """)
        roff.paragraphs("  [send]\n  wait = delivered      # NAME = VALUE\n  [alias] s = send")
        roff.paragraph(
            """
            The key of the first setting is send.wait. A value goes to the end of the line or to the comment, without the spaces \
            around it. In double quotes it may hold anything, with \\" for a quote, \\\\ for a backslash, \\n for a line break \
            and \\t for a tab.
            """)
        roff.paragraph(
            """
            A key that means nothing is an error, and the exit code is 78. With config.strict = no it is a warning: for files \
            that a newer version uses as well.
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
            '\(program) NAME' stands for '\(program) WORDS'. They are read as a shell reads words, with quotes and backslashes, and \
            nothing is expanded; they may begin with another alias. What is typed behind the name follows them. A command of the \
            same name is always what is run.
            """)
        roff.subheading("[\(CommandTree.globalSection)]")
        roff.paragraph(
            """
            The options that every command has. They may stand in the section of a command as well, where they are for that \
            command alone.
            """)
        let known = knownSettings.filter { setting in !settings.contains { $0.key == setting.key } }
        for setting in known where setting.section == CommandTree.globalSection {
            roff.term(term(of: setting), meaning(of: setting))
        }
        roff.paragraph(
            """
            Every other section is named like a command, the words joined by dots or spaces, and holds the defaults of its options, \
            with _ for -. What they mean stands on the page of the command.
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
            meaning += ". Expected is \(setting.expected)"
        }
        if let variable = setting.variables.first { meaning += ". \(variable) wins over it" }
        if let variable = setting.fallbackVariable { meaning += "; \(variable) counts where nothing is set" }
        return meaning + "."
    }

    /// A file that makes sense.
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
