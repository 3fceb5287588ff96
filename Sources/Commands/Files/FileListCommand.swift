import ChatCore
import CommandKit
import TerminalKit

/// `tacit file list`
enum FileListCommand {
    static let leaf: Leaf = .init(
        Command(
            "file list", "List sent and received files", promise: "the list was printed", store: .reading,
            examples: [
                Example("tacit file list", "All files of the profile, newest first"),
                Example("tacit file list --plain --fields id,state,name", "A record per file, for scripts"),
            ],
            reports: FileReport.forms),
        purpose: { _ in "list files" },
        body: { session in
            try session.invocation.print(list: try await all(session).map { FileReport($0) })
            return .ok
        })

    /// The files of the profile, newest first.
    static func all(_ session: CommandSession) async throws -> [ListedFile] {
        try await session.execute(ListFiles(try await session.profileID())).files.reversed()
    }
}

/// `tacit file show`
enum FileShowCommand {
    static let leaf: Leaf = .init(
        Command(
            "file show", "Show a file", promise: "the file was printed", store: .reading,
            positionals: [FileNoun.file],
            examples: [Example("tacit file show f7", "State, size and place of a file")], exits: [67],
            reports: FileReport.forms),
        purpose: { _ in "show the file" },
        body: { session in
            let file = try await session.execute(ShowFile(session.invocation[FileNoun.file])).file
            try session.invocation.print(done: FileReport(file))
            return .ok
        })
}
