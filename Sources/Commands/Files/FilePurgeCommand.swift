import ByteCoding
import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit file purge`
enum FilePurgeCommand {
    static let olderThan = Option<Duration?>(
        "older-than", "Remove files that are older than this", .duration(), isCommon: true)
    static let dryRun = Option<Bool>(flag: "dry-run", "List the files without removing them", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "file purge", "Remove old received files from the store", promise: "the files are deleted from disk",
            store: .writing, options: [olderThan, dryRun, Consent.yes],
            examples: [
                Example("tacit file purge --older-than 90d --dry-run", "List the files first"),
                Example("tacit file purge --older-than 90d --yes", "Remove received files older than 90 days"),
            ],
            exits: [64], reports: FileReport.forms,
            discussion: """
                Removes received files in files/ of the store. Their messages stay, and the files get the \
                state aborted. Files that were received elsewhere, and \
                sent files, are not removed. Prompts for confirmation unless --yes is given.
                """),
        purpose: { _ in "purge files" },
        run: { invocation in
            guard let age = invocation[olderThan] else { throw Failure.noAgeToPurge }
            if !invocation[dryRun] {
                let time = ValueKind<Duration>.duration().write(age)
                try Consent.require(
                    StyledText("Remove the received files that are older than \(time)?"),
                    "tacit file purge --older-than \(time) --yes", invocation)
            }
            return try StoreOpener(invocation, isWriting: true).run { session in
                let time = Timestamp(milliseconds: SystemClock.milliseconds()) + (.zero - age)
                let purge = PurgeFiles(
                    try await session.profileID(), before: time, isDry: session.invocation[dryRun])
                let files = try await session.execute(purge).files
                try session.invocation.print(list: files.map { FileReport($0) })
                return .ok
            }
        })
}
