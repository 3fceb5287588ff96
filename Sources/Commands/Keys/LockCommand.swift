import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit lock`
enum LockCommand {
    static let leaf: Leaf = .init(
        Command(
            "lock", "Forget the cached store key", promise: "no key of the store is cached", store: .none,
            examples: [Example("tacit lock", "Lock the store when you leave the machine")], exits: [65, 71, 77],
            reports: LockReport.forms,
            topics: ["keys"],
            discussion: "Running commands keep the key until they end. Key files stay in place."),
        purpose: { _ in "lock the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = try StoreOpener(invocation, isWriting: false).existingFolder()
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
            "lock", "A cached key that was removed", plain: ["was_unlocked"],
            [
                .always("was_unlocked", .flag, "True if a key was cached")
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "lock")
        json.set("was_unlocked", wasKept)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [wasKept ? "locked" : "no key was cached"]
    }
}
