import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit connect`
enum ConnectCommand {
    static let link = Positional<String?>(
        optional: "LINK|NAME", "Link or name to join; without it, an invitation is created", .text("LINK|NAME"))
    static let name = Option<String?>(
        "as", "Local name of the contact", .text("NAME"), defaultText: "the name in its profile", isCommon: true)
    static let full = Option<Bool>(
        flag: "full", "Print the long form of the link", isCommon: true)
    static let incognito = Option<Bool>(
        flag: "incognito", "Use a random name for this contact instead of the profile", isCommon: true)
    static let dryRun = Option<Bool>(flag: "dry-run", "Describe the link without using it")

    static let leaf: Leaf = .init(
        Command(
            "connect", "Create a one-time invitation, or join with a link",
            promise: "the invitation is stored and its queue exists, or the relay has accepted the request",
            store: .writing,
            positionals: [link],
            options: [name, incognito, Handshake.wait, Handshake.timeout, full, LinkPicture.option, dryRun],
            examples: [
                Example("tacit connect | tee invite.txt", "Create an invitation and keep its link"),
                Example("tacit connect 'https://smp.example.com/i#...' --as bob", "Join with a link"),
                Example("tacit connect 'https://smp.example.com/i#...' --incognito", "Join with a random name"),
                Example("tacit connect @alice.simplex", "Join the address that a registered name leads to"),
                Example("tacit connect --qr", "Show the link as a QR code"),
                Example(
                    "tacit connect --wait connected --timeout 10m", "Create an invitation and wait until it is used"),
            ],
            exits: [64, 65, 68, 69, 75, 78, 79],
            reports: InvitationReport.forms + ConnectionReport.forms + LinkReport.forms + GroupReport.forms
                + EventPrinter.forms,
            discussion: """
                An invitation works once: give its link to one person, over a channel that you trust. Only the link is on \
                standard output. Both sides run fetch until they are connected; they need not be online at the same time.

                A link can be short or long, an invitation or an address. The owner of an address may take a while to accept a \
                request. The link of a group that you are in prints that group. With the link of a channel you subscribe to it.

                A registered name stands for a link: @alice.simplex for a contact, #news or #news.example.org for a channel, \
                alice.simplex for a channel or else a contact. A relay of yours resolves it, and learns that you asked. The \
                profile behind the link must claim the name; otherwise nothing is joined.

                With --incognito the contact sees a random name instead of the profile, and no later changes of the profile. A \
                link that was used with the profile cannot be used incognito later.

                \(LinkPicture.discussion)
                """),
        purpose: { $0[link] == nil && $0[Handshake.wait] != .connected ? "create an invitation" : "connect" },
        run: { invocation in
            if let text = invocation[link] { try check(text) }
            guard invocation[link] == nil || !invocation[LinkPicture.option] else {
                throw Failure.linkForCode
            }
            if invocation[dryRun] { return try DryRun.run(invocation) }
            return try StoreOpener(
                invocation, isWriting: true,
                onEvent: { event in
                    if invocation[Handshake.wait] == .connected, !invocation.isQuiet {
                        EventPrinter.print(event, invocation)
                    }
                }
            ).run { session in
                if let text = invocation[link] { try await join(text, session) } else { try await invite(session) }
            }
        })

    /// Checks that a text is no link to a file, a store, a chat relay or a web page.
    ///
    /// - Throws: `Reason.migrationLink` or `Reason.fileLink`, which name the command that opens it; a reason that says what
    ///   the other ones are.
    static func check(_ text: String) throws {
        if let link = MigrationLink(text: text.filter { !$0.isWhitespace }) {
            throw link.isOfMigration ? Reason.migrationLink : Reason.fileLink
        }
        if WebPage.isMeant(by: text) { throw Reason.webPage(text) }
        guard case .address(let kind)? = (try? ConnectionLink(text: text))?.kind else { return }
        switch kind {
        case .relay: throw Reason.channelRelayLink
        case .contact, .group, .channel: break
        }
    }

    private static func invite(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        session.progress.start { "creating a queue" }
        let deadline = ContinuousClock.now + invocation[Handshake.timeout]
        let invite = Invite(
            try await session.profileID(), name: invocation[name], isIncognito: invocation[incognito])
        let connection = try await session.execute(invite, before: deadline).connection
        session.progress.stop()
        let report = InvitationReport(connection: connection, isFull: invocation[full])
        try LinkPicture.show(report.link, invocation)
        try invocation.print(report)
        if let name = connection.incognito?.displayName {
            invocation.note(StyledText("the contact will see the name ") + StyledText(name, .name))
        }
        invocation.note(StyledText("give this link to one person\(invocation.thenFetch)"))
        guard invocation[Handshake.wait] == .connected else { return .ok }
        return try await Handshake.finish(connection.id, .connected, deadline - .now, session)
    }

    static func join(_ text: String, _ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        // The relays of a channel are behind its link, which is read first; so is what a name leads to.
        let isChannel = (try? ConnectionLink(text: text))?.kind == .address(.channel)
        let isName = !SimplexName.named(by: text).isEmpty, plansFirst = isChannel || isName
        let command = Connect(
            try await session.profileID(), link: text, name: invocation[name], isIncognito: invocation[incognito],
            plansFirst: plansFirst, isQueued: !plansFirst)
        let deadline = ContinuousClock.now + invocation[Handshake.timeout]
        if isName { session.progress.start { "resolving the name" } }
        if isChannel { session.progress.start { "asking the chat relays of the channel" } }
        let started = try await session.execute(command, before: deadline)
        session.progress.stop()
        switch started.outcome {
        case .joining(let change): return try await join(change.group, deadline, session)
        case .planned(let plan):
            if let connection = plan.state.connection {
                return try await Handshake.finish(connection.id, invocation[Handshake.wait], .zero, session)
            }
            switch plan.state {
            case .own, .ownGroup: throw ChatError.ownLink
            case .known(let contact), .connectingProhibited(let contact):
                try invocation.print(ContactReport(contact: contact))
            case .knownGroup(let group), .connectingGroup(let group):
                try invocation.print(done: GroupReport(group: group, action: "already in"))
            case .updateRequired: throw ChatError.unsupportedLink
            case .noRelays, .ok, .connecting: throw Reason.channelWithoutRelays
            }
            return .ok
        case .confirmed, .requested, .known, .begun: break
        }
        guard let connection = started.connection else { throw ChatError.internal }
        return try await Handshake.finish(
            connection.id, invocation[Handshake.wait], max(.zero, deadline - .now), session)
    }

    /// Receives until a chat relay has let the user in, if that is wanted.
    private static func join(
        _ group: Group, _ deadline: ContinuousClock.Instant, _ session: CommandSession
    ) async throws -> ExitCode {
        let invocation = session.invocation
        var joined = group
        if invocation[Handshake.wait] == .connected {
            session.progress.start { "waiting for a chat relay" }
            while joined.state == .connecting, ContinuousClock.now < deadline {
                _ = try await session.execute(
                    FetchMessages(timeout: max(.zero, deadline - .now), idle: .milliseconds(200)))
                joined = try await session.group(.groupID(group.id))
            }
            session.progress.stop()
        }
        try invocation.print(
            done: GroupReport(group: joined, action: joined.state == .connected ? "joined" : "joining"))
        if invocation[Handshake.wait] == .connected, joined.state == .connecting {
            throw Reason.relayUnanswered(joined.target)
        }
        return .ok
    }
}
