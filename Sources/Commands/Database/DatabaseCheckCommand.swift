import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit db check`
enum DatabaseCheckCommand {
    static let leaf: Leaf = .init(
        Command(
            "db check", "Read the whole store, and look whether it is what was written",
            promise: "nothing is damaged, and the databases agree", store: .none,
            examples: [
                Example("tacit db check", "Before a backup"), Example("tacit db check -q || echo bad", "In a script"),
            ],
            exits: [65, 66, 71, 77], reports: CheckReport.forms,
            discussion: """
                Looks at every page as the disk has it, at SQLite's own order in the files, at rows that refer to others, and \
                whether the two databases know the same connections. Others may use the store meanwhile. If something is \
                wrong, each finding is a line, and the exit code is 74. Events that could not be handled twice, and were set \
                aside, are named too: they are no damage, and the exit code is 0.
                """),
        purpose: { _ in "check the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: false), folder = try access.existingFolder()
        let (_, key) = try access.unlock(folder)
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
            "db-check", "What a check of the store found", plain: ["ok", "findings"],
            [
                .always("ok", .flag, "Whether nothing is damaged"),
                .always(
                    "findings",
                    .objects([
                        .always("code", .text, "What it is"), .sometimes("file", .text, "Where"),
                        .sometimes("pages", .numbers, "Which pages"), .sometimes("detail", .text, "What SQLite says"),
                        .sometimes("table", .text, "Which table"),
                        .sometimes("connections", .texts, "Which connections"),
                        .sometimes("events", .numbers, "Which events were set aside"),
                    ]), "What is wrong"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "db-check")
        json.set("ok", !findings.contains { $0.isDamage })
        json["findings"] = .array(findings.map { .object($0.json) })
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        findings.isEmpty ? ["the store is whole"] : findings.map { StyledText($0.sentence, .warning) }
    }
}

extension StoreCheck.Finding {
    fileprivate var sentence: String {
        switch self {
        case .foreignPages(let file, let pages):
            "\(file): \(pages.count == 1 ? "page" : "pages") \(StoreCheck.Finding.list(pages)) not as written"
        case .damagedHeader(let file): "\(file): one of the two copies of the header is damaged; the other is whole"
        case .damage(let file, let words): "\(file): \(UntrustedText(words).singleLine)"
        case .missingRow(let file, let table): "\(file): rows of \(table) refer to rows that are not there"
        case .unknownToAgent(let ids):
            "connections \(StoreCheck.Finding.list(ids)) cannot be used: the agent lacks them"
        case .unknownToChat(let ids): "connections \(StoreCheck.Finding.list(ids)) of the agent belong to nothing"
        case .futureEvents: "the two databases are not from the same time"
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
