import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import Host
import Navigation
import TerminalKit

/// `tacit open`
enum OpenCommand {
    static let word = Positional<String>(
        "LINK|NAME|TARGET", "Link, name, contact, message id, or target of a notification",
        .text("LINK|NAME|TARGET", completing: .chat))

    static let here = Option<Bool>(
        flag: "here", "Print here even if a session is open", isCommon: true)
    static let dryRun = Option<Bool>(flag: "dry-run", "Describe the target without opening it")

    static let leaf: Leaf = .init(
        Command(
            "open", "Open a link or a chat",
            promise: """
                the target was printed, or the open session received it, or the relay has accepted the request to a new \
                contact
                """,
            store: .writing, positionals: [word],
            options: [here, dryRun, ConnectCommand.name, ConnectCommand.incognito, Handshake.wait, Handshake.timeout],
            examples: [
                Example("tacit open @alice", "Show the last messages of a conversation"),
                Example("tacit open id:m12", "Show one message"),
                Example("tacit open chat:c1", "Show the conversation of a notification"),
                Example("tacit open 'https://smp.example.com/i#...'", "Join, or show the contact if already connected"),
            ],
            exits: [64, 65, 67, 68, 69, 75, 78, 79],
            reports: MessageReport.forms + ConnectionReport.forms + ContactReport.forms + GroupReport.forms
                + LinkReport.forms
                + VisitReport.forms,
            topics: ["targets"],
            discussion: """
                A link of an existing contact opens the conversation; any other link is joined, as with connect. The target of \
                a hook or a notification works in every profile.

                If a session is open, it shows the target instead, with a notice above the prompt, and asks before it joins a \
                link. A locked session, or one in its first steps, shows the target later. --here prints in this terminal in \
                any case.
                """),
        purpose: { "open \(UntrustedText($0[word]).quoted)" },
        run: { invocation in
            let link = try link(invocation)
            if let link {
                return try StoreOpener(invocation, isWriting: true).run { try await open(link: link, $0) }
            }
            return try StoreOpener(invocation, isWriting: false).run { try await show($0) }
        })

    /// Returns the link that was typed; nil for anything else.
    ///
    /// - Throws: `ChatError.invalidLink` if the text begins like a link and is none, `Reason.migrationLink` or
    ///   `Reason.fileLink` for a link that another command opens.
    private static func link(_ invocation: Invocation) throws -> String? {
        // With the sign alone it is the name of a contact here.
        if !invocation[word].hasPrefix("@"), !SimplexName.named(by: invocation[word]).isEmpty {
            return invocation[word]
        }
        guard Destination.isMeantAsLink(invocation[word]) else { return nil }
        try ConnectCommand.check(invocation[word])
        // An answer of the API has the full link and the short one.
        let words = invocation[word].split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count <= 2, words.allSatisfy(Destination.isMeantAsLink),
            case .link(let link)? = words.last.flatMap({ Destination($0) }), (try? ConnectionLink(text: link)) != nil
        else { throw ChatError.invalidLink }
        return link
    }

    /// Has the session go to a place, if there is one. Returns whether that is so.
    private static func visit(
        _ place: String, of chat: Chat? = nil, _ session: CommandSession
    ) async throws -> Bool {
        let invocation = session.invocation
        guard !invocation[here], !invocation[dryRun], var report = try await session.visit(place) else { return false }
        report.chat = chat
        try invocation.print(done: report)
        return true
    }

    private static func open(link: String, _ session: CommandSession) async throws -> ExitCode {
        // A session shows links only.
        if SimplexName.named(by: link).isEmpty, try await visit(link, session) { return .ok }
        let invocation = session.invocation
        let plan = try await session.execute(PlanConnection(try await session.profileID(), link: link)).plan
        guard plan.kind != .address(.relay) else {
            throw ChatError.unsupportedLink
        }
        switch plan.state {
        case .known(let contact) where invocation[dryRun], .connectingProhibited(let contact) where invocation[dryRun]:
            try invocation.print(ContactReport(contact: contact))
        case .known(let contact), .connectingProhibited(let contact):
            invocation.note(StyledText("already connected: ") + StyledText(contact.target, .name))
            try await show(.direct(contact), session)
        case .own, .ownGroup: throw ChatError.ownLink
        case .noRelays: throw Reason.channelWithoutRelays
        case .updateRequired: throw ChatError.unsupportedLink
        case .knownGroup(let group), .connectingGroup(let group): try await show(.group(group), session)
        case .ok, .connecting:
            guard invocation[dryRun] else { return try await ConnectCommand.join(link, session) }
            try invocation.print(try DryRun.report(link))
        }
        return .ok
    }

    private static func show(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation, text = invocation[word]
        let destination = Destination(text)
        if case .chat(let number)? = destination {
            let chat = try await chat(number, session)
            if try await !visit("chat:\(chat.objectID)", of: chat, session) { try await show(chat, session) }
        } else if case .group(let number)? = destination {
            let chat = try await session.execute(ReadChat(.reference(.group(GroupID(number))), .last(0))).chat
            if try await !visit("chat:\(chat.objectID)", of: chat, session) { try await show(chat, session) }
        } else if case .contact(let number)? = destination {
            let chat = try await chat(number, session)
            if try await visit("contact:\(chat.objectID)", of: chat, session) { return .ok }
            try invocation.print(ContactReport(chat: chat))
        } else if let id = ObjectID.item(from: text.hasPrefix("id:") ? text.dropFirst(3) : text[...]) {
            let located = try await session.item(id)
            if try await visit("id:\(ObjectID.text(id))", of: located.chat, session) { return .ok }
            try invocation.print(list: [MessageReport(located)])
        } else if let target = Target(text) {
            let chat = try await session.chat(target)
            if try await !visit("chat:\(chat.objectID)", of: chat, session) { try await show(chat, session) }
        } else {
            throw Reason.unknownTarget
        }
        return .ok
    }

    /// The contact or the notes with a number, of any profile.
    private static func chat(_ number: Int64, _ session: CommandSession) async throws -> Chat {
        let contact = ContactID(number), notes = NoteFolderID(number)
        do {
            return try await session.execute(ReadChat(.reference(.direct(contact)), .last(0))).chat
        } catch ChatError.contactNotFound(contact) {
            do {
                return try await session.execute(ReadChat(.reference(.notes(notes)), .last(0))).chat
            } catch ChatError.notesNotFound {
                throw ChatError.contactNotFound(contact)
            }
        }
    }

    private static func show(_ chat: Chat, _ session: CommandSession) async throws {
        guard !session.invocation[dryRun] else {
            if let group = chat.group { return try session.invocation.print(GroupReport(group: group)) }
            return try session.invocation.print(ContactReport(chat: chat))
        }
        var query = ItemQuery()
        query.chat = chat.reference
        query.count = 20
        let items = try await session.execute(FindItems(chat.profileID, query)).items
        try session.invocation.print(list: items.map { MessageReport($0) })
    }
}

extension CommandSession {
    /// Has the session that is open, in this process or another one, go to a place. Nil if there is none.
    fileprivate func visit(_ place: String) async throws -> VisitReport? {
        if invocation.host != nil, host.remote == nil { return host.visits.visit(place).map(VisitReport.init) }
        if let remote = host.remote { return VisitReport(try await remote.core.control(.visit(place))) }
        guard let process = HoldingProcess(of: host.folder) else { return nil }
        let deadline = ContinuousClock.now + invocation[GlobalOptions.lockTimeout]
        guard let remote = try await process.connect(host.loop, until: deadline, for: invocation) else { return nil }
        let report = VisitReport(try await remote.core.control(.visit(place)))
        await remote.core.close()
        return report
    }
}
