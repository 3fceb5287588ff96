import CommandKit
import JSONCoding
import Relay
import SystemIO
import TerminalKit

/// `tacit relay backup`
enum RelayBackupCommand {
    static let file = Positional<String>("FILE", "New file for the backup", .path())

    static let leaf: Leaf = .init(
        Command(
            "relay backup", "Back up a relay into one file while it runs",
            promise: "the backup is complete and on disk", store: .none, positionals: [RelayCommand.folder, file],
            examples: [
                Example("tacit relay backup /srv/relay relay-$(date +%F).tar", "Back up every night"),
                Example(
                    "tacit relay backup /srv/relay copy.tar && tar -xf copy.tar -C /srv/other",
                    "Back up and restore a relay into another, empty folder"),
            ],
            exits: [66, 71, 73, 74, 77, 78], reports: RelayBackupReport.forms,
            discussion: """
                The file is a tar archive with the settings, certificates, keys and database at one moment. Unpacked into an \
                empty folder, it is the same relay. Existing files are never replaced.

                Protect the backup like the relay: its keys can impersonate the relay. Never run the relay and its copy at the \
                same time.
                """),
        purpose: { "back up the relay in \(UntrustedText($0[RelayCommand.folder]).quoted)" }, run: run)

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
            "relay-backup", "A backup of a relay", plain: ["file", "size"],
            [
                .always("file", .text, "Path of the backup"), .always("size", .size, "Size of the backup"),
                .always("contents", .texts, "Files in the backup"),
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
