import ChatCore
import CommandKit
import Host
import JSONCoding
import TerminalKit

/// `tacit db check`
enum DatabaseCheckCommand {
    static let leaf: Leaf = .init(
        Command(
            "db check", "Check the integrity of the store",
            promise: "the databases are undamaged and consistent", store: .none,
            examples: [
                Example("tacit db check", "Check the store before a backup"),
                Example("tacit db check -q || echo bad", "Check the store in a script"),
            ],
            exits: [65, 66, 71, 77], reports: CheckReport.forms,
            discussion: """
                Checks the authentication tag of every page, the SQLite structure of the files, the references between rows, \
                and whether both databases have the same connections. The store can be in use. Each problem is reported on one \
                line, and the exit code is 74. Events that failed repeatedly and were set aside are also listed; they are no \
                damage and do not change the exit code.
                """),
        purpose: { _ in "check the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: false), folder = try access.existingFolder()
        let key = try access.claim(folder).key
        let progress = StepDisplay(invocation)
        let findings = try StoreCheck.run(folder, key: key) { progress.show($0) }
        progress.hide()
        try invocation.print(done: CheckReport(findings: findings))
        let damage = findings.filter(\.isDamage)
        guard !damage.isEmpty else { return .ok }
        throw Reason.damage(count: damage.count)
    }
}

/// What was found.
private struct CheckReport: Report {
    let findings: [StoreCheck.Finding]

    static let forms = [
        ReportForm(
            "db-check", "Result of a store check", plain: ["ok", "findings"],
            [
                .always("ok", .flag, "True if the store is undamaged"),
                .always(
                    "findings",
                    .objects([
                        .always("code", .text, "Kind of problem"), .sometimes("file", .text, "Damaged file"),
                        .sometimes("pages", .numbers, "Damaged pages"),
                        .sometimes("detail", .text, "Message of SQLite"),
                        .sometimes("table", .text, "Table with the problem"),
                        .sometimes("connections", .texts, "Affected connections"),
                        .sometimes("events", .numbers, "Events that were set aside"),
                    ]), "Problems"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "db-check")
        json.set("ok", !findings.contains { $0.isDamage })
        json["findings"] = .array(findings.map { .object($0.json) })
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        findings.isEmpty ? ["the store is undamaged"] : findings.map { StyledText($0.sentence, .warning) }
    }
}

extension StoreCheck.Finding {
    fileprivate var sentence: String {
        switch self {
        case .foreignPages(let file, let pages):
            "\(file): \(pages.count == 1 ? "page" : "pages") \(StoreCheck.Finding.list(pages)) failed authentication"
        case .damagedHeader(let file): "\(file): one of the two header copies is damaged; the other is intact"
        case .damage(let file, let words): "\(file): \(UntrustedText(words).singleLine)"
        case .missingRow(let file, let table): "\(file): rows of \(table) refer to missing rows"
        case .unknownToAgent(let ids):
            "connections \(StoreCheck.Finding.list(ids)) are unusable: they are missing in the agent database"
        case .unknownToChat(let ids):
            "connections \(StoreCheck.Finding.list(ids)) of the agent database belong to no contact"
        case .futureEvents: "the two databases are from different times"
        case .missingFile(let file): "\(file) is missing"
        case .setAside(let ids):
            "\(ids.count) \(ids.count == 1 ? "event" : "events") could not be handled and \(ids.count == 1 ? "was" : "were") "
                + "set aside: \(StoreCheck.Finding.list(ids))"
        }
    }

    fileprivate var json: JSONObject {
        switch self {
        case .foreignPages(let file, let pages):
            ["code": "pages", "file": .string(file), "pages": .array(pages.map { .integer(Int64($0)) })]
        case .damagedHeader(let file): ["code": "header", "file": .string(file)]
        case .damage(let file, let words): ["code": "integrity", "file": .string(file), "detail": .string(words)]
        case .missingRow(let file, let table): ["code": "references", "file": .string(file), "table": .string(table)]
        case .unknownToAgent(let ids): ["code": "not-in-agent", "connections": StoreCheck.Finding.texts(ids)]
        case .unknownToChat(let ids): ["code": "not-in-chat", "connections": StoreCheck.Finding.texts(ids)]
        case .futureEvents: ["code": "times"]
        case .missingFile(let file): ["code": "missing", "file": .string(file)]
        case .setAside(let ids): ["code": "set-aside", "events": .array(ids.map { .integer($0) })]
        }
    }

    private static func texts(_ ids: [Int64]) -> JSONValue { .array(ids.map { .string("i\($0)") }) }

    /// The first few.
    private static func list(_ numbers: [some BinaryInteger]) -> String {
        numbers.prefix(8).map { "\($0)" }.joined(separator: ", ") + (numbers.count > 8 ? " …" : "")
    }
}
