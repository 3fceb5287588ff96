extension CommandTree {
    /// The page about the program itself, which holds all that is true for every command.
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
            Every command has these options, which may stand before it or behind it. An option --x without a value is taken back \
            by --no-x, which also wins over the environment and the configuration.
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

    /// The page about a topic; nil if it has none of its own.
    func page(about topic: Topic, _ edition: ManualPage.Edition) -> ManualPage? {
        guard let section = topic.manualSection else { return nil }
        let name = "\(program)-\(topic.name)"
        var roff = page(name, section, topic.abstract, edition)
        roff.heading("Description")
        roff.paragraphs(topic.text)
        roff.heading("See also")
        let commands = root.subcommands.filter { !$0.isHidden && $0.family.contains { $0.topics.contains(topic.name) } }
        roff.list([reference(program, 1)] + commands.map(reference) + [reference(reportsPageName, 5)])
        return ManualPage(name: name, section: section, text: roff.text)
    }

    /// How the page about a topic is named, if it has one of its own.
    private func reference(to topic: Topic) -> String? {
        topic.manualSection.map { reference("\(program)-\(topic.name)", $0) }
    }
}

extension RoffText {
    /// References to pages, separated by commas.
    mutating func list(_ references: [String]) {
        for (index, reference) in references.enumerated() {
            line(index == references.count - 1 ? reference : reference + ",")
        }
    }
}
