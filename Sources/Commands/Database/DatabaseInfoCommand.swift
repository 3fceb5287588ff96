import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit db info`
enum DatabaseInfoCommand {
    static let leaf: Leaf = .init(
        Command(
            "db info", "Show the files of the store, their keys and their sizes", promise: "the facts were printed",
            store: .none,
            examples: [
                Example("tacit db info", "What is so"),
                Example("tacit db info --json | jq -r .encryption", "In clear?"),
            ],
            exits: [65, 66, 71, 77], reports: DatabaseReport.forms, topics: ["keys"]),
        purpose: { _ in "show the databases" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: false), folder = try access.existingFolder()
        let (_, key) = try access.unlock(folder)
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
            "db-info", "The files of a store", plain: ["store", "encryption", "size"],
            [
                .always("store", .text, "Its folder"),
                .always("encryption", .word(["none", "pages"]), "What is encrypted"),
                .always(
                    "keys",
                    .objects([
                        .always("kind", .word(["key-file", "passphrase"]), "What it is"),
                        .sometimes("kdf", .text, "How it is made slow to guess"),
                        .sometimes("memory", .size, "How much memory that takes"),
                        .sometimes("passes", .count, "How often it goes over it"),
                    ]), "What opens it"),
                .always("size", .size, "The size of all files"),
                .always("unfinished", .flag, "Whether a change was cut off"),
                .always(
                    "databases",
                    .objects([
                        .always("file", .text, "Its path"), .always("size", .size, "Its size"),
                        .always("pages", .count, "How many pages it has"),
                        .always("free_pages", .count, "Those that are free"),
                        .always("schema", .count, "How many steps its schema has taken"),
                        .always("known_schema", .count, "How many steps this program knows"),
                        .always("rows", .counts, "How many rows its tables have"),
                    ]), "Its databases"),
            ])
    ]

    private var size: Int { facts.parts.map(\.size).reduce(0, +) }

    var json: JSONObject {
        var json = JSONObject(type: "db-info")
        json.set("store", folder.path)
        json.set("encryption", protection == nil ? "none" : "pages")
        json["keys"] = .array((protection?.ways ?? []).map { .object($0.json) })
        json.set("size", size)
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
