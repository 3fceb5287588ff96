import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit lock`
enum LockCommand {
    static let leaf: Leaf = .init(
        Command(
            "lock", "Forget the key that unlock kept", promise: "no key of the store is kept", store: .none,
            examples: [Example("tacit lock", "When you leave the machine")], exits: [65, 71, 77],
            reports: LockReport.forms,
            topics: ["keys"],
            discussion: "Commands that are running keep the key until they end; a key file stays where it is."),
        purpose: { _ in "lock the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = try StoreAccess(invocation, isWriting: false).existingFolder()
        let wasKept = try StoreProtection(of: folder)?.forgetKey() ?? false
        try invocation.print(done: LockReport(wasKept: wasKept))
        return .ok
    }
}

/// Whether there was something to forget.
private struct LockReport: Report {
    let wasKept: Bool

    static let forms = [
        ReportForm(
            "lock", "A key that was forgotten", plain: ["was_unlocked"],
            [
                .always("was_unlocked", .flag, "Whether it was kept")
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "lock")
        json.set("was_unlocked", wasKept)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [wasKept ? "locked" : "no key was kept"]
    }
}
