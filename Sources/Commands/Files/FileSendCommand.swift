import ChatCore
import CommandKit
import Host
import SystemIO
import TerminalKit

/// `tacit file send`
enum FileSendCommand {
    static let path = Positional<String>("PATH", "File to send", .path("PATH"))
    static let recipients = Option<Int>(
        "recipients", "Number of links, one for each recipient",
        .count("N", in: 1...Int(UploadFile.mostRecipients)), default: 1, isCommon: true)

    /// The size above which other programs may refuse a file (chat.md 5.1).
    private static let softLimit = 1 << 30

    static let leaf: Leaf = .init(
        Command(
            "file send", "Upload a file and print a link", promise: "file relays have the file", store: .writing,
            positionals: [path], options: [recipients, LinkPicture.option, FileNoun.wait, FileNoun.timeout],
            examples: [
                Example("tacit file send backup.tar.gz", "Make a link for a file"),
                Example("tacit file send talk.mp4 --recipients 3", "Make three links, one for each recipient"),
                Example("tacit file send key.asc --qr", "Show the link as a QR code too"),
            ],
            exits: [64, 65, 66, 69, 75, 78], reports: FileReport.forms, topics: ["files"],
            discussion: """
                A link downloads the file once, within 48 hours, also while this machine is off. Each recipient needs a link: \
                --recipients prints several, one a line. There are always at least four, so that relays do not learn the number; \
                --json and 'tacit file show' print all of them. A link contains the keys of the file: send it over a channel \
                that you trust.

                A file can have up to 5 GiB. Official apps may refuse to download more than 1 GiB; a warning says so. Folders are \
                refused: pack them with tar first.

                An upload that is interrupted, also by Ctrl-C or --timeout, continues at the chunk with the next fetch or the \
                daemon. 'tacit file show' prints the links then.

                \(LinkPicture.discussion)
                """),
        purpose: { "send \(UntrustedText($0[path]).quoted)" },
        run: { invocation in
            let progress = FileProgress("sending")
            return try StoreOpener(invocation, isWriting: true) { progress.note($0) }.run { session in
                let profile = try await session.profile(), count = session.invocation[recipients]
                let file = try await session.execute(
                    UploadFile(
                        profile.id, LocalPath.absolute(session.invocation[path]),
                        recipients: count > 1 ? Int64(count) : nil)
                ).file
                if file.size > softLimit {
                    invocation.warn("the file has more than 1 GiB; official apps may refuse to download it")
                }
                return try await session.finish(file.id, progress) { listed in
                    guard let link = listed.links.first else { return try invocation.print(done: FileReport(listed)) }
                    try LinkPicture.show(link, invocation)
                    try invocation.print(FileReport(listed, linkCount: count))
                    let links = count > 1 ? "each link" : "this link"
                    invocation.note(
                        StyledText(
                            "\(links) works once: give it to one person; to delete the file: tacit file cancel \(ObjectID.text(file.id))"
                        ))
                }
            }
        })
}

/// `tacit file get`
enum FileGetCommand {
    static let link = Positional<String>("LINK|-", "Link to a file; - reads standard input", .text("LINK|-"))
    static let to = Option<String?>(
        "to", "Folder or path for the file", .path("PATH"), defaultText: "this folder", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "file get", "Download the file of a link", promise: "the file is on this machine", store: .writing,
            positionals: [link], options: [to, FileNoun.wait, FileNoun.timeout],
            examples: [
                Example("tacit file get 'simplex:/file#/?desc=...' --to ~/Downloads", "Download a file"),
                Example("tacit file get - < link.txt", "Keep the link out of the list of processes"),
            ],
            exits: [64, 65, 69, 73, 75], reports: FileReport.forms,
            discussion: """
                The file relays of the link learn your IP address. An interrupted download continues with the next fetch.

                A path with the name of an existing file is refused. In a folder the file gets the name that the sender gave; if \
                that is taken, a number is added.

                The command works without a store too. An interrupted download then begins again, and --no-wait is refused.
                """),
        purpose: { _ in "get the file" },
        run: { invocation in
            let progress = FileProgress("receiving")
            let link = try MessageText.read(invocation[link], invocation, usage: "file get LINK")
            let access = StoreOpener(invocation, isWriting: true) { progress.note($0) }
            if invocation.host == nil, try !hasStore(access) { return try get(link, progress, access) }
            return try access.run { session in
                let profile = try await session.profile(), invocation = session.invocation
                let file = try await session.execute(
                    DownloadFile(profile.id, link, to: LocalPath.absolute(invocation[to] ?? "."))
                ).file
                return try await session.finish(file.id, progress)
            }
        })

    private static func hasStore(_ access: StoreOpener) throws -> Bool {
        do {
            _ = try access.existingFolder()
            return true
        } catch let reason as Reason where reason.code == "store.missing" {
            return false
        }
    }

    /// Downloads a file where there is no store: a temporary one serves the download and ends with the command.
    private static func get(_ link: String, _ progress: FileProgress, _ access: StoreOpener) throws -> ExitCode {
        let invocation = access.invocation
        guard !invocation[FileNoun.wait] else { throw Failure.noWaitWithoutStore }
        let parent = invocation.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let place: String
        do throws(SystemError) {
            place = try Files.createTemporaryFolder(in: parent, prefix: "tacit-get-")
        } catch {
            throw Reason.storeFolder(error, at: parent)
        }
        defer { try? Files.removeTree(place) }
        let folder = StoreFolder("\(place)/store")
        try MigrationRun.makeTransfers(in: folder, [], [], invocation.machine)
        return try access.run(onTransfers: folder) { session in
            let process = session.host.process
            process.onFarewell { try? Files.removeTree(place) }
            defer { process.onFarewell(nil) }
            let profile = try await session.execute(ShowActiveProfile()).profile.id
            let target = LocalPath.absolute(invocation[to] ?? ".")
            let id = try await session.execute(DownloadFile(profile, link, to: target)).file.id
            session.progress.start { progress.step }
            _ = try await session.execute(WaitForFile(id, timeout: invocation[FileNoun.timeout]))
            session.progress.stop()
            let listed = try await session.execute(ShowFile(id)).file
            try invocation.print(done: FileReport(listed))
            guard let reason = Reason(listed) else { return .ok }
            return invocation.report(reason.failure(during: "get the file"))
        }
    }
}
