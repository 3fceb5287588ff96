import ChatCore
import CommandKit
import Host
import JSONCoding
import TerminalKit

/// `tacit db compact`
enum DatabaseCompactCommand {
    static let leaf: Leaf = .init(
        Command(
            "db compact", "Return the space of deleted data to the disk",
            promise: "both databases are compact and on disk",
            store: .none, examples: [Example("tacit db compact", "Shrink the store after deleting many messages")],
            exits: [65, 66, 71, 77], reports: CompactReport.forms,
            discussion:
                "Temporarily needs as much space as the store. A crash or a full disk leaves the store unchanged."),
        isAlone: true, purpose: { _ in "compact the store" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreOpener(invocation, isWriting: true), folder = try access.existingFolder()
        let claim = try access.claim(folder), key = claim.key
        defer { withExtendedLifetime(claim) {} }
        let progress = StepDisplay(invocation)
        let sizes = try StoreMaintenance.compact(folder, key: key) { progress.show($0) }
        progress.hide()
        try invocation.print(done: CompactReport(before: sizes.before, after: sizes.after))
        return .ok
    }
}

/// How much room was won.
private struct CompactReport: Report {
    let before: Int
    let after: Int

    static let forms = [
        ReportForm(
            "db-compact", "Result of compacting a store", plain: ["before", "after"],
            [
                .always("before", .size, "Size before"),
                .always("after", .size, "Size after"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "db-compact")
        json.set("before", before)
        json.set("after", after)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText("\(before) bytes before, \(after) bytes now")]
    }
}
