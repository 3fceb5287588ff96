import CommandKit
import JSONCoding
import TerminalKit

/// `tacit config check`
enum ConfigCheckCommand {
    static let leaf: Leaf = .init(
        Command(
            "config check", "Check the configuration files for errors", promise: "the configuration files are valid",
            store: .none,
            examples: [Example("tacit config check", "Check the files after editing them")],
            reports: ConfigurationCheck.forms,
            discussion: """
                Checks all keys and values, also for unused commands. Each error is reported on one line, and the exit code is \
                78. An alias with the name of a command is only a warning.
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
            "config-check", "Result of a configuration check", plain: ["ok"],
            [
                .always("ok", .flag, "True if there are no errors"),
                .always(
                    "mistakes",
                    .objects([
                        .always("code", .text, "Kind of error"), .always("file", .text, "File"),
                        .sometimes("line", .count, "Line number"), .always("message", .text, "Error in words"),
                        .always("harmless", .flag, "True if the error is only a warning"),
                        .always("try", .texts, "Suggested corrections"),
                    ]), "Errors"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "config-check")
        json.set("ok", harmful.isEmpty)
        json["mistakes"] = .array(mistakes.map { .object(fields(of: $0)) })
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        guard !mistakes.isEmpty else { return ["the configuration is valid"] }
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
