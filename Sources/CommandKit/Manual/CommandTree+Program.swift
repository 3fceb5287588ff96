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
        roff.paragraph("Every command has these options, which may stand before it or behind it.")
        for option in root.options { roff.term(option.roffTerm, option.meaning) }
        for topic in topics {
            roff.heading(topic.name.split(separator: "-").joined(separator: " "))
            roff.paragraphs(topic.text)
        }
        roff.heading("See also")
        roff.list([reference(reportsPageName, 5), reference(settingsPageName, 5)])
        return ManualPage(name: program, section: 1, text: roff.text)
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
