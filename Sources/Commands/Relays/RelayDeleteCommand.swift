import CommandKit
import JSONCoding
import Relay
import TerminalKit

/// `tacit relay delete`
enum RelayDeleteCommand {
    static let leaf: Leaf = .init(
        Command(
            "relay delete", "Remove a relay with its queues, messages and keys",
            promise: "nothing of the relay is in the folder", store: .none, positionals: [RelayCommand.folder],
            options: [Consent.yes],
            examples: [Example("tacit relay delete /srv/relay --yes", "It cannot be brought back")],
            exits: [64, 66, 71, 75], reports: RelayDeleteReport.forms,
            discussion: """
                The relay must not run. Whoever has a queue there can neither receive nor be written to any more: move the \
                queues first, with 'tacit contact rotate'. Other files in the folder stay. Asks first, unless --yes is given.
                """),
        purpose: { "remove the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = invocation[RelayCommand.folder], name = UntrustedText(folder).quoted
        let state = try RelayState(of: folder)
        try Consent.require(
            StyledText("Remove the relay \(name) with \(state.contents.queues) queues for ever?"),
            "tacit relay delete \(name) --yes", invocation)
        try RelayFolder.delete(at: folder)
        try invocation.print(done: RelayDeleteReport(folder: folder))
        return .ok
    }
}

/// What is gone.
private struct RelayDeleteReport: Report {
    let folder: String

    static let forms = [
        ReportForm(
            "relay-delete", "A relay that was removed", plain: ["folder"], [.always("folder", .text, "Where it was")])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "relay-delete")
        json.set("folder", folder)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] { [StyledText("removed \(UntrustedText(folder).quoted)")] }
}
