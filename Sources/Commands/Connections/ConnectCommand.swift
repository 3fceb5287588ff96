import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit connect`
enum ConnectCommand {
    static let link = Positional<String?>(
        optional: "LINK", "Link to join; without it, an invitation is created", .text("LINK"))
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
                request. The link of a group that you are in prints that group.

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

    /// Checks that a text is no link to a file, a store or a channel, and no name of the SimpleX network.
    ///
    /// - Throws: `Reason.migrationLink` or `Reason.fileLink`, which name the command that opens it; a reason that says what
    ///   the other ones are.
    static func check(_ text: String) throws {
        if let link = MigrationLink(text: text.filter { !$0.isWhitespace }) {
            throw link.isOfMigration ? Reason.migrationLink : Reason.fileLink
        }
        if WebPage.isMeant(by: text) { throw Reason.webPage(text) }
        if let name = NetworkName(text) { throw Reason.networkName(name) }
        guard case .address(let kind)? = (try? ConnectionLink(text: text))?.kind else { return }
        switch kind {
        case .channel: throw Reason.channelLink
        case .relay: throw Reason.channelRelayLink
        case .contact, .group: break
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
        let command = Connect(
            try await session.profileID(), link: text, name: invocation[name], isIncognito: invocation[incognito],
            isQueued: true)
        let deadline = ContinuousClock.now + invocation[Handshake.timeout]
        let started = try await session.execute(command, before: deadline)
        if case .planned(let plan) = started.outcome, let group = plan.state.group {
            try invocation.print(done: GroupReport(group: group, action: "already in"))
            return .ok
        }
        guard let connection = started.connection else { throw ChatError.internal }
        return try await Handshake.finish(
            connection.id, invocation[Handshake.wait], max(.zero, deadline - .now), session)
    }
}
