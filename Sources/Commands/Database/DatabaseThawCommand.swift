import ChatCore
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit db thaw`
enum DatabaseThawCommand {
    static let leaf: Leaf = .init(
        Command(
            "db thaw", "Let a store go on that was frozen by an export", promise: "the store is not frozen",
            store: .none, examples: [Example("tacit db thaw", "Because the archive is used nowhere")],
            exits: [69, 71, 77], reports: ThawReport.forms,
            discussion: """
                'tacit export --freeze' makes a store refuse everything that would change it, because it is going to go on where \
                the archive is imported. If both went on, relays would deliver each message to one of them only, and the \
                encryption of conversations would get out of step.

                So do this only if the archive was not imported, and throw it away afterwards. If it was imported and this is the \
                store you want to keep, export it from there with --freeze and import that archive here.
                """),
        isAlone: true, purpose: { _ in "let the store go on" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let access = StoreAccess(invocation, isWriting: true)
        let folder = try access.existingFolder()
        let (lock, key) = try access.unlock(folder)
        defer { withExtendedLifetime(lock) {} }
        _ = try access.upgradeLocked(.yesUp, key)
        try invocation.print(done: ThawReport(wasFrozen: try StoreFreeze.end(in: folder, key: key)))
        return .ok
    }
}

/// A store that goes on.
private struct ThawReport: Report {
    let wasFrozen: Bool

    static let forms = [
        ReportForm(
            "thaw", "A store that goes on",
            [
                .always("frozen_before", .flag, "Whether it was frozen")
            ])
    ]
    static let fields = ["frozen_before"]

    var json: JSONObject {
        var json = JSONObject(type: "thaw")
        json.set("frozen_before", wasFrozen)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(wasFrozen ? "the store goes on; do not use the archive any more" : "the store was not frozen")]
    }
}
