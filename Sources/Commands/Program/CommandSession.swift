import AgentProtocol
import ChatCore
import CommandKit
import Synchronization
import SystemIO
import TerminalKit

/// A store that is open for one command.
struct CommandSession: Sendable {
    let invocation: Invocation
    let progress: ProgressDisplay
    let host: StoreHost
    /// How a command that only reads writes all the same; nil for one that writes anyway.
    private let steps: WritingSteps?

    init(_ host: StoreHost, _ invocation: Invocation, _ progress: ProgressDisplay, steps: WritingSteps? = nil) {
        self.host = host
        self.invocation = invocation
        self.progress = progress
        self.steps = steps
    }

    /// Fails if a step that writes could not be run now, or within the time that the user gives it.
    func awaitTurn() async throws {
        guard let steps else { return }
        try await host.local?.checkNotFrozen()
        try await steps.awaitTurn()
    }

    /// Carries out commands of which only the effect matters. A command that reads takes the lock only for as long as they
    /// need it, so that nobody has to wait for whoever reads its output.
    ///
    /// - Parameter timeout: How long to wait for the lock; as long as the user says by default.
    func change(_ commands: [any ChatCommand], within timeout: Duration? = nil) async throws {
        if host.remote == nil, let steps { return try await steps.waiting(timeout).run(commands) }
        for command in commands { _ = try await host.execute(command) }
    }

    /// Has the core carry out a command.
    func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response {
        try await host.execute(command)
    }

    /// Has the core carry out a command that asks a relay, and stops waiting at a deadline. A core that others use too goes
    /// on until its own.
    func execute<Command: ChatCommand>(
        _ command: Command, before deadline: ContinuousClock.Instant
    ) async throws -> Command.Response {
        let host = host, left = max(.zero, deadline - .now)
        if invocation.host == nil { await host.local?.limitRequests(to: min(left, .seconds(30))) }
        let outcome: Result<Command.Response, ChatError>? = await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            Task(executorPreference: host.loop) {
                do throws(ChatError) {
                    answer.give(.success(try await host.execute(command)))
                } catch {
                    answer.give(.failure(error))
                }
            }
            // The core has a little more time, to take back what it began.
            host.loop.after(left + .milliseconds(500)) { answer.give(nil) }
        }
        guard let outcome else { throw Reason(RelayProblem.timedOut) }
        return try outcome.get()
    }

    /// The calls of hooks that wait, or were given up, oldest first.
    func hookRuns() async throws -> [HookRun] {
        guard let core = host.local else { throw ChatError.readOnly }
        return try await core.hookRuns()
    }

    // MARK: - Profiles

    /// The profile to act as, if the user named one.
    func profileID() async throws -> ProfileID? {
        guard let name = invocation[GlobalOptions.profile] else { return nil }
        return try await profile(named: name).id
    }

    /// The profile to act as.
    func profile() async throws -> OwnProfile {
        if let name = invocation[GlobalOptions.profile] { return try await profile(named: name) }
        return try await execute(ShowActiveProfile()).profile
    }

    /// The profile with a name or id.
    func profile(named name: String) async throws -> OwnProfile {
        let profiles = try await profiles()
        if let profile = profiles.first(where: { $0.name == name || "id:\($0.objectID)" == name }) { return profile }
        throw Reason.unknownProfile(name, known: profiles.map(\.name), invocation.parsed.command)
    }

    func profiles() async throws -> [OwnProfile] {
        try await execute(ListProfiles()).profiles
    }

    // MARK: - Messages

    /// One entry, whatever profile it belongs to.
    func item(_ id: ChatItemID) async throws -> LocatedItem {
        guard let item = try await execute(ShowItem(id)).items.first else { throw ChatError.itemNotFound(id) }
        return item
    }

    /// The entries of the profile that a query means, oldest first.
    func items(_ query: ItemQuery) async throws -> [LocatedItem] {
        try await execute(FindItems(try await profileID(), query)).items
    }

    // MARK: - Contacts

    func contacts() async throws -> [Contact] {
        try await execute(ListContacts(try await profileID())).contacts
    }

    /// The conversation that a target means: with a contact, or with oneself.
    func chat(_ target: Target) async throws -> Chat {
        switch target {
        case .notes:
            if let notes = try await notes() { return notes }
            // There are notes as soon as somebody asks for them.
            let profile = try await profileID()
            try await change([OpenNotes(profile)])
            return try await execute(ShowNotes(profile)).chat
        case .contactID(let id):
            if let notes = try await notes(), notes.reference.number == id.number { return notes }
            return .direct(try await contact(target))
        case .contact(let name), .bare(let name): return try await chat(named: name)
        case .group: return .direct(try await contact(target))
        }
    }

    /// The notes of the profile, if there are any.
    func notes() async throws -> Chat? {
        do {
            return try await execute(ShowNotes(try await profileID())).chat
        } catch ChatError.contactNotFoundByName {
            return nil
        }
    }

    /// The contact that a target means.
    func contact(_ target: Target) async throws -> Contact {
        switch target {
        case .contact(let name), .bare(let name):
            switch try await chat(named: name) {
            case .direct(let contact): return contact
            case .group: throw Reason.noGroups(name)
            case .notes: throw Reason.notesAreNoContact
            }
        case .contactID(let id):
            guard let contact = try await contacts().first(where: { $0.id == id }) else {
                throw ChatError.contactNotFound(id)
            }
            return contact
        case .group(let name): throw Reason.noGroups(name)
        case .notes: throw Reason.notesAreNoContact
        }
    }

    /// The chat of the profile that has a name.
    private func chat(named name: String) async throws -> Chat {
        do {
            return try await execute(FindChat(.name(name), of: try await profileID())).chat
        } catch ChatError.contactNotFoundByName {
            guard try await !isExpected(name) else { throw ChatError.contactNotReady(name) }
            throw Reason.unknownContact(name, known: try await contacts().map(\.name))
        }
    }

    /// Whether somebody is going to have this name, who has not answered yet.
    private func isExpected(_ name: String) async throws -> Bool {
        let list = try await execute(ListChats(try await profileID(), includesPending: true, count: 0))
        return list.pending.contains { $0.requestedName == name }
    }
}

/// The answer to a command, or nothing, whatever comes first.
private final class FirstAnswer<Response: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Result<Response, ChatError>?, Never>?>

    init(_ continuation: CheckedContinuation<Result<Response, ChatError>?, Never>) {
        self.continuation = Mutex(continuation)
    }

    func give(_ answer: Result<Response, ChatError>?) {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: answer)
    }
}
