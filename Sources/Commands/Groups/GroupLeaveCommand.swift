import ChatCore
import CommandKit
import TerminalKit

/// `tacit group leave`
enum GroupLeaveCommand {
    static let leaf: Leaf = .init(
        Command(
            "group leave", "Leave a group and keep its messages", promise: GroupDelivery.promise, store: .writing,
            positionals: [GroupCommand.target], options: [Consent.yes] + GroupDelivery.options,
            examples: [Example("tacit group leave +team --yes", "Leave a group; all members are told")],
            exits: [64, 67, 68, 69, 75], reports: GroupReport.forms, topics: ["targets"],
            discussion: """
                The messages stay readable until 'tacit group delete'. Your link to the group is deleted. Prompts for \
                confirmation unless --yes is given.
                """),
        purpose: GroupCommand.purpose("leave"),
        run: { invocation in
            let word = invocation[GroupCommand.target].word
            try Consent.require(
                StyledText("Leave \(UntrustedText(word).quoted)?"),
                "tacit group leave \(ShellWord.quoted(word)) --yes", invocation)
            return try StoreOpener(invocation, isWriting: true).run { session in
                let group = try await session.group(invocation[GroupCommand.target])
                let left = try await session.leave(group)
                try invocation.print(done: GroupReport(group: left, action: "left"))
                return try await GroupDelivery.finish(left, session)
            }
        })
}
