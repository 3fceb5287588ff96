import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import SMPProtocol
import TerminalKit

/// Names and ids from the store, for completion.
enum LiveValues {
    /// How many of the newest messages are offered.
    private static let messageCount = 20

    /// What the store knows of what is wanted; nothing if it cannot be opened at once.
    static func found(for offer: Offer, _ invocation: Invocation) -> [Offer.Candidate] {
        guard isLive(offer.wanted), let invocation = quiet(invocation, offer.values) else { return [] }
        let wanted = offer.wanted, beginning = offer.beginning
        let access = StoreOpener(invocation, isWriting: false, lockTimeout: .zero)
        let found = try? access.run { session in
            try await candidates(wanted, beginning, session)
        }
        guard let found else { return [] }
        // A name may be written without its sign.
        guard !beginning.isEmpty, !beginning.hasPrefix("@"), !beginning.hasPrefix("+") else { return found }
        return found.map { candidate in
            candidate.word.hasPrefix("@") || candidate.word.hasPrefix("+") && wanted != .member
                ? Offer.Candidate(String(candidate.word.dropFirst()), candidate.meaning) : candidate
        }
    }

    private static func isLive(_ wanted: Completion) -> Bool {
        switch wanted {
        case .chat, .contact, .group, .member, .profile, .request, .invitation, .message, .transfer, .server: true
        case .nothing, .file, .folder, .topic, .report, .field, .cursor, .setting, .hook: false
        }
    }

    /// The options of an unfinished line that say which store and which profile it is about.
    private static let placing = ["profile", "key-file"]

    /// The same invocation with those options, and one that asks nothing: neither a person, nor a program that might ask
    /// one, nor a descriptor of the shell, which would be at its end then.
    private static func quiet(_ invocation: Invocation, _ values: [String: String]) -> Invocation? {
        let known = CommandTree.tacit.root.options.map(\.name).filter(placing.contains)
        let given = known.compactMap { name in values[name].map { "--\(name)=\($0)" } }
        let words = given + ["--\(GlobalOptions.noInput.declaration.name)"] + CompleteCommand.leaf.command.path
        var environment = invocation.environment
        for name in ["TACIT_KEY_COMMAND", "TACIT_KEY_FD"] { environment[name] = nil }
        guard
            case .run(let parsed)? = try? CommandTree.tacit.parse(
                arguments: words + [CompletionShell.bash.rawValue], environment: environment,
                settings: invocation.settings)
        else { return nil }
        // A key in the environment may be a passphrase, and to work with it takes longer than a person waits for a word.
        return Invocation(
            parsed, environment: environment, environmentKey: nil,
            settings: invocation.settings.without([ProgramSettings.keyCommand.declaration.key]),
            output: invocation.output,
            errors: invocation.errors, log: nil)
    }

    private static func candidates(
        _ wanted: Completion, _ beginning: String, _ session: CommandSession
    ) async throws -> [Offer.Candidate] {
        let isID = beginning.hasPrefix("id:")
        return switch wanted {
        case .chat:
            try await contacts(isID, session) + groups(isID, session)
                + (isID ? [] : [candidate(Target.notes.word, "for yourself")])
        case .contact: try await contacts(isID, session)
        case .group: try await groups(isID, session)
        case .member: try await members(beginning, session)
        case .profile:
            try await session.profiles().compactMap { named($0.name, $0.objectID, $0.profile.fullName, isID) }
        case .request:
            try await RequestChoice.all(session).compactMap { named($0.target, $0.objectID, $0.profile.fullName, isID) }
                + RequestChoice.members(session).compactMap { named($0.target, $0.objectID, $0.profile.fullName, isID) }
        case .invitation:
            try await InvitationCommand.all(session).map { invitation in
                candidate("id:\(ObjectID.text(invitation.id))", invitation.requestedName.map { "for \($0)" } ?? "")
            }
        case .server:
            ServerReport.list(try await session.servers()).compactMap { report in
                named(
                    report.server.place, report.server.objectID,
                    report.operator?.tag.tradeName ?? "", isID)
            }
        case .message: try await messages(session)
        case .transfer: try await files(session)
        default: []
        }
    }

    private static func contacts(_ isID: Bool, _ session: CommandSession) async throws -> [Offer.Candidate] {
        try await session.contacts().compactMap { named($0.target, $0.objectID, $0.state.rawValue, isID) }
    }

    private static func groups(_ isID: Bool, _ session: CommandSession) async throws -> [Offer.Candidate] {
        try await session.groups().compactMap { named($0.target, $0.objectID, $0.state.rawValue, isID) }
    }

    private static func members(_ beginning: String, _ session: CommandSession) async throws -> [Offer.Candidate] {
        let isID = beginning.hasPrefix("id:")
        // Members of groups that are not meant are not read: there may be many.
        let groups = try await session.groups().filter { group in
            isID || group.target.hasPrefix(beginning) || beginning.hasPrefix("\(group.target)/")
        }
        var candidates: [Offer.Candidate] = []
        for group in groups {
            candidates += try await session.members(of: group).filter { !$0.status.isGone }.compactMap {
                named($0.target(in: group), $0.objectID, $0.role.word, isID)
            }
        }
        return candidates
    }

    /// Own messages: those of others need no waiting for.
    private static func messages(_ session: CommandSession) async throws -> [Offer.Candidate] {
        let command = ListItems(try await session.profileID(), .last(messageCount))
        return try await session.execute(command).items.reversed().filter { $0.item.direction == .sent }.map {
            located in
            candidate(ObjectID.text(located.item.id), "to \(located.chat.target), \(located.item.status.word)")
        }
    }

    /// The last files, sent and received.
    private static func files(_ session: CommandSession) async throws -> [Offer.Candidate] {
        try await session.execute(ListFiles(try await session.profileID())).files.suffix(messageCount).reversed().map {
            listed in
            candidate(ObjectID.text(listed.file.id), "\(listed.file.name), \(listed.file.reportWord)")
        }
    }

    // MARK: - Candidates

    /// Something by its name, or by its id where that is begun, or where the name cannot be typed.
    private static func named(_ name: String, _ id: String?, _ meaning: String, _ isID: Bool) -> Offer.Candidate? {
        // SECURITY: others choose their names, and a shell would print what is in them.
        let isPlain = UntrustedText(name).singleLine == name
        guard let id, isID || !isPlain else { return isPlain ? candidate(name, meaning) : nil }
        return candidate("id:\(id)", name)
    }

    private static func candidate(_ word: String, _ meaning: String) -> Offer.Candidate {
        Offer.Candidate(word, UntrustedText(meaning).singleLine)
    }
}
