import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// A migration, or that there is none.
struct MigrationReport: Report {
    /// The end of a migration.
    enum End: String, CaseIterable {
        case none, finished, cancelled
    }

    private let folder: MigrationFolder
    private let record: MigrationRecord?
    private let end: End

    init(_ folder: MigrationFolder, _ record: MigrationRecord?, _ end: End = .none) {
        (self.folder, self.record, self.end) = (folder, record, end)
    }

    static let forms = [
        ReportForm(
            "migration", "A migration of the store to or from another machine",
            plain: ["state", "side", "link", "store"],
            [
                .always(
                    "state", .word(End.allCases.map(\.rawValue) + MigrationStage.allCases.map(\.rawValue)),
                    "Current step; none, finished or cancelled if there is no unfinished migration"),
                .sometimes("side", .word(["source", "destination"]), "Role of this machine"),
                .always("store", .text, "Folder of the store"),
                .sometimes("started_at", .time, "Time when the migration began on this machine"),
                .sometimes("archive_size", .size, "Size of the archive"),
                .sometimes("link", .text, "Link for the other machine"),
                .sometimes("linked_at", .time, "Time when the link was made"),
                .sometimes("expires_at", .time, "Time when file relays delete the archive"),
                .sometimes("reports", .flag, "True if the other machine can report that it has the store"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "migration")
        json.set("state", record?.stage.rawValue ?? end.rawValue)
        json.set("side", record?.stage.side.rawValue)
        json.set("store", folder.store.path)
        guard let record else { return json }
        json.set("started_at", record.startedAt.description)
        json.set("archive_size", record.archiveSize)
        if record.stage == .offered { json.set("link", record.link) }
        json.set("linked_at", record.linkedAt?.description)
        json.set("expires_at", record.expiresAt?.description)
        if record.stage == .offered { json.set("reports", record.report != nil) }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        guard let record else {
            switch end {
            case .none: return ["there is no unfinished migration"]
            case .finished: return ["the migration is finished"]
            case .cancelled: return ["the migration is cancelled"]
            }
        }
        var lines = record.stage == .offered ? record.link.map { [StyledText($0)] } ?? [] : []
        lines.append(StyledText(record.stage.sentence))
        if let end = record.expiresAt, record.stage == .offered {
            lines.append("the link works once, until " + style.time(end))
        }
        return lines
    }
}

extension MigrationStage {
    /// The state, as a sentence without a period.
    package var sentence: String {
        switch self {
        case .archiving: "the archive of the store is being written"
        case .uploading: "the archive is being uploaded to file relays"
        case .offered: "the archive is ready; the other machine has not reported yet"
        case .moved: "the other machine has the store"
        case .deleting: "the store is being deleted from this machine"
        case .withdrawing: "the migration is being cancelled"
        case .downloading: "the archive is being downloaded from file relays"
        case .importing: "the archive was downloaded and is not imported yet"
        case .reporting: "the store is on this machine; the other machine is being told"
        }
    }

    /// What a person can do.
    package var commands: [(line: String, note: String)] {
        let resume = (line: "tacit migrate resume", note: "continue")
        let status = (line: "tacit migrate status", note: "show the state")
        return switch self {
        case .archiving, .uploading: [resume, (line: "tacit migrate cancel", note: "use the store here again")]
        case .offered:
            [
                (line: "tacit migrate resume", note: "show the link again and wait"),
                (line: "tacit migrate finish", note: "delete the store here, once it works on the other machine"),
                (line: "tacit migrate cancel", note: "use the store here again; conversations may break"),
            ]
        case .moved:
            [
                (line: "tacit migrate finish", note: "delete the store here"),
                (line: "tacit migrate cancel", note: "use the store here again; conversations may break"),
            ]
        case .deleting, .withdrawing, .reporting: [resume, status]
        case .downloading, .importing: [resume, (line: "tacit migrate cancel", note: "delete the download")]
        }
    }
}
