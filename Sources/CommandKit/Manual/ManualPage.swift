/// A page of the manual, as roff.
public struct ManualPage: Hashable, Sendable {
    /// What stands behind `man`: `tacit-send`.
    public let name: String
    /// 1 for commands, 5 for formats, 8 for those who run a service.
    public let section: Int
    public let text: String

    public var fileName: String { "\(name).\(section)" }

    /// The version that a manual describes, which stands below each page.
    public struct Edition: Sendable {
        public let version: String
        /// When that version was made, as `2026-11-21`.
        public let date: String

        public init(version: String, date: String) {
            self.version = version
            self.date = date
        }
    }
}

extension CommandTree {
    /// The whole manual: a page for the program, one for each daily command and for each noun with all of its verbs, one
    /// for the reports and one for the configuration files.
    public func manual(_ edition: ManualPage.Edition) -> [ManualPage] {
        let commands = root.subcommands.filter { !$0.isHidden }
        return [programPage(edition)] + commands.map { page(of: $0, edition) }
            + [reportsPage(edition), settingsPage(edition)]
    }

    /// A page that holds nothing but its name yet.
    func page(
        _ name: String, _ section: Int, _ abstract: String, _ edition: ManualPage.Edition
    ) -> RoffText {
        var roff = RoffText(
            name, section: section, date: edition.date, source: "\(program) \(edition.version)",
            volume: "Manual of \(program)")
        roff.name(name, abstract)
        return roff
    }

    /// The name of the page about a command: that of the daily command, or of the noun.
    func pageName(of command: Command) -> String {
        ([program] + command.path.prefix(1)).joined(separator: "-")
    }

    /// How another page is named in text, in bold with its section.
    func reference(to command: Command) -> String {
        let section = root.subcommand(command.path.first ?? "")?.manualSection ?? 1
        return reference(pageName(of: command), section)
    }

    func reference(_ name: String, _ section: Int) -> String {
        "\(RoffText.bold(name))(\(section))"
    }

    /// Where the reports are described.
    var reportsPageName: String { "\(program)-json" }
}
