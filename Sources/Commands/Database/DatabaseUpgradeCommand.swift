import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit db upgrade`
enum DatabaseUpgradeCommand {
    static let confirm = Option<StoreUpgrade.Confirmation>(
        "confirm", "What may be done: nothing, steps up, or steps back from a newer version too", .choice(),
        default: .yesUp, isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "db upgrade", "Bring the store to the schema of this version",
            promise: "both databases have the schema of this version", store: .none, options: [confirm],
            examples: [
                Example("tacit db upgrade", "After a new version was installed"),
                Example("tacit db upgrade --confirm error", "Ask whether there is something to do"),
                Example("tacit db upgrade --confirm yes-up-down", "Go back to the schema of an older version"),
            ],
            exits: [65, 69, 71, 77], reports: UpgradeReport.forms,
            discussion: """
                Other commands take steps up by themselves. Steps back are taken only here, because some of them lose \
                something; what that is is said before they are refused. Both databases are copied first: the files end with \
                .bak, and the next upgrade replaces them.

                With --confirm error nothing is changed, and the exit code is 69 if there is something to do.
                """),
        isAlone: true, purpose: { _ in "upgrade the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let report = try StoreAccess(invocation, isWriting: true).upgrade(invocation[confirm])
        try invocation.print(done: UpgradeReport(report: report))
        return .ok
    }
}

extension StoreAccess {
    /// Upgrades the store while nobody else writes to it.
    func upgrade(_ confirmation: StoreUpgrade.Confirmation) throws -> StoreUpgrade.Report {
        let (lock, key) = try asWriter.unlock(try existingFolder())
        defer { withExtendedLifetime(lock) {} }
        return try upgradeLocked(confirmation, key)
    }

    /// Upgrades the store, whose lock this process holds.
    func upgradeLocked(_ confirmation: StoreUpgrade.Confirmation, _ key: OpenedKey?) throws -> StoreUpgrade.Report {
        let report = try StoreUpgrade.run(try existingFolder(), key: key, confirmation: confirmation)
        guard report.result == .ok else { throw Reason(report.result) }
        return report
    }
}

/// The steps that were taken.
private struct UpgradeReport: Report {
    let report: StoreUpgrade.Report

    static let forms = [
        ReportForm(
            "db-upgrade", "The steps that were taken with the schema", plain: ["result"],
            [
                .always("result", .text, "How it ended"),
                .always("up", .texts, "Steps that were taken"),
                .always("down", .texts, "Steps that were taken back"),
                .always("backups", .texts, "Copies of what was before"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "db-upgrade")
        json["result"] = report.result.json["type"]
        json.set("up", report.up.map(\.description))
        json.set("down", report.down.map(\.description))
        json.set("backups", report.backups)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        guard !report.up.isEmpty || !report.down.isEmpty else { return ["the store has the schema of this version"] }
        return report.up.map { StyledText("took the step \($0)") }
            + report.down.map { StyledText("took back the step \($0)") }
            + report.backups.map { StyledText("as it was before: ", .muted) + StyledText($0, .muted) }
    }
}
