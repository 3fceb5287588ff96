import ChatCore
import CommandKit
import TerminalKit

/// `tacit group moderate`
enum GroupModerateCommand {
    static let messages = Positional<[MessageName]>(
        repeated: "ID", "Message ids; last is the newest received message", MessageName.kind)

    static let leaf: Leaf = .init(
        Command(
            "group moderate", "Delete messages of members for all", promise: GroupDelivery.promise, store: .writing,
            positionals: [messages], options: [Consent.yes, MessageName.chat] + GroupDelivery.options,
            examples: [
                Example("tacit group moderate m12 --yes", "Delete a message for all members of its group"),
                Example("tacit group moderate last --in +team --yes", "Delete the newest message of a member"),
            ],
            exits: [64, 67, 68, 69, 75], reports: ChangeReport.forms,
            discussion: """
                You need the role moderator, and at least the role of the author. Your own messages are deleted with \
                'tacit message delete --everywhere'. Prompts for confirmation unless --yes is given.
                """),
        purpose: { _ in "delete messages for all members" },
        run: { invocation in
            let names = invocation[messages], chat = invocation[MessageName.chat]?.word
            let meant = names.map { $0 == .last ? "the newest message of a member" : $0.word }
            let place = chat.map { " in \(UntrustedText($0).quoted)" } ?? ""
            let words = names.map(\.word) + (chat.map { ["--in", ShellWord.quoted($0)] } ?? [])
            try Consent.require(
                StyledText("Delete \(meant.joined(separator: ", "))\(place) for all members?"),
                "tacit group moderate \(words.joined(separator: " ")) --yes", invocation)
            return try StoreOpener(invocation, isWriting: true).run { try await moderate($0) }
        })

    private static func moderate(_ session: CommandSession) async throws -> ExitCode {
        let invocation = session.invocation
        let items = try await session.messages(invocation[messages], .received)
        var groups: [Group] = []
        for located in items {
            guard let group = located.chat.group else { throw Reason.isNoGroup(located.chat.target) }
            guard located.item.direction == .received else { throw Reason.moderatesOwn(located.item.id) }
            if !groups.contains(where: { $0.id == group.id }) { groups.append(group) }
        }
        var codes: [ExitCode] = []
        for group in groups {
            let ids = items.filter { $0.chat.group?.id == group.id }.map(\.item.id)
            let deleted = try await session.moderate(ids, in: group)
            try invocation.print(done: deleted.map { ChangeReport(action: .deleted, located: $0.before) })
            codes.append(try await GroupDelivery.finish(group, session))
        }
        return .worst(of: codes)
    }
}
