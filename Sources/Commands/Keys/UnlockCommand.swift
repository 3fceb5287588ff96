import ChatCore
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit unlock`
enum UnlockCommand {
    static let duration = Option<Duration>(
        "for", "How long other commands may use the key", .duration(), default: .seconds(15 * 60), isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "unlock", "Keep the key of the store for other commands, for a time",
            promise: "the key is kept, or the store needs none", store: .none, options: [duration],
            examples: [
                Example("tacit unlock --for 8h", "Type the passphrase once a day"),
                Example("tacit unlock -q && tacit fetch --no-input", "Before something that asks nobody"),
            ],
            exits: [65, 66, 71, 77], reports: UnlockReport.forms, topics: ["keys"],
            discussion: """
                The key is kept in the memory of the kernel, in the keyring of the user, and never written to the disk. All \
                processes of the user can use it until the time is over, the machine restarts, or 'tacit lock' takes it away.
                """),
        purpose: { _ in "unlock the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = try StoreAccess(invocation, isWriting: false).ownFolder()
        let duration = invocation[duration]
        guard let protection = try StoreProtection(of: folder),
            let key = try KeySearch(invocation, folder).key(allowsKept: false)
        else {
            invocation.note("the store is not encrypted: there is nothing to unlock")
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
            "unlock", "A key that is kept", plain: ["for_ms"],
            [
                .always("for_ms", .duration, "For how long")
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
