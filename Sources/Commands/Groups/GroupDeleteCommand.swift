import ChatCore
import CommandKit
import TerminalKit

/// `tacit group delete`
enum GroupDeleteCommand {
    static let leaf: Leaf = .init(
        Command(
            "group delete", "Delete a group and its messages", promise: GroupDelivery.promise,
            store: .writing, positionals: [GroupCommand.target], options: [Consent.yes] + GroupDelivery.options,
            examples: [Example("tacit group delete +team --yes", "Delete a group that you own or have left")],
            exits: [64, 67, 68, 69, 75], reports: GroupReport.forms, topics: ["targets"],
            discussion: """
                The owner of a group deletes it for all members, who keep their messages. Other members must leave first. \
                Prompts for confirmation unless --yes is given.
                """),
        purpose: GroupCommand.purpose("delete"),
        run: { invocation in
            let word = invocation[GroupCommand.target].word
            try Consent.require(
                StyledText("Delete \(UntrustedText(word).quoted) and all messages?"),
                "tacit group delete \(ShellWord.quoted(word)) --yes", invocation)
            return try StoreOpener(invocation, isWriting: true).run { session in
                let group = try await session.group(invocation[GroupCommand.target])
                session.progress.start { "deleting \(group.target)" }
                try await session.delete(group)
                session.progress.stop()
                try invocation.print(done: GroupReport(group: group, action: "deleted"))
                // Members are told by its owner only.
                return group.state == .connected ? try await GroupDelivery.finish(group, session) : .ok
            }
        })
}
