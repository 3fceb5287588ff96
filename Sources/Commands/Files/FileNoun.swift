import ChatCore
import CommandKit
import TerminalKit

/// `tacit file`
enum FileNoun {
    static let command = Command(
        noun: "file", "Manage sent and received files", verbs: leaves.map(\.command), defaultVerb: "list",
        discussion: """
            A file is encrypted, cut into chunks and stored on file relays for 48 hours. Its recipients learn its keys in a \
            message. Received files are offered first: 'tacit file receive' downloads them.

            'tacit send --attach' sends a file to a chat. 'tacit file send' makes a link that works without a contact.
            """)

    static let leaves = [
        FileListCommand.leaf, FileShowCommand.leaf, FileReceiveCommand.leaf, FileSaveCommand.leaf,
        FileCancelCommand.leaf, FilePurgeCommand.leaf, FileSendCommand.leaf, FileGetCommand.leaf,
        FileAutoAcceptCommand.leaf,
    ]

    /// A file that is on the list.
    static let file = Positional<ChatFileID>("FILE", "Id of the file", ChatFileID.kind)
    static let files = Positional<[ChatFileID]>(repeated: "FILE", "Ids of files", ChatFileID.kind)
    static let wait = Option<Bool>(flag: "no-wait", "Return at once; the next fetch transfers the file")
    static let timeout = Option<Duration>(
        "timeout", "Stop waiting after this time without progress", .duration(), default: .seconds(60),
        variable: "TACIT_TIMEOUT", isCommon: true)
}

extension CommandSession {
    /// Transfers a file until it is complete, and reports it.
    func finish(_ id: ChatFileID, _ progress: FileProgress) async throws -> ExitCode {
        let invocation = invocation
        if !invocation[FileNoun.wait] {
            self.progress.start { progress.step }
            _ = try await execute(WaitForFile(id, timeout: invocation[FileNoun.timeout]))
            self.progress.stop()
        }
        let listed = try await execute(ShowFile(id)).file
        try invocation.print(done: FileReport(listed))
        if invocation[FileNoun.wait] { return .ok }
        guard let reason = Reason(listed) else { return .ok }
        return invocation.report(
            reason.failure(during: "\(listed.isSent ? "send" : "receive") \(UntrustedText(listed.file.name).quoted)"))
    }
}
