import ChatCore
import ChatProtocol
import CommandKit
import Host
import JSONCoding
import SystemIO
import TerminalKit

/// Runs tacit as the official program runs after the same start.
struct OfficialProgram {
    let start: OfficialStart
    let invocation: Invocation

    /// The time for a queued message to leave after the time of `-t`.
    private static let grace = Duration.seconds(10)

    private static let farewells: Set<String> = ["/q", "/quit", "/exit"]

    func run() throws -> ExitCode {
        if invocation.keyIsOption {
            invocation.warn("other users may have read the key behind -k; a key file is safer (tacit help keys)")
        }
        guard case .session = start.mode else {
            try makeStore()
            if case .server(let address) = start.mode { return try serve(at: address) }
            return try execute()
        }
        guard invocation.session != nil, Terminal(descriptor: 0).isTerminal, Terminal(descriptor: 1).isTerminal else {
            throw Failure.officialWithoutTerminal
        }
        return try ReplCommand.leaf.run(invocation)
    }

    // MARK: - Store and profile

    /// Creates the store with its first profile, unless the store exists.
    private func makeStore() throws {
        let folder = try invocation.storeFolder()
        guard !folder.exists else { return }
        // SECURITY: a new store would have another address, and the conversations would seem lost.
        if let path = start.officialDatabase { throw Reason.officialDatabase(path) }
        let servers = start[OfficialOptions.servers] ?? [], fileServers = start[OfficialOptions.fileServers] ?? []
        let usesPublic = servers.isEmpty
        let contents = InitCommand.Contents(
            profile: try newProfile(), servers: servers.map(\.server), fileServers: fileServers.map(\.server),
            acceptsConditions: usesPublic)
        let key = try NewKey(unattended: invocation)
        guard try InitCommand.make(folder, key, contents, invocation) != nil else { return }
        invocation.note(StyledText("created a store in \(folder.path)"))
        if let path = key.path {
            invocation.note(StyledText("the key is in \(path); without it the store cannot be read"))
        }
        if usesPublic {
            invocation.note(
                StyledText(
                    "the profile uses the public relays, under the conditions of their operators: "
                        + UsageConditions.current.url))
        }
    }

    /// Has a store without a profile get one, sets what holds until the end of the process, and prints the profile.
    @Sendable private func prepare(_ session: CommandSession, _ paths: APIFilePaths) async throws {
        if try await session.profiles().isEmpty {
            _ = try await session.execute(CreateProfile(try newProfile()))
            _ = try await session.execute(AdvanceOnboarding(to: .complete))
        }
        if let path = start[OfficialOptions.filesFolder] {
            let command = SetFilesFolder(ProcessEnvironment.absolutePath(path))
            _ = try await session.execute(command)
            paths.note(command)
        }
        if let path = start[OfficialOptions.temporaryFolder] {
            _ = try await session.execute(SetTemporaryFolder(ProcessEnvironment.absolutePath(path)))
        }
        // Another process decides for itself.
        if session.host.remote == nil {
            if start[OfficialOptions.isMaintenance] {
                _ = try await session.execute(StopChat())
            } else {
                _ = try await session.execute(StartChat())
            }
        }
        let profile = try await session.profile(), fullName = profile.profile.fullName
        let isNamed = !fullName.isEmpty && fullName != profile.name
        try print(["Current user: \(profile.name)\(isNamed ? " (\(fullName))" : "")"])
    }

    /// The first profile: that of an option, or one with a name from standard input.
    private func newProfile() throws -> Profile {
        guard !start[OfficialOptions.isMaintenance] else { throw Reason.officialMaintenanceWithoutProfile }
        if let name = start[OfficialOptions.botName] {
            let preferences: JSONValue? =
                start[OfficialOptions.botAllowsFiles] ? nil : .object(["files": .object(["allow": "no"])])
            return try checked(Profile(displayName: name, preferences: preferences, peerType: .bot))
        }
        if let name = start[OfficialOptions.userName] { return try checked(Profile(displayName: name)) }
        try print([
            "No user profiles found, it will be created now.", "Please choose your display name.",
            "It will be sent to your contacts when you connect.",
            "It is only stored on your device and you can change it later.",
        ])
        let lines = InputLines()
        while true {
            try invocation.output.write(verbatim: "display name: ")
            try invocation.output.flush()
            guard let line = try lines.next() else { throw Reason.officialNameMissing }
            do throws(ChatError) {
                return try checked(Profile(displayName: String(line.drop(while: \.isWhitespace))))
            } catch {
                try print(text.lines(ofError: error.fields) ?? [])
            }
        }
    }

    private func checked(_ profile: Profile) throws(ChatError) -> Profile {
        do throws(ProfileError) {
            _ = try Profile.DisplayName(profile.displayName)
        } catch {
            let suggestion = Profile.DisplayName.suggestion(for: profile.displayName)?.text
            throw .invalidName(profile.displayName, suggestion: suggestion)
        }
        return profile
    }

    // MARK: - Server

    private func serve(at address: ListenAddress) throws -> ExitCode {
        try APIServing(invocation, address, files: start.acceptedFiles, prepare: prepare).run()
    }

    // MARK: - One command

    private func execute() throws -> ExitCode {
        let folder = StoreFolder(try invocation.directories().data)
        let paths = APIFilePaths(folder)
        let printed = start[OfficialOptions.printedEvents]
        let access = StoreOpener(invocation, isWriting: true) { event in
            guard printed == .all || printed == .messages && event.json["type"]?.string == "newChatItems" else {
                return
            }
            try? print(lines(of: paths.apply(to: event.json)))
        }
        return try access.run { session in
            try await prepare(session, paths)
            // The process that has the store open receives.
            guard session.host.remote == nil else { return try await execute(session, paths) }
            return try await session.hosting { _ in
                let files = start.acceptedFiles
                let task = Task(executorPreference: session.host.loop) {
                    try await session.execute(ReceiveMessages(files: files))
                }
                let code = try await execute(session, paths)
                task.cancel()
                _ = try? await task.value
                return code
            }
        }
    }

    private func execute(_ session: CommandSession, _ paths: APIFilePaths) async throws -> ExitCode {
        let clock = ContinuousClock()
        // With a command to leave, the official program only opens the store.
        guard case .command(let text) = start.mode, !OfficialProgram.farewells.contains(text) else { return .ok }
        try print(try await answer(to: text, session, paths))
        let end = clock.now + .seconds(start[OfficialOptions.time])
        await session.host.pause(end - clock.now)
        while try await !session.execute(ListOutbox()).items.isEmpty {
            guard clock.now < end + OfficialProgram.grace else {
                let reason = Reason.queued(nil, "the message is stored here; the next start sends it")
                return invocation.report(reason.failure(during: "send the message"))
            }
            await session.host.pause(.milliseconds(50))
        }
        return .ok
    }

    private func answer(
        to text: String, _ session: CommandSession, _ paths: APIFilePaths
    ) async throws -> [String] {
        do throws(ChatError) {
            let command = try ChatCommands.parse(text)
            var answer = paths.apply(to: try await json(of: command, session))
            // One command of the core with two texts in the official program: for programs, and for people.
            if command is ListChats, !text.hasPrefix("/_") { answer["type"] = "chats" }
            return lines(of: answer)
        } catch {
            let error = error.fields
            return (self.text.lines(ofError: error) ?? [error.line]) + [""]
        }
    }

    private func json<Command: ChatCommand>(
        of command: Command, _ session: CommandSession
    ) async throws(ChatError) -> JSONObject {
        try await session.execute(command).json
    }

    // MARK: - Output

    private var text: TerminalText {
        TerminalText(now: SystemClock.milliseconds(), usesUTC: invocation[GlobalOptions.utc])
    }

    /// The lines of an answer, with the empty one that the official program prints behind it.
    private func lines(of answer: JSONObject) -> [String] { (text.lines(of: answer) ?? [answer.line]) + [""] }

    /// Prints lines. SECURITY: texts of peers are escaped.
    private func print(_ lines: [String]) throws {
        for line in lines { try invocation.output.write(line: StyledText(UntrustedText(line).singleLine)) }
        try invocation.output.flush()
    }
}

/// The lines of standard input, read as they are typed.
private final class InputLines {
    private let file = FileDescriptor(owning: 0)

    /// The longest line, in bytes.
    private static let limit = 4096

    deinit { ProcessEnvironment.occupyStandardStreams() }

    /// Returns the next line, or nil at the end.
    func next() throws(SystemError) -> String? {
        var line: [UInt8] = []
        while line.count < InputLines.limit {
            // One byte at a time: what follows belongs to others.
            guard let byte = try file.read(1, "read standard input").first else { break }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
