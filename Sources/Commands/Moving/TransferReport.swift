import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// An archive that was made.
struct ExportReport: Report {
    let path: String
    let report: StoreExport.Report
    let keyPlace: String?

    static let forms = [
        ReportForm(
            "export", "An exported archive", plain: ["file", "size", "files", "encrypted", "frozen"],
            [
                .always("file", .text, "Path of the archive"),
                .always("size", .size, "Size in bytes"),
                .always("files", .count, "Number of message files in the archive"),
                .always("encrypted", .flag, "True if the databases are encrypted"),
                .sometimes("key", .text, "Location of the key, which is not part of the archive; for people"),
                .always("passphrase", .flag, "True if the archive has a separate passphrase"),
                .always("frozen", .flag, "True if the store is frozen now"),
                .always("exported_at", .time, "Time of the export"),
                .always("export_id", .text, "Unique id of the export"),
                .always(
                    "warnings",
                    .objects([
                        .always("kind", .text, "Kind of warning"),
                        .sometimes("import_error", .text, "Error while reading the store"),
                        .sometimes("file", .text, "File that is left out"),
                        .sometimes("file_error", .text, "Error of the file"),
                    ]), "Data that could not be exported"),
                leftOut,
            ])
    ]

    /// The field with the data that an archive for the official apps does not contain.
    static let leftOut = ReportForm.Field.sometimes(
        "left_out",
        .objects([
            .always("kind", .word(ExportRemainder.allCases.map(\.rawValue)), "Kind of data"),
            .always("count", .count, "Number of records of this kind"),
        ]), "Data that an archive for SimpleX Chat does not contain, conversations first")

    var json: JSONObject {
        var json = JSONObject(type: "export")
        json.set("file", path)
        json.set("size", report.size)
        json.set("files", report.fileCount)
        json.set("encrypted", report.isEncrypted)
        json.set("key", keyPlace)
        json.set("passphrase", report.hasPassphrase)
        json.set("frozen", report.mark.isFrozen)
        json.set("exported_at", report.mark.exportedAt.description)
        json.set("export_id", Hex.encode(report.mark.id))
        json["warnings"] = .array(report.warnings.map { .object($0.report) })
        json["left_out"] = report.remainders.map { ExportRemainder.list($0) }
        return json
    }

    var sentence: StyledText {
        let files = report.fileCount == 1 ? "1 file" : "\(report.fileCount) files"
        return StyledText("exported the store with \(files), \(ByteCount.text(report.size))")
            + StyledText(report.mark.isFrozen ? "; it is frozen now" : "")
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        ExportRemainder.lines(report.remainders ?? [:]) + [StyledText(path) + ": " + sentence]
    }
}

/// The contents of an archive for the official apps that was not created.
struct ExportPreviewReport: Report {
    let path: String
    let preview: StoreExport.Preview

    static let forms = [
        ReportForm(
            "export-preview", "The contents of an archive for SimpleX Chat",
            plain: ["profiles", "contacts", "chats", "messages", "files"],
            [
                .always("file", .text, "Path of the archive"),
                .always("profiles", .count, "Number of profiles"),
                .always("contacts", .count, "Number of contacts"),
                .always("chats", .count, "Number of conversations"),
                .always("messages", .count, "Number of messages"),
                .always("files", .count, "Number of files"),
                ExportReport.leftOut,
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "export-preview")
        json.set("file", path)
        json.set("profiles", preview.counts.profiles)
        json.set("contacts", preview.counts.contacts)
        json.set("chats", preview.counts.chats)
        json.set("messages", preview.counts.messages)
        json.set("files", preview.fileCount)
        json["left_out"] = ExportRemainder.list(preview.remainders)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let counts = [
            (preview.counts.profiles, "profile"), (preview.counts.contacts, "contact"),
            (preview.counts.messages, "message"), (preview.fileCount, "file"),
        ].map { $0 == 1 ? "1 \($1)" : "\($0) \($1)s" }.joined(separator: ", ")
        return ExportRemainder.lines(preview.remainders) + [StyledText("can be exported: \(counts)")]
    }
}

extension ExportRemainder {
    /// The kinds that there are, in their fixed order.
    private static func sorted(_ counts: [ExportRemainder: Int]) -> [(remainder: ExportRemainder, count: Int)] {
        allCases.compactMap { kind in counts[kind].flatMap { $0 > 0 ? (kind, $0) : nil } }
    }

    fileprivate static func list(_ counts: [ExportRemainder: Int]) -> JSONValue {
        .array(
            sorted(counts).map {
                .object(["kind": .string($0.remainder.rawValue), "count": .integer(Int64($0.count))])
            })
    }

    /// One line for each kind.
    static func lines(_ counts: [ExportRemainder: Int]) -> [StyledText] {
        sorted(counts).map { remainder, count in
            StyledText("left out: \(count) \(count == 1 ? remainder.words.one : remainder.words.many)")
        }
    }

    /// The data in words for people.
    private var words: (one: String, many: String) {
        switch self {
        case .failedConnections: ("failed connection", "failed connections")
        case .unfinishedJoins: ("interrupted attempt to join", "interrupted attempts to join")
        case .damagedConnections: ("damaged connection", "damaged connections")
        case .addresses: ("address without a connection", "addresses without connections")
        case .requests: ("request that cannot be accepted", "requests that cannot be accepted")
        case .openedLinks: ("invitation that was opened here", "invitations that were opened here")
        case .rotations: ("rotation of a queue; it can begin again", "rotations of queues; they can begin again")
        case .linkChanges: ("change of a link", "changes of links")
        case .events: ("received event", "received events")
        case .unsentMessages: ("unsent message", "unsent messages")
        case .blockedContacts:
            ("blocked contact; the app shows its messages", "blocked contacts; the app shows their messages")
        case .entries: ("message of an unknown kind", "messages of unknown kinds")
        case .changes: ("change of a missing message", "changes of missing messages")
        case .transfers: ("unfinished file transfer", "unfinished file transfers")
        case .files: ("file outside of the store", "files outside of the store")
        case .standaloneFiles: ("file without a message", "files without messages")
        case .servers: ("server", "servers")
        case .channels: ("channel; its keys stay in this store", "channels; their keys stay in this store")
        case .profileFields:
            ("profile with fields that the app does not have", "profiles with fields that the app does not have")
        case .settings: ("setting", "settings")
        case .cursors: ("read cursor", "read cursors")
        case .drafts: ("draft", "drafts")
        }
    }
}

extension ArchiveError {
    /// The warning as a part of a report.
    fileprivate var report: JSONObject {
        switch self {
        case .importError(let error): ["kind": "import", "import_error": .string(error)]
        case .fileError(let file, let error):
            ["kind": "fileError", "file": .string(file), "file_error": .string(error)]
        }
    }
}

/// An archive that became a store, or could.
struct ImportReport: Report {
    let isDryRun: Bool
    let folder: StoreFolder
    let report: StoreImport.Report
    var keyFile: String?

    static let forms = [
        ReportForm(
            "import", "An imported archive, or the result of a dry run",
            plain: ["profiles", "contacts", "chats", "messages", "files"],
            [
                .always("state", .word(["dry-run", "imported"]), "Result: imported, or checked by --dry-run"),
                .always("store", .text, "Folder of the store"),
                .always("profiles", .count, "Number of profiles"),
                .always("contacts", .count, "Number of contacts"),
                .always("chats", .count, "Number of conversations"),
                .always("messages", .count, "Number of messages"),
                .always("files", .count, "Number of files"),
                .always("size", .size, "Size in bytes"),
                .always("encrypted", .flag, "True if the store is encrypted"),
                .sometimes("key_file", .text, "Path of the key file"),
                .sometimes("exported_at", .time, "Time of the export"),
                .always(
                    "relation", .word(["none", "same", "older", "newer", "forked"]),
                    "Relation of the archive to the previous store"),
                .sometimes("backup", .text, "Path of the previous store"),
                .sometimes(
                    "left_out",
                    .objects([
                        .always("kind", .word(ImportRemainder.allCases.map(\.rawValue)), "Kind of data"),
                        .always("count", .count, "Number of records of this kind"),
                    ]), "Data of an archive of SimpleX Chat that has no place in the store"),
            ])
    ]

    /// What is left out, in a fixed order.
    private var leftOut: [(remainder: ImportRemainder, count: Int)]? {
        report.remainders.map { counts in
            ImportRemainder.allCases.compactMap { kind in
                counts[kind].flatMap { $0 > 0 ? (remainder: kind, count: $0) : nil }
            }
        }
    }

    var json: JSONObject {
        var json = JSONObject(type: "import")
        json.set("state", isDryRun ? "dry-run" : "imported")
        json.set("store", folder.path)
        json.set("profiles", report.counts.profiles)
        json.set("contacts", report.counts.contacts)
        json.set("chats", report.counts.chats)
        json.set("messages", report.counts.messages)
        json.set("files", report.fileCount)
        json.set("size", report.size)
        json.set("encrypted", report.isEncrypted)
        json.set("key_file", keyFile)
        json.set("exported_at", report.exportedAt?.description)
        json.set("relation", report.relation.word)
        json.set("backup", report.backup)
        if let leftOut {
            json["left_out"] = .array(
                leftOut.map {
                    .object(["kind": .string($0.remainder.rawValue), "count": .integer(Int64($0.count))])
                })
        }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let counts = [
            (report.counts.profiles, "profile"), (report.counts.contacts, "contact"),
            (report.counts.messages, "message"), (report.fileCount, "file"),
        ].map { $0 == 1 ? "1 \($1)" : "\($0) \($1)s" }.joined(separator: ", ")
        var lines = [
            StyledText(isDryRun ? "can be imported: " : "imported into \(folder.path): ")
                + StyledText("\(counts), \(ByteCount.text(report.size))")
        ]
        if let time = report.exportedAt { lines.append("exported at " + style.time(time)) }
        if let backup = report.backup { lines.append("the previous store is in " + StyledText(backup)) }
        for (remainder, count) in leftOut ?? [] {
            lines.append(StyledText("left out: \(count) \(count == 1 ? remainder.words.one : remainder.words.many)"))
        }
        return lines
    }
}

extension ImportRemainder {
    /// What is left out, in words for people.
    fileprivate var words: (one: String, many: String) {
        switch self {
        case .unfinishedJoins: ("interrupted attempt to join", "interrupted attempts to join")
        case .emptyConnections: ("connection without queues", "connections without queues")
        case .spareQueues: ("spare queue; it is deleted at its relay", "spare queues; they are deleted at their relays")
        case .emptyMessages: ("queued message without content", "queued messages without content")
        case .addresses: ("additional address", "additional addresses")
        case .incognitoAddresses: ("setting of an incognito address", "settings of incognito addresses")
        case .requests: ("request that cannot be accepted", "requests that cannot be accepted")
        case .businessRequests: ("request to a business address", "requests to business addresses")
        case .entries: ("message of an unknown kind", "messages of unknown kinds")
        case .changes: ("change of a missing message", "changes of missing messages")
        case .calls: ("call", "calls")
        case .transfers:
            ("unfinished file transfer; it can begin again", "unfinished file transfers; they can begin again")
        case .files: ("file outside of the archive", "files outside of the archive")
        case .oldFiles: ("file in an outdated format", "files in an outdated format")
        case .standaloneFiles: ("file without a message", "files without messages")
        case .servers: ("server", "servers")
        case .operators: ("server operator", "server operators")
        case .channels:
            (
                "channel that you serve or that has no id; keep the archive",
                "channels that you serve or that have no ids; keep the archive"
            )
        case .badges: ("badge of a supporter", "badges of supporters")
        case .chatRelays: ("chat relay", "chat relays")
        case .themes: ("theme or wallpaper", "themes and wallpapers")
        case .appSettings: ("setting of the app", "settings of the app")
        case .notifications: ("push notification setting", "push notification settings")
        case .devices: ("linked device", "linked devices")
        }
    }
}

extension StoreImport.Relation {
    /// How the archive and the store before are related, in a word for programs.
    fileprivate var word: String {
        switch self {
        case .none: "none"
        case .older(by: 0): "same"
        case .older: "older"
        case .newer: "newer"
        case .forked: "forked"
        }
    }
}
