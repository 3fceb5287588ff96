import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit file auto-accept`
enum FileAutoAcceptCommand {
    /// The files that are accepted.
    enum Choice: String, CaseIterable, Sendable {
        case none, small, all
    }

    static let choice = Positional<Choice?>(optional: "WHICH", "Files to accept", .choice())

    static let leaf: Leaf = .init(
        Command(
            "file auto-accept", "Show or set which files are accepted without asking",
            promise: "the setting is on disk", store: .writing, positionals: [choice],
            examples: [
                Example("tacit file auto-accept", "Show the setting"),
                Example("tacit file auto-accept small", "Accept small pictures, voice messages and videos"),
            ],
            exits: [64], reports: FileAcceptanceReport.forms,
            discussion: """
                small accepts pictures and voice messages up to 522 kB and videos up to 1.0 MB; all accepts every file. \
                Files on relays that are not in your list are never received without your approval.
                """),
        purpose: { _ in "set which files are accepted" },
        body: { session in
            if let choice = session.invocation[choice] {
                _ = try await session.execute(SetFileAcceptance(choice.acceptance))
            }
            let acceptance = try await session.execute(ShowFileAcceptance()).acceptance
            try session.invocation.print(done: FileAcceptanceReport(acceptance: acceptance))
            return .ok
        })
}

extension FileAutoAcceptCommand.Choice {
    fileprivate var acceptance: FileAcceptance {
        switch self {
        case .none: FileAcceptance()
        case .small: .small
        case .all: FileAcceptance(Dictionary(uniqueKeysWithValues: FileKind.allCases.map { ($0, Int64.max) }))
        }
    }
}

/// The files that are accepted without asking.
struct FileAcceptanceReport: Report {
    let acceptance: FileAcceptance

    static let forms = [
        ReportForm(
            "file-acceptance", "The largest files that are accepted without asking",
            plain: ["image", "voice", "video", "file"],
            [
                .sometimes("image", .size, "Largest picture; missing if none are accepted"),
                .sometimes("voice", .size, "Largest voice message; missing if none are accepted"),
                .sometimes("video", .size, "Largest video; missing if none are accepted"),
                .sometimes("file", .size, "Largest other file; missing if none are accepted"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "file-acceptance")
        for (kind, size) in acceptance.sizes { json.set(kind.rawValue, size) }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        guard !acceptance.sizes.isEmpty else { return [StyledText("no files are accepted without asking")] }
        return FileKind.allCases.compactMap { kind in
            acceptance.sizes[kind].map { size in
                let limit = size == .max ? "any size" : "up to \(ByteCount.text(Int(clamping: size)))"
                return StyledText("\(kind.rawValue) \(limit)")
            }
        }
    }
}
