import ChatCore
import CommandKit
import TerminalKit

/// `tacit file send`
enum FileSendCommand {
    static let path = Positional<String>("PATH", "File to send", .path("PATH"))

    static let leaf: Leaf = .init(
        Command(
            "file send", "Upload a file and print a link", promise: "file relays have the file", store: .writing,
            positionals: [path], options: [FileNoun.wait, FileNoun.timeout],
            examples: [Example("tacit file send backup.tar.gz", "Make a link for a file")],
            exits: [64, 65, 66, 69, 75, 78], reports: FileReport.forms,
            discussion: """
                The link downloads the file once, within 48 hours. --json prints further links for other \
                recipients. The link contains the keys of the file: send it over a channel that you trust.
                """),
        purpose: { "send \(UntrustedText($0[path]).quoted)" },
        run: { invocation in
            let progress = FileProgress("sending")
            return try StoreOpener(invocation, isWriting: true) { progress.note($0) }.run { session in
                let profile = try await session.profile()
                let file = try await session.execute(
                    UploadFile(profile.id, LocalPath.absolute(session.invocation[path]))
                ).file
                return try await session.finish(file.id, progress)
            }
        })
}

/// `tacit file get`
enum FileGetCommand {
    static let link = Positional<String>("LINK", "Link to a file", .text("LINK"))
    static let to = Option<String?>(
        "to", "Folder or path for the file", .path("PATH"), defaultText: "this folder", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "file get", "Download the file of a link", promise: "the file is on this machine", store: .writing,
            positionals: [link], options: [to, FileNoun.wait, FileNoun.timeout],
            examples: [Example("tacit file get 'simplex:/file#/?desc=...' --to ~/Downloads", "Download a file")],
            exits: [64, 65, 69, 75], reports: FileReport.forms,
            discussion: """
                The file relays of the link learn your IP address. An interrupted download continues with the next fetch.
                """),
        purpose: { _ in "get the file" },
        run: { invocation in
            let progress = FileProgress("receiving")
            return try StoreOpener(invocation, isWriting: true) { progress.note($0) }.run { session in
                let profile = try await session.profile(), invocation = session.invocation
                let file = try await session.execute(
                    DownloadFile(profile.id, invocation[link], to: LocalPath.absolute(invocation[to] ?? "."))
                ).file
                return try await session.finish(file.id, progress)
            }
        })
}
