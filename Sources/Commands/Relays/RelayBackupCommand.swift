import CommandKit
import JSONCoding
import Relay
import SystemIO
import TerminalKit

/// `tacit relay backup`
enum RelayBackupCommand {
    static let file = Positional<String>("FILE", "The new file", .path())

    static let leaf: Leaf = .init(
        Command(
            "relay backup", "Copy a relay into one file, while it runs",
            promise: "the copy is whole and on disk", store: .none, positionals: [RelayCommand.folder, file],
            examples: [
                Example("tacit relay backup /srv/relay relay-$(date +%F).tar", "Every night"),
                Example(
                    "tacit relay backup /srv/relay copy.tar && tar -xf copy.tar -C /srv/other",
                    "The same relay in another, empty folder"),
            ],
            exits: [66, 71, 73, 74, 77, 78], reports: RelayBackupReport.forms,
            discussion: """
                The file holds the settings, the certificates, the keys and the database as it is at one moment. It is an archive \
                that tar reads; unpacked into an empty folder it is the relay again. An existing file is never replaced.

                Keep it as safe as the relay: who has the keys can pass for it. Do not run the relay and its copy at the same \
                time.
                """),
        purpose: { "copy the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let path = invocation[file]
        guard path != "-" else {
            throw Failure.relayCopyOnStandardOutput(of: invocation[RelayCommand.folder])
        }
        let backup: RelayBackup
        do throws(RelayError) {
            backup = try RelayBackup.make(of: invocation[RelayCommand.folder], at: path)
        } catch {
            guard case .system(let reason) = error, reason.condition == .missing else { throw error }
            throw Reason.relayBackup(reason, at: path)
        }
        try invocation.print(RelayBackupReport(path: path, backup: backup))
        return .ok
    }
}

/// A copy of a relay; its path is the only text of it.
private struct RelayBackupReport: Report {
    let path: String
    let backup: RelayBackup

    static let forms = [
        ReportForm(
            "relay-backup", "A copy of a relay", plain: ["file", "size"],
            [
                .always("file", .text, "Where it is"), .always("size", .size, "Its size"),
                .always("contents", .texts, "The files in it"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "relay-backup")
        json.set("file", path)
        json.set("size", backup.size)
        json.set("contents", backup.names)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [StyledText(path) + StyledText(" (\(backup.size) bytes)", .muted)]
    }
}
