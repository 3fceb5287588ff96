import AgentProtocol
import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit connect`
enum ConnectCommand {
    static let link = Positional<String?>(
        optional: "LINK", "The link of somebody else; without it an invitation is made", .text("LINK"))
    static let name = Option<String?>(
        "as", "What to call the contact", .text("NAME"), defaultText: "what it calls itself", isCommon: true)
    static let full = Option<Bool>(
        flag: "full", "Print the long form of an invitation, which tells everything itself", isCommon: true)
    static let incognito = Option<Bool>(
        flag: "incognito", "Be known by a name that is made up for this contact alone", isCommon: true)
    static let dryRun = Option<Bool>(flag: "dry-run", "Say what the link is, and do nothing")

    static let leaf: Leaf = .init(
        Command(
            "connect", "Invite somebody, or join with a link",
            promise: "the invitation is stored and its queue made, or the request is with the relay", store: .writing,
            positionals: [link],
            options: [name, incognito, Handshake.wait, Handshake.timeout, full, LinkPicture.option, dryRun],
            examples: [
                Example("tacit connect | tee invite.txt", "Make an invitation for one person"),
                Example("tacit connect 'https://smp.example.com/i#...' --as bob", "Join with a link"),
                Example("tacit connect 'https://smp.example.com/i#...' --incognito", "Join without saying who one is"),
                Example("tacit connect --qr", "Have a phone read the link from the screen"),
                Example("tacit connect --wait connected --timeout 10m", "Wait until somebody has joined"),
            ],
            exits: [64, 65, 68, 69, 75, 78, 79],
            reports: InvitationReport.forms + ConnectionReport.forms + LinkReport.forms + EventPrinter.forms,
            discussion: """
                An invitation is for one person: give the link to nobody else, over a channel that you trust. Only the link is \
                on standard output. Both sides fetch until they are connected; nobody needs to be there at the same time.

                Links may be short or long, invitations or addresses. Who is asked at an address may take a while to accept.

                With --incognito the other side gets a profile with a random name and nothing else. It is told of no other, \
                also when the own one changes. A link that was used with the own profile cannot be used incognito any more.

                \(LinkPicture.discussion)
                """),
        purpose: { $0[link] == nil && $0[Handshake.wait] != .connected ? "make an invitation" : "connect" },
        run: { invocation in
            guard invocation[link] == nil || !invocation[LinkPicture.option] else {
                throw Failure.linkForCode
            }
            if invocation[dryRun] { return try DryRun.run(invocation) }
            return try StoreAccess(
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

    private static func invite(_ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        session.progress.start { "making a queue" }
        let deadline = ContinuousClock.now + invocation[Handshake.timeout]
        let invite = Invite(
            try await session.profileID(), name: invocation[name], isIncognito: invocation[incognito])
        let connection = try await session.execute(invite, before: deadline).connection
        session.progress.stop()
        let report = InvitationReport(connection: connection, isFull: invocation[full])
        try LinkPicture.show(report.link, invocation)
        try invocation.print(report)
        if let name = connection.incognito?.displayName {
            invocation.note(StyledText("who uses it knows you as ") + StyledText(name, .name))
        }
        invocation.note(StyledText("give this link to one person\(invocation.thenFetch)"))
        guard invocation[Handshake.wait] == .connected else { return .ok }
        return try await Handshake.finish(connection.id, .connected, deadline - .now, session)
    }

    static func join(_ text: String, _ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        let command = Connect(
            try await session.profileID(), link: text, name: invocation[name], isIncognito: invocation[incognito])
        let deadline = ContinuousClock.now + invocation[Handshake.timeout]
        let connection = try await session.execute(command, before: deadline).connection
        return try await Handshake.finish(
            connection.id, invocation[Handshake.wait], max(.zero, deadline - .now), session)
    }
}
