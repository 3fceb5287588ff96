import ByteCoding
import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit file save`
enum FileSaveCommand {
    static let to = Option<String?>(
        "to", "Folder or path of the copy; - writes to standard output", .path("PATH|-"), isCommon: true)
    static let force = Option<Bool>(flag: "force", "Replace an existing file")

    static let leaf: Leaf = .init(
        Command(
            "file save", "Copy a file out of the store", promise: "the copy is complete on disk", store: .reading,
            positionals: [FileNoun.file], options: [to, force],
            examples: [
                Example("tacit file save f7 --to ~/Documents", "Copy a received file into a folder"),
                Example("tacit file save f7 --to - | tar tz", "Write a received file to a pipe"),
            ],
            exits: [64, 66, 67, 69, 73], reports: FileReport.forms,
            discussion:
                "A file that is encrypted on this machine is decrypted. Without --to the copy goes to this folder."),
        purpose: { _ in "save the file" },
        body: { session in
            let invocation = session.invocation
            let listed = try await session.execute(ShowFile(invocation[FileNoun.file])).file
            guard listed.isHere else { throw ChatError.file(.notReceived(listed.file.id)) }
            let target = invocation[to] ?? "."
            if target == "-" {
                try listed.read { try invocation.output.write($0) }
                return .ok
            }
            try save(listed, to: target, replaces: invocation[force], invocation)
            return .ok
        })

    /// Copies a file to a folder or a path.
    ///
    /// - Throws: ``FileObstacle`` if there is another file, or if the file is not here.
    static func save(_ listed: ListedFile, to target: String, replaces: Bool, _ invocation: Invocation) throws {
        let path = destination(of: listed, target)
        guard replaces || !Files.exists(path) else {
            var reason = Reason(ChatError.file(.exists(path)))
            if invocation.parsed.command.path == leaf.command.path {
                reason.tries.append(.init("--force", "replace the file"))
            }
            throw reason
        }
        let draft = try DraftFile(for: path)
        try listed.read { try draft.write($0) }
        try draft.publish(replaces: replaces)
        invocation.note(StyledText("saved \(UntrustedText(path).quoted)"))
    }

    /// The path of a copy for a folder or a path.
    static func destination(of listed: ListedFile, _ target: String) -> String {
        let absolute = LocalPath.absolute(target)
        let folder = absolute.hasSuffix("/") ? absolute : "\(absolute)/"
        return Files.isFolder(absolute) ? folder + listed.file.name : absolute
    }
}
