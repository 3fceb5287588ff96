import ByteCoding
import ChatCore
import CommandKit
import Host
import JSONCoding
import TerminalKit

/// `tacit db info`
enum DatabaseInfoCommand {
    static let leaf: Leaf = .init(
        Command(
            "db info", "Show files, keys and sizes of the store", promise: "the information was printed",
            store: .none,
            examples: [
                Example("tacit db info", "Show the databases"),
                Example("tacit db info --json | jq -r .encryption", "Check whether the store is encrypted"),
            ],
            exits: [65, 66, 71, 77], reports: DatabaseReport.forms, topics: ["keys"]),
        purpose: { _ in "show the databases" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: false), folder = try access.existingFolder()
        let key = try access.claim(folder).key
        let protection = try StoreProtection(of: folder)
        try invocation.print(
            DatabaseReport(folder: folder, protection: protection, facts: try StoreFacts(of: folder, key: key)))
        return .ok
    }
}

/// What there is to know about the files of a store.
private struct DatabaseReport: Report {
    let folder: StoreFolder
    let protection: StoreProtection?
    let facts: StoreFacts

    static let forms = [
        ReportForm(
            "db-info", "Files and keys of a store", plain: ["store", "encryption", "size"],
            [
                .always("store", .text, "Folder of the store"),
                .always("encryption", .word(["none", "pages"]), "Encryption of the database files"),
                .always(
                    "keys",
                    .objects([
                        .always("kind", .word(["key-file", "passphrase"]), "Kind of key"),
                        .sometimes("kdf", .text, "Key derivation function"),
                        .sometimes("memory", .size, "Memory of the key derivation, in bytes"),
                        .sometimes("passes", .count, "Passes of the key derivation"),
                    ]), "Keys that open the store"),
                .always("size", .size, "Size of all files"),
                .always("files", .count, "Number of files in the store, received and sent"),
                .always("files_size", .size, "Size of the files in the store"),
                .always("transfers_size", .size, "Size of unfinished transfers"),
                .always("unfinished", .flag, "True if a key change or upgrade was interrupted"),
                .always(
                    "databases",
                    .objects([
                        .always("file", .text, "Path of the file"), .always("size", .size, "Size of the file"),
                        .always("pages", .count, "Number of pages"),
                        .always("free_pages", .count, "Number of free pages"),
                        .always("schema", .count, "Schema version of the database"),
                        .always("known_schema", .count, "Schema version of this program"),
                        .always("rows", .counts, "Number of rows by table"),
                    ]), "Databases of the store"),
            ])
    ]

    private var size: Int { facts.parts.map(\.size).reduce(0, +) }

    var json: JSONObject {
        var json = JSONObject(type: "db-info")
        json.set("store", folder.path)
        json.set("encryption", protection == nil ? "none" : "pages")
        json["keys"] = .array((protection?.ways ?? []).map { .object($0.json) })
        json.set("size", size)
        json.set("files", facts.files.count)
        json.set("files_size", facts.files.size)
        json.set("transfers_size", facts.transfers.size)
        json.set("unfinished", folder.hasUnfinishedChange)
        json["databases"] = .array(
            facts.parts.map { part in
                var json: JSONObject = [:]
                json.set("file", part.path)
                json.set("size", part.size)
                json.set("pages", part.pages)
                json.set("free_pages", part.freePages)
                json.set("schema", part.schema)
                json.set("known_schema", part.knownSchema)
                var rows: JSONObject = [:]
                for count in part.counts { rows.set(count.table, count.rows) }
                json["rows"] = .object(rows)
                return .object(json)
            })
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func add(_ name: String, _ value: StyledText) { table.add([StyledText(name, .muted), value]) }
        add("store", StyledText(folder.path))
        add("encryption", StoreProtection.sentence(protection))
        add("files", StyledText("\(facts.files.count), \(ByteCount.text(facts.files.size))"))
        if facts.transfers.count > 0 { add("transfers", StyledText(ByteCount.text(facts.transfers.size))) }
        for part in facts.parts {
            add(String(part.path.split(separator: "/").last ?? ""), StyledText("\(part.size) bytes"))
            add("  pages", StyledText("\(part.pages), \(part.freePages) of them free"))
            let isKnown = part.schema <= part.knownSchema
            add("  schema", StyledText("\(part.schema) of \(part.knownSchema)", isKnown ? .plain : .warning))
            add("  rows", StyledText(part.counts.map { "\($0.table) \($0.rows)" }.joined(separator: ", ")))
        }
        return table.lines(width: style.width, withTitles: false)
    }
}

extension StoreProtection {
    /// The keys in words, or that there is none.
    static func sentence(_ protection: StoreProtection?) -> StyledText {
        guard let protection else { return StyledText("none: tacit db encrypt", .warning) }
        let ways = protection.ways.map { way in
            switch way {
            case .keyFile: "key file"
            case .passphrase(let memory, let passes): "passphrase (Argon2id, \(memory >> 20) MiB, \(passes) passes)"
            }
        }
        return StyledText(ways.joined(separator: ", "))
    }
}

extension StoreProtection.Way {
    var json: JSONObject {
        switch self {
        case .keyFile: ["kind": "key-file"]
        case .passphrase(let memory, let passes):
            [
                "kind": "passphrase", "kdf": "argon2id", "memory": .integer(Int64(memory)),
                "passes": .integer(Int64(passes)),
            ]
        }
    }
}
