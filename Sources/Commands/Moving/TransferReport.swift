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
            "export", "An archive that was made", plain: ["file", "size", "files", "encrypted", "frozen"],
            [
                .always("file", .text, "Where it is"),
                .always("size", .size, "Its size"),
                .always("files", .count, "How many files of messages are in it"),
                .always("encrypted", .flag, "Whether its databases are encrypted"),
                .sometimes("key", .text, "Where the key is that opens them, and which is not inside; for people"),
                .always("passphrase", .flag, "Whether it has a passphrase of its own"),
                .always("frozen", .flag, "Whether the store is frozen now"),
                .always("exported_at", .time, "When it was made"),
                .always("export_id", .text, "What tells it from others"),
                .always(
                    "warnings",
                    .objects([
                        .always("kind", .text, "What it is about"),
                        .sometimes("import_error", .text, "What went wrong"), .sometimes("file", .text, "Which file"),
                        .sometimes("file_error", .text, "What is wrong with it"),
                    ]), "What could not be taken along"),
            ])
    ]

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
        return json
    }

    var sentence: StyledText {
        let files = report.fileCount == 1 ? "1 file" : "\(report.fileCount) files"
        return StyledText("exported the store with \(files), \(ByteCount.text(report.size))")
            + StyledText(report.mark.isFrozen ? "; it is frozen now" : "")
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(path) + ": " + sentence]
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
            "import", "An archive that became a store, or could",
            plain: ["profiles", "contacts", "chats", "messages", "files"],
            [
                .always("state", .word(["dry-run", "imported"]), "Whether it did"),
                .always("store", .text, "The folder of the store"),
                .always("profiles", .count, "How many profiles it has"),
                .always("contacts", .count, "How many contacts"),
                .always("chats", .count, "How many conversations"),
                .always("messages", .count, "How many messages"),
                .always("files", .count, "How many files"),
                .always("size", .size, "Its size"),
                .always("encrypted", .flag, "Whether it is encrypted"),
                .sometimes("key_file", .text, "The file with the key of the store"),
                .sometimes("exported_at", .time, "When the archive was made"),
                .always(
                    "relation", .word(["none", "same", "older", "newer", "forked"]),
                    "How it is related to the store before"),
                .sometimes("backup", .text, "Where the store before is"),
            ])
    ]

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
        if let backup = report.backup { lines.append("the store before is in " + StyledText(backup)) }
        return lines
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
