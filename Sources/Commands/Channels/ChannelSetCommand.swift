import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit channel set`
enum ChannelSetCommand {
    static let domain = Option<String?>(
        "domain", "Registered name that leads to the channel; empty for none", .text("NAME"), isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "channel set", "Change the registered name of a channel", promise: GroupDelivery.promise, store: .writing,
            positionals: [ChannelCommand.target], options: [domain] + GroupDelivery.options,
            examples: [
                Example("tacit channel set +news --domain news.simplex", "Let others find the channel by its name")
            ],
            exits: [64, 65, 67, 68, 69, 75], reports: GroupReport.forms, topics: ["targets"],
            discussion: """
                --domain takes a registered name once it leads to the link of the channel. A relay resolves it to check that. \
                Subscribers see the name, and others subscribe with it: tacit connect #NAME. The profile and the permissions \
                are changed by 'tacit group set'.
                """),
        purpose: { "change the channel \(UntrustedText($0[ChannelCommand.target].word).quoted)" },
        run: { invocation in
            guard let text = invocation[domain] else { throw Failure.noChannelSetting }
            return try StoreOpener(invocation, isWriting: true).run { try await set(text, $0) }
        })

    private static func set(_ text: String, _ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let group = try await session.group(invocation[ChannelCommand.target])
        guard let publicGroup = group.profile.publicGroup else { throw Reason(ChatError.channel(.noChannel)) }
        var access = publicGroup.access ?? PublicGroupAccess()
        access.domainClaim = try SimplexName.fullDomain(.publicGroup, text).map { DomainClaim($0).json }
        session.progress.start { "resolving the name" }
        let changed = try await session.execute(SetChannelAccess(.id(group.id), access)).group
        session.progress.stop()
        try invocation.print(done: GroupReport(group: changed, action: "changed"))
        return try await GroupDelivery.finish(changed, session)
    }
}

extension SimplexName {
    /// The full domain of a name that was typed, with its sign or without; nil for an empty text.
    static func fullDomain(_ kind: Kind, _ text: String) throws -> String? {
        guard !text.isEmpty else { return nil }
        let name = SimplexName.named(by: text).first { $0.kind == kind } ?? SimplexName(kind, domain: text)
        guard let name else { throw Reason.invalidDomain(text) }
        return name.fullDomain
    }
}
