import ChatCore
import CommandKit
import Host
import JSONCoding
import TerminalKit

/// `tacit db upgrade`
enum DatabaseUpgradeCommand {
    static let confirm = Option<StoreUpgrade.Confirmation>(
        "confirm", "Allowed changes: none, upgrades, or downgrades from a newer version too", .choice(),
        default: .yesUp, isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "db upgrade", "Upgrade or downgrade the store schema",
            promise: "both databases have the schema of this version", store: .none, options: [confirm],
            examples: [
                Example("tacit db upgrade", "Upgrade after installing a new version"),
                Example("tacit db upgrade --confirm error", "Check whether an upgrade is needed"),
                Example("tacit db upgrade --confirm yes-up-down", "Downgrade to the schema of an older version"),
            ],
            exits: [65, 69, 71, 77], reports: UpgradeReport.forms,
            discussion: """
                Other commands upgrade automatically. Downgrades happen only here, because some lose data; the refusal without \
                --confirm lists the losses. Both databases are copied to files that end with .bak first; the next upgrade \
                replaces these copies.

                With --confirm error nothing changes, and the exit code is 69 if the schema differs.
                """),
        isAlone: true, purpose: { _ in "upgrade the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let report = try StoreOpener(invocation, isWriting: true).upgrade(invocation[confirm])
        try invocation.print(done: UpgradeReport(report: report))
        return .ok
    }
}

extension StoreOpener {
    /// Upgrades the store while nobody else writes to it.
    func upgrade(_ confirmation: StoreUpgrade.Confirmation) throws -> StoreUpgrade.Report {
        let claim = try asWriter.claim(try existingFolder()), key = claim.key
        defer { withExtendedLifetime(claim) {} }
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
            "db-upgrade", "Migrations of the store schema", plain: ["result"],
            [
                .always("result", .text, "Result"),
                .always("up", .texts, "Applied migrations"),
                .always("down", .texts, "Reverted migrations"),
                .always("backups", .texts, "Backup copies of the databases"),
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
        return report.up.map { StyledText("applied migration \($0)") }
            + report.down.map { StyledText("reverted migration \($0)") }
            + report.backups.map { StyledText("backup: ", .muted) + StyledText($0, .muted) }
    }
}
