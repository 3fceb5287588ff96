import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import Host
import Synchronization
import SystemIO
import TerminalKit

/// A store that is open for one command.
struct CommandSession: Sendable {
    let invocation: Invocation
    let progress: ProgressDisplay
    let host: OpenStore
    /// How a command that only reads writes all the same; nil for one that writes anyway.
    private let steps: WritingSteps?

    init(_ host: OpenStore, _ invocation: Invocation, _ progress: ProgressDisplay, steps: WritingSteps? = nil) {
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

    /// The conversation that a target means: with a contact, in a group, or with oneself.
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
        case .bare(let name): return try await chat(named: name)
        case .contact(let name):
            let chat = try await chat(named: name)
            if let group = chat.group { throw Reason.isGroup(group.target) }
            return chat
        case .group, .groupID: return .group(try await group(target))
        case .member: return .direct(try await contact(target))
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
            case .group(let group): throw Reason.isGroup(group.target)
            case .notes: throw Reason.notesAreNoContact
            }
        case .contactID(let id):
            guard let contact = try await contacts().first(where: { $0.id == id }) else {
                throw ChatError.contactNotFound(id)
            }
            return contact
        case .group, .groupID: throw Reason.isGroup(try await group(target).target)
        case .member(let name):
            let (group, member) = try await member(name)
            guard let id = member.contactID else { throw Reason.memberIsNoContact(member.target(in: group)) }
            return try await contact(.contactID(id))
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

    // MARK: - Groups

    func groups() async throws -> [Group] {
        try await execute(ListGroups(try await profileID())).groups
    }

    /// The group that a target means.
    func group(_ target: Target) async throws -> Group {
        switch target {
        case .group(let name), .bare(let name): return try await group(named: name)
        case .groupID(let id):
            let group = try await execute(ShowGroup(.id(id))).group
            guard group.profileID == (try await profile().id) else { throw ChatError.groupNotFound(id) }
            return group
        case .contact, .contactID, .notes, .member:
            let name = try await chat(target).target
            throw Reason.isNoGroup(name)
        }
    }

    private func group(named name: String) async throws -> Group {
        do {
            let chat = try await execute(FindChat(.name(name), of: try await profileID())).chat
            guard let group = chat.group else { throw Reason.isNoGroup(chat.target) }
            return group
        } catch ChatError.contactNotFoundByName {
            throw Reason.unknownGroup(name, known: try await groups().map(\.name))
        }
    }

    /// The members of a group besides the user, in the order in which they became known.
    func members(of group: Group) async throws -> [GroupMember] {
        try await execute(ListMembers(.id(group.id))).members.filter { !$0.isUser }
    }

    /// The member that a target means, with the group.
    func member(_ target: MemberName) async throws -> (group: Group, member: GroupMember) {
        switch target {
        case .name(let groupName, let name):
            let group = try await group(named: groupName), members = try await members(of: group)
            switch NameMatch(members.filter { $0.name == name }, isLiving: { !$0.status.isGone }) {
            case .one(let member): return (group, member)
            case .several(let named): throw Reason.ambiguousName(target.word, ids: named.map(\.objectID))
            case .none: throw Reason.unknownMember(name, of: group.target, known: members.map(\.name))
            }
        case .memberID(let id):
            for group in try await groups() {
                if let member = try await member(id, of: group) { return (group, member) }
            }
            throw Reason.unknownMemberID(id)
        }
    }

    /// Fails for a member that left or was removed: what changes a member changes nothing of it.
    func checkPresent(_ member: GroupMember, in group: Group) async throws {
        guard member.status.isGone else { return }
        // Who joins again without being a contact has another local name.
        let again = try await members(of: group).last {
            !$0.status.isGone && $0.profile.displayName == member.profile.displayName
        }
        throw Reason.memberIsGone(member.status, again: again?.target(in: group), group: group.target)
    }

    /// A member by its number; nil if it is in another group.
    private func member(_ id: GroupMemberID, of group: Group) async throws -> GroupMember? {
        do {
            return try await execute(ShowMember(.id(group.id), .ids([id]))).member
        } catch {
            if case .inGroup(.memberNotFound) = error { return nil }
            throw error
        }
    }

    /// The members that targets mean, all of one group.
    ///
    /// - Parameter present: True if none of them may have left.
    func members(_ targets: [MemberName], present: Bool = false) async throws -> (group: Group, members: [GroupMember])
    {
        var found: (group: Group, members: [GroupMember])?
        for target in targets {
            let (group, member) = try await member(target)
            if present { try await checkPresent(member, in: group) }
            guard let known = found else {
                found = (group, [member])
                continue
            }
            guard known.group.id == group.id else { throw Reason.membersOfSeveralGroups }
            if !known.members.contains(where: { $0.id == member.id }) { found?.members.append(member) }
        }
        guard let found else { throw Reason.membersOfSeveralGroups }
        return found
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
