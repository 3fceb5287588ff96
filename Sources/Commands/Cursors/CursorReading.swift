import AgentProtocol
import ChatCore
import Host
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit read --cursor`: prints what is behind a cursor, or runs a program for each message, and moves the cursor past what
/// arrived where it should.
///
/// The cursor is moved in steps of their own. If the program is killed in between, or its reader is gone, messages come
/// again; none is skipped.
struct CursorReading {
    private let session: CommandSession
    private let name: String
    /// The only conversation that is read.
    private let chat: ChatReference?
    private var place: ChatItemID?
    /// The message for which a program failed last, and how often.
    private var failure: Cursor.Failure?
    /// Whether there is a cursor of this name on disk.
    private let isKnown: Bool

    /// How many messages are printed before the cursor is moved.
    private static let page = 500

    /// Finds the cursor; one that is not there begins before everything.
    init(_ name: String, _ target: Target?, _ session: CommandSession) async throws {
        let chat = if let target { try await session.chat(target).reference } else { ChatReference?.none }
        let known = try await CursorCommand.all(session).first { $0.name == name }
        if let known, let chat, known.chat?.reference != chat { throw ChatError.cursorElsewhere(name) }
        self.session = session
        self.name = name
        self.chat = chat ?? known?.chat?.reference
        place = known?.place
        failure = known?.failure
        isKnown = known != nil
    }

    /// Prints everything, a page after the other.
    ///
    /// - Parameter moves: Whether the cursor follows.
    mutating func print(moves: Bool, marks: Bool) async throws {
        let invocation = session.invocation
        while true {
            let page = try await next(CursorReading.page)
            guard let last = page.last else { return }
            try invocation.print(list: MessageReport.list(page, withIDs: invocation.showsIDs))
            // Returns when the system has taken it over, or throws.
            try await invocation.output.delivered()
            try await finish(page, moves: moves, marks: marks)
            if invocation.commandName == "read", invocation.marksWhatIsShown { await session.markShown(page) }
            place = last.item.id
            if page.count < CursorReading.page { return }
        }
    }

    /// Runs a program for each message that is there now. What comes meanwhile, such as the program's own answers, is for the
    /// next time.
    ///
    /// - Parameter isOver: For a command that lives on: true when it has to end. It pauses and retries itself; others leave
    ///   that to the next command.
    /// - Returns: 80 if messages were skipped.
    mutating func run(
        _ program: MessageProgram, moves: Bool, marks: Bool, isOver: (@Sendable () -> Bool)? = nil
    ) async throws -> ExitCode {
        let turn = try await CursorTurn(name, session)
        defer { withExtendedLifetime(turn) {} }
        // Whoever had the turn before may have moved it.
        if let known = try await CursorCommand.all(session).first(where: { $0.name == name }) {
            (place, failure) = (known.place ?? place, known.failure)
        }
        guard let end = try await newest() else { return .ok }
        var code = ExitCode.ok
        while let next = try await next(1).first, next.item.id.number <= end.number {
            do {
                try await program.run(next, beside: session.progress.loop)
            } catch let error as ProgramFailure where moves {
                switch try await judge(error, program.rule, isOver) {
                case .skip: code = .partial
                case .retry: continue
                case .end: return code
                }
            } catch let error as ProgramFailure {
                throw error.reason(nil, FailureRule.none, commit: commit(error.item))
            }
            try await finish([next], moves: moves, marks: marks)
            place = next.item.id
        }
        return code
    }

    private enum Verdict {
        case retry, skip, end
    }

    /// Counts a failure, and decides how to go on.
    ///
    /// - Throws: A ``Reason`` with 75 or 69 if the command stops at the message.
    private mutating func judge(
        _ error: ProgramFailure, _ rule: FailureRule, _ isOver: (@Sendable () -> Bool)?
    ) async throws -> Verdict {
        let invocation = session.invocation
        guard !error.isUnusable else { throw error.reason(nil, rule, commit: commit(error.item)) }
        try await session.change([
            MoveCursor(try await session.profileID(), name: name, in: chat, .failed(error.item))
        ])
        let count = (failure?.item == error.item ? failure?.count ?? 0 : 0) + 1
        failure = Cursor.Failure(item: error.item, count: count)
        guard rule.isExhausted(after: count) else {
            guard rule.isGiven, let isOver else { throw error.reason(count, rule, commit: commit(error.item)) }
            let pause = FailureRule.pause(after: count)
            invocation.note(
                StyledText(
                    "the program failed for the message \(ObjectID.text(error.item)); "
                        + "it runs again in \(pause.components.seconds) s", .warning))
            let end = ContinuousClock.now + pause
            while ContinuousClock.now < end {
                if isOver() { return .end }
                await session.host.pause(min(StoreLock.pollingInterval, end - .now))
            }
            return .retry
        }
        guard rule.skips else { throw error.reason(count, rule, commit: commit(error.item)) }
        _ = invocation.report(error.skip(count, rule, show: command(["message", "show"], ObjectID.text(error.item))))
        return .skip
    }

    /// What moves the cursor past a message.
    private func commit(_ id: ChatItemID) -> Failure.Attempt {
        let dashes = name.hasPrefix("-") ? ["--"] : []
        return command(["cursor", "commit"] + dashes + [name], ObjectID.text(id), "skip the message and continue")
    }

    private func command(_ words: [String], _ id: String, _ note: String? = nil) -> Failure.Attempt {
        let profile = session.invocation[GlobalOptions.profile].map { ["--profile", $0] } ?? []
        return Failure.Attempt(words: ["tacit"] + profile + words + [id], note)
    }

    /// Makes a cursor that is not there yet, so that it can be committed later.
    func keep() async throws {
        guard !isKnown else { return }
        try await session.change([MoveCursor(try await session.profileID(), name: name, in: chat, .nowhere)])
    }

    // MARK: - Steps

    private func next(_ count: Int) async throws -> [LocatedItem] {
        var query = ItemQuery()
        query.chat = chat
        query.after = place
        query.takesOldest = true
        query.count = count
        return try await session.items(query)
    }

    private func newest() async throws -> ChatItemID? {
        var query = ItemQuery()
        query.chat = chat
        query.count = 1
        return try await session.items(query).last?.item.id
    }

    private func finish(_ items: [LocatedItem], moves: Bool, marks: Bool) async throws {
        guard moves || marks, let last = items.last else { return }
        var commands: [any ChatCommand] = []
        if moves {
            let profile = try await session.profileID()
            commands.append(MoveCursor(profile, name: name, in: chat, .past(last.item.id)))
        }
        if marks { commands += session.marks(of: items) }
        try await session.change(commands)
    }
}

/// A program that is run once for each message.
struct MessageProgram: Sendable {
    /// What to do with messages for which it fails.
    let rule: FailureRule
    private let line: String
    private let environment: [String: String]
    private let profileID: String

    init(_ line: String, _ session: CommandSession) async throws {
        self.line = line
        rule = FailureRule(session.invocation)
        var environment = session.invocation.environment
        // SECURITY: it needs no key to be told of a message.
        environment["TACIT_KEY"] = nil
        self.environment = environment
        profileID = try await session.profile().objectID
    }

    /// Runs the program beside whatever else the loop does: it may take long, and use the store.
    func run(_ located: LocatedItem, beside loop: EventLoop) async throws {
        let ending: Result<Void, any Error> = await withCheckedContinuation { continuation in
            loop.offload {
                Result { try run(located) }
            } then: {
                continuation.resume(returning: $0)
            }
        }
        try ending.get()
    }

    /// Throws a ``ProgramFailure`` unless the program ends with 0. It gets the message on its standard input: other users can
    /// read the arguments and the environment of a process on some systems.
    private func run(_ located: LocatedItem) throws {
        let id = ObjectID.text(located.item.id)
        let added = [
            "TACIT_EVENT": "message", "TACIT_ID": id, "TACIT_CHAT_ID": located.chat.objectID,
            "TACIT_PROFILE": "id:\(profileID)",
        ]
        let ending = try Subprocess.run(
            "/bin/sh", ["sh", "-c", line], environment: environment.merging(added) { _, new in new },
            input: MessageReport(located).json.encoded + [UInt8(ascii: "\n")])
        guard ending == .exited(0) else { throw ProgramFailure(item: located.item.id, ending: ending) }
    }
}

extension CommandSession {
    /// How long marking what was shown waits for another process: the person has it on the screen already.
    private static let timeout = Duration.seconds(1)

    /// Marks what a person has seen as read. If that is not possible now it stays unread, which is no failure.
    func markShown(_ items: [LocatedItem]) async {
        let unread = items.filter { $0.item.status == .receivedNew }
        guard !unread.isEmpty else { return }
        do {
            try await host.local?.checkNotFrozen()
            try await change(marks(of: unread), within: CommandSession.timeout)
        } catch ChatError.frozen {
            // A copy of a store stays as it is.
        } catch {
            let text = Explained(error).failure(during: "mark shown messages as read").what
            invocation.note(StyledText(text, .muted))
        }
    }

    /// The commands that mark entries as read.
    func marks(of items: [LocatedItem]) -> [any ChatCommand] {
        Dictionary(grouping: items, by: \.item.chat).map { chat, entries in
            MarkItemsRead(.reference(chat), entries.map(\.item.id))
        }
    }
}
