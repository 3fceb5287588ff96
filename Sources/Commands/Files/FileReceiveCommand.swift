import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit file receive`
enum FileReceiveCommand {
    /// The files that are received.
    enum Choice: Sendable {
        case file(ChatFileID)
        /// All that a chat offers.
        case chat(Target)
    }

    static let choices = Positional<[Choice]>(
        repeated: "FILE|CHAT", "Ids of files, or chats whose offered files are received",
        ValueKind(
            ValueForm("FILE|CHAT", expected: "an id such as f7, @name or +group", completing: .transfer),
            read: { word in
                if let id = ObjectID.file(from: word) { return .file(id) }
                let isChat = ["@", "+", "#", "id:"].contains { word.hasPrefix($0) }
                return isChat ? Target(word).map { .chat($0) } : nil
            },
            write: { choice in
                switch choice {
                case .file(let id): ObjectID.text(id)
                case .chat(let target): target.word
                }
            }), minimum: 0)
    static let all = Option<Bool>(flag: "all", "Receive all offered files", isCommon: true).withoutSetting
    static let to = Option<String?>(
        "to", "Folder or path for the file", .path("PATH"), defaultText: "files/ in the store", isCommon: true)
    static let approve = Option<Bool>(
        flag: "approve-relays", "Use file relays that are not in your list; they learn your IP address")
    static let encrypt = Option<Bool>(flag: "encrypt", "Encrypt the file on this machine")

    static let leaf: Leaf = .init(
        Command(
            "file receive", "Receive files that were offered",
            promise: "the files are on this machine (with --no-wait: they are accepted)", store: .writing,
            positionals: [choices],
            options: [all, to, approve, encrypt, FileNoun.wait, FileNoun.timeout],
            examples: [
                Example("tacit file receive f7", "Receive a file"),
                Example("tacit file receive @alice", "Receive all files that a contact offers"),
                Example("tacit file receive f7 --to ~/Downloads", "Receive a file into a folder"),
            ],
            exits: [64, 66, 67, 68, 69, 73, 75, 79, 80], reports: FileReport.forms, topics: ["files"],
            discussion: """
                An interrupted transfer continues with this command, or with the next fetch, at the chunk where it ended. A \
                file appears under its name when it is complete; if the name is taken, a number is added. A file that is here \
                already is copied to the path of --to.
                """),
        purpose: { _ in "receive the files" },
        run: { invocation in
            guard invocation[all] || !invocation[choices].isEmpty else { throw Failure.noFileChosen }
            var isSingle = false
            if !invocation[all], case .file? = invocation[choices].first { isSingle = invocation[choices].count == 1 }
            if let path = invocation[to], !isSingle, !Files.isFolder(LocalPath.absolute(path)) {
                throw Failure.severalFilesWithoutFolder
            }
            let progress = FileProgress("receiving")
            return try StoreOpener(invocation, isWriting: true) { progress.note($0) }.run { session in
                var codes: [ExitCode] = []
                let files = try await chosen(session)
                if files.isEmpty { invocation.note("no files are offered") }
                for id in files {
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

    /// The files that the words mean, each once.
    private static func chosen(_ session: CommandSession) async throws -> [ChatFileID] {
        let invocation = session.invocation
        let offered = try await session.execute(ListFiles(try await session.profileID())).files.filter(\.isOffered)
        if invocation[all] { return offered.map(\.file.id) }
        var ids: [ChatFileID] = []
        for choice in invocation[choices] {
            switch choice {
            case .file(let id): ids.append(id)
            case .chat(let target):
                let chat = try await session.chat(target).reference
                ids += offered.filter { $0.item?.chat.reference == chat }.map(\.file.id)
            }
        }
        return ids.enumerated().filter { index, id in !ids[..<index].contains(id) }.map(\.element)
    }

    private static func receive(
        _ id: ChatFileID, _ progress: FileProgress, _ session: CommandSession
    ) async throws -> ExitCode {
        let invocation = session.invocation
        let listed = try await session.execute(ShowFile(id)).file
        switch listed.file.state {
        case .received:
            guard let path = listed.path, Files.exists(path) else { throw Reason.deletedFile(listed.path) }
            if let target = invocation[to], FileSaveCommand.destination(of: listed, target) != path {
                try FileSaveCommand.save(listed, to: target, replaces: false, invocation)
            }
        // A repeated command continues what was interrupted.
        case .accepted, .receiving, .receivedWarning: break
        default:
            _ = try await session.execute(
                ReceiveFile(
                    id, isApproved: invocation[approve], isEncrypted: invocation[encrypt] ? true : nil,
                    to: invocation[to].map(LocalPath.absolute)))
        }
        return try await session.finish(id, progress)
    }
}

extension ListedFile {
    /// True for a file that the user can receive, or whose transfer was interrupted.
    fileprivate var isOffered: Bool {
        switch file.state {
        case .offered, .accepted, .receiving, .receivedWarning: !isSent && item != nil
        default: false
        }
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
