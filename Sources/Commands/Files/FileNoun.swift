import ChatCore
import CommandKit
import Host
import SystemIO
import TerminalKit

/// `tacit file`
enum FileNoun {
    static let command = Command(
        noun: "file", "Manage sent and received files", verbs: leaves.map(\.command), defaultVerb: "list",
        topics: ["files"],
        discussion: """
            A file is encrypted, cut into chunks and stored on file relays for 48 hours. Its recipients learn its keys in a \
            message. Received files are offered first: 'tacit file receive' downloads them.

            'tacit send --attach' sends a file to a chat. 'tacit file send' makes a link that works without a contact. 'tacit \
            help files' explains all of it.
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
    ///
    /// - Parameter report: Prints it.
    func finish(
        _ id: ChatFileID, _ progress: FileProgress, report: (ListedFile) throws -> Void
    ) async throws -> ExitCode {
        let invocation = invocation
        if !invocation[FileNoun.wait] {
            self.progress.start { progress.step }
            let resume = try await execute(ShowFile(id)).file.isSent ? "fetch" : "file receive \(ObjectID.text(id))"
            try await resumable(by: resume, progress) {
                _ = try await execute(WaitForFile(id, timeout: invocation[FileNoun.timeout]))
            }
            self.progress.stop()
        }
        let listed = try await execute(ShowFile(id)).file
        try report(listed)
        if invocation[FileNoun.wait] { return .ok }
        guard let reason = Reason(listed) else { return .ok }
        let name = listed.file.name
        let file = name.isEmpty ? ObjectID.text(id) : UntrustedText(name).quoted
        return invocation.report(reason.failure(during: "\(listed.isSent ? "send" : "receive") \(file)"))
    }

    /// Transfers a file until it is complete, and reports it.
    func finish(_ id: ChatFileID, _ progress: FileProgress) async throws -> ExitCode {
        try await finish(id, progress) { try invocation.print(done: FileReport($0)) }
    }

    /// Waits for a transfer. A signal that ends the process meanwhile prints the command that continues.
    func resumable<Result>(
        by command: String, _ progress: FileProgress, _ body: () async throws -> Result
    ) async throws -> Result {
        let invocation = invocation, isElsewhere = host.remote != nil
        // Inside a session the transfer goes on without the command.
        guard invocation.host == nil else { return try await body() }
        let display = self.progress
        @Sendable func sayFarewell() {
            let share = progress.share.map { " at \($0) %" } ?? ""
            let advice =
                isElsewhere
                ? "the process that has the store open continues the transfer"
                : "continue with: tacit \(command)"
            invocation.note(StyledText("interrupted\(share); \(advice)"))
        }
        let process = host.process
        process.onFarewell(sayFarewell)
        defer { process.onFarewell(nil) }
        // Beside another process nothing else watches for signals.
        var watch: Held<SignalWatch>?
        if isElsewhere {
            watch = Held(
                try SignalWatch(EndingSignal.heeded, on: host.loop) { number in
                    display.stop()
                    sayFarewell()
                    ProcessEnding.signal(number)
                })
        }
        defer { withExtendedLifetime(watch) {} }
        return try await body()
    }
}
