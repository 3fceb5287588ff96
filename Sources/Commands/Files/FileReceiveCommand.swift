import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit file receive`
enum FileReceiveCommand {
    static let to = Option<String?>(
        "to", "Folder or path for the file", .path("PATH"), defaultText: "files/ in the store", isCommon: true)
    static let approve = Option<Bool>(
        flag: "approve-relays", "Use file relays that are not in your list; they learn your IP address")
    static let encrypt = Option<Bool>(flag: "encrypt", "Encrypt the file on this machine")

    static let leaf: Leaf = .init(
        Command(
            "file receive", "Receive files that were offered",
            promise: "the files are on this machine (with --no-wait: they are accepted)", store: .writing,
            positionals: [FileNoun.files],
            options: [to, approve, encrypt, FileNoun.wait, FileNoun.timeout],
            examples: [
                Example("tacit file receive f7", "Receive a file"),
                Example("tacit file receive f7 --to ~/Downloads", "Receive a file into a folder"),
            ],
            exits: [64, 67, 69, 73, 75, 79, 80], reports: FileReport.forms, topics: ["files"],
            discussion: """
                An interrupted transfer continues with this command, or with the next fetch, at the chunk where it ended. A \
                file appears under its name when it is complete; if the name is taken, a number is added.
                """),
        purpose: { _ in "receive the files" },
        run: { invocation in
            let isSingle = invocation[FileNoun.files].count == 1
            if let path = invocation[to], !isSingle, !Files.isFolder(LocalPath.absolute(path)) {
                throw Failure.severalFilesWithoutFolder
            }
            let progress = FileProgress("receiving")
            return try StoreOpener(invocation, isWriting: true) { progress.note($0) }.run { session in
                var codes: [ExitCode] = []
                for id in session.invocation[FileNoun.files] {
                    do {
                        codes.append(try await receive(id, progress, session))
                    } catch {
                        codes.append(
                            invocation.report(Explained(error).failure(during: "receive \(ObjectID.text(id))")))
                    }
                }
                return .together(codes)
            }
        })

    private static func receive(
        _ id: ChatFileID, _ progress: FileProgress, _ session: CommandSession
    ) async throws -> ExitCode {
        let invocation = session.invocation
        switch try await session.execute(ShowFile(id)).file.file.state {
        // A repeated command continues what was interrupted.
        case .accepted, .receiving, .receivedWarning, .received: break
        default:
            _ = try await session.execute(
                ReceiveFile(
                    id, isApproved: invocation[approve], isEncrypted: invocation[encrypt] ? true : nil,
                    to: invocation[to].map(LocalPath.absolute)))
        }
        return try await session.finish(id, progress)
    }
}

/// Paths of the command line, for a store that another process may have open.
package enum LocalPath {
    /// The path from the root. It need not exist.
    package static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        let folder = Files.resolved(".") ?? ""
        var rest = path[...]
        while rest.hasPrefix("./") { rest = rest.dropFirst(2).drop { $0 == "/" } }
        return rest.isEmpty || rest == "." ? folder : "\(folder)/\(rest)"
    }
}
