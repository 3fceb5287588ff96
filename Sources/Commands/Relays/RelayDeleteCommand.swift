import CommandKit
import JSONCoding
import Relay
import TerminalKit

/// `tacit relay delete`
enum RelayDeleteCommand {
    static let leaf: Leaf = .init(
        Command(
            "relay delete", "Delete a relay with its queues, messages, files and keys",
            promise: "the relay is deleted from the folder", store: .none, positionals: [RelayCommand.folder],
            options: [Consent.yes],
            examples: [Example("tacit relay delete /srv/relay --yes", "Delete a relay permanently")],
            exits: [64, 66, 71, 75], reports: RelayDeleteReport.forms,
            discussion: """
                The relay must be stopped. Owners of its queues can no longer receive messages: move the queues first, with \
                'tacit contact rotate'. Other files in the folder stay. Prompts for confirmation unless --yes is given.
                """),
        purpose: { "delete the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let folder = invocation[RelayCommand.folder], name = UntrustedText(folder).quoted
        let state = try RelayState(of: folder)
        try Consent.require(
            StyledText("Delete the relay \(name) with \(state.contents.queues) queues permanently?"),
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
            "relay-delete", "A deleted relay", plain: ["folder"], [.always("folder", .text, "Folder of the relay")])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "relay-delete")
        json.set("folder", folder)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] { [StyledText("deleted \(UntrustedText(folder).quoted)")] }
}
