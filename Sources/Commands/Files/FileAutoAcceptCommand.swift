import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit file auto-accept`
enum FileAutoAcceptCommand {
    static let choice = Positional<AcceptedFiles.Choice?>(optional: "WHICH", "Files to accept", .choice())

    /// The limits for single kinds, which are permanent and so have no defaults in configuration files.
    static let limits: [(kind: FileKind, option: Option<AcceptedFiles.Limit?>)] = FileKind.allCases.map { kind in
        (
            kind,
            Option<AcceptedFiles.Limit?>(
                kind.rawValue, "Largest \(kind.words) to accept", AcceptedFiles.Limit.kind,
                defaultText: "unchanged", isCommon: true
            ).withoutSetting
        )
    }

    static let leaf: Leaf = .init(
        Command(
            "file auto-accept", "Show or set which files are accepted without asking",
            promise: "the setting is on disk", store: .writing, positionals: [choice],
            options: limits.map { $0.option },
            examples: [
                Example("tacit file auto-accept", "Show the setting"),
                Example("tacit file auto-accept small", "Accept small pictures, voice messages and videos"),
                Example("tacit file auto-accept small --file 2M", "Accept other files up to 2 MiB too"),
            ],
            exits: [64, 78], reports: FileAcceptanceReport.forms, topics: ["files"],
            discussion: """
                small accepts pictures and voice messages up to 522 kB and videos up to 1.0 MB; all accepts every file. The \
                options set the limit of one kind, after WHICH if that is given too.

                The setting applies to files that are offered from now on. The keys file.accept and file.accept_image, _voice, \
                _video and _file of tacit.conf replace the setting of the store, and --files of fetch, watch and daemon run \
                replaces both. Files on relays that are not in your list are never received without your approval.
                """),
        purpose: { _ in "set which files are accepted" },
        body: { session in
            let invocation = session.invocation
            if let changed = try await changed(session) {
                guard try invocation.acceptedFiles() == nil else { throw Reason.acceptanceConfigured }
                _ = try await session.execute(SetFileAcceptance(changed))
            }
            let acceptance = try await session.execute(ShowFileAcceptance()).acceptance
            try invocation.print(done: FileAcceptanceReport(acceptance: acceptance))
            return .ok
        })

    /// The new setting; nil if nothing is to be changed.
    private static func changed(_ session: CommandSession) async throws -> FileAcceptance? {
        let invocation = session.invocation, choice = invocation[choice]
        let limits = limits.compactMap { kind, option in invocation[option].map { (kind, $0.size) } }
        guard choice != nil || !limits.isEmpty else { return nil }
        var acceptance = FileAcceptance()
        if let choice {
            acceptance = choice.acceptance
        } else {
            acceptance = try await session.execute(ShowFileAcceptance()).acceptance
        }
        for (kind, size) in limits { acceptance.sizes[kind] = size }
        return acceptance
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
