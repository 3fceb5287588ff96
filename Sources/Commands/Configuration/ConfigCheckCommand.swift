import CommandKit
import JSONCoding
import TerminalKit

/// `tacit config check`
enum ConfigCheckCommand {
    static let leaf: Leaf = .init(
        Command(
            "config check", "Look for mistakes in the configuration files", promise: "there are none", store: .none,
            examples: [Example("tacit config check", "After a change by hand")],
            reports: ConfigurationCheck.forms,
            discussion: """
                Looks at all keys and all values, those of commands that are never used too. If something is wrong, each mistake \
                is a line, and the exit code is 78. An alias with the name of a command is a mistake that does no harm.
                """),
        purpose: { _ in "use the configuration" },
        run: { invocation in
            let check = ConfigurationCheck(invocation)
            try invocation.print(done: check)
            guard let mistake = check.harmful.first else { return .ok }
            let count = check.harmful.count
            throw Reason.mistakes(count, first: mistake)
        })
}

/// What is wrong with the configuration files.
struct ConfigurationCheck: Report {
    let mistakes: [SettingsMistake]
    private let isStrict: Bool

    /// Those with which commands do not run.
    var harmful: [SettingsMistake] { mistakes.filter { !isHarmless($0) } }

    private func isHarmless(_ mistake: SettingsMistake) -> Bool {
        mistake.isHarmless || mistake.mayBeNewer && !isStrict
    }

    /// Reads the files once more, with all that they say.
    init(_ invocation: Invocation) {
        let environment = invocation.environment, tree = CommandTree.tacit
        let configuration = Configuration(environment)
        let paths = [Configuration.userFile(environment), Configuration.systemFile].compactMap(\.self)
        let found = paths.flatMap { path in
            (try? Configuration.text(of: path)).map { tree.mistakes(in: $0, at: path, checksValues: true) } ?? []
        }
        let files = configuration.mistakes.filter { $0.line == 0 }
        isStrict = configuration.isStrict
        mistakes = files + found + configuration.settings.aliasMistakes(in: tree)
    }

    static let forms = [
        ReportForm(
            "config-check", "What is wrong with the configuration files", plain: ["ok"],
            [
                .always("ok", .flag, "Whether nothing is"),
                .always(
                    "mistakes",
                    .objects([
                        .always("code", .text, "What it is"), .always("file", .text, "In which file"),
                        .sometimes("line", .count, "In which line"), .always("message", .text, "The same in words"),
                        .always("harmless", .flag, "Whether the program goes on all the same"),
                        .always("try", .texts, "What may have been meant"),
                    ]), "What is wrong"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "config-check")
        json.set("ok", harmful.isEmpty)
        json["mistakes"] = .array(mistakes.map { .object(fields(of: $0)) })
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        guard !mistakes.isEmpty else { return ["the configuration is as it should be"] }
        return mistakes.map { mistake in
            let meant = mistake.suggestions.first.map { "; did you mean \($0)?" } ?? ""
            return StyledText("\(mistake.place): ", .muted) + StyledText(mistake.sentence + meant, .warning)
        }
    }

    private func fields(of mistake: SettingsMistake) -> JSONObject {
        var json: JSONObject = [:]
        json.set("code", mistake.slug)
        json.set("file", mistake.file)
        if mistake.line > 0 { json.set("line", mistake.line) }
        json.set("message", mistake.sentence)
        json.set("harmless", isHarmless(mistake))
        json.set("try", mistake.suggestions)
        return json
    }
}
