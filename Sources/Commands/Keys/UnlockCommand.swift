import ChatCore
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit unlock`
enum UnlockCommand {
    static let duration = Option<Duration>(
        "for", "Time until the cached key expires", .duration(), default: .seconds(15 * 60), isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "unlock", "Cache the store key for other commands",
            promise: "the key is cached, or the store is not encrypted", store: .none, options: [duration],
            examples: [
                Example("tacit unlock --for 8h", "Type the passphrase once a day"),
                Example("tacit unlock -q && tacit fetch --no-input", "Unlock before a command that cannot prompt"),
            ],
            exits: [65, 66, 71, 77], reports: UnlockReport.forms, topics: ["keys"],
            discussion: """
                The key is cached in the kernel keyring of the user and never written to disk. All processes of the user can \
                use it until it expires, the machine restarts, or 'tacit lock' removes it.
                """),
        purpose: { _ in "unlock the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = try StoreOpener(invocation, isWriting: false).ownFolder()
        let duration = invocation[duration]
        guard let protection = try StoreProtection(of: folder),
            let key = try KeySearch(invocation, folder).key(allowsKept: false)
        else {
            invocation.note("the store is not encrypted; no key is needed")
            return .ok
        }
        do throws(SystemError) {
            try protection.keep(key, for: duration)
        } catch {
            throw Reason.noKeyring(error)
        }
        try invocation.print(done: UnlockReport(duration: duration))
        return .ok
    }
}

/// How long a key is kept.
private struct UnlockReport: Report {
    let duration: Duration

    static let forms = [
        ReportForm(
            "unlock", "A cached key", plain: ["for_ms"],
            [
                .always("for_ms", .duration, "Time until the key expires")
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "unlock")
        json.set("for_ms", Int64(duration / .milliseconds(1)))
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        ["unlocked"]
    }
}
