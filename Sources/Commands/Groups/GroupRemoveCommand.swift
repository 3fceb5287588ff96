import ChatCore
import CommandKit
import TerminalKit

/// `tacit group remove`
enum GroupRemoveCommand {
    static let messages = Option<Bool>(flag: "messages", "Delete the messages of the members too", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "group remove", "Remove members from a group", promise: GroupDelivery.promise, store: .writing,
            positionals: [GroupCommand.members], options: [messages, Consent.yes] + GroupDelivery.options,
            examples: [
                Example("tacit group remove +team/@bob --yes", "Remove bob and keep the messages"),
                Example("tacit group remove +team/@bob --messages --yes", "Remove bob and all messages of bob"),
            ],
            exits: [64, 67, 68, 69, 75], reports: MemberReport.forms, topics: ["targets"],
            discussion: """
                You need the role admin, and at least the role of the member. All members are told. Prompts for confirmation \
                unless --yes is given.
                """),
        purpose: GroupCommand.purpose(members: "remove"),
        run: { invocation in
            let words = invocation[GroupCommand.members].map(\.word)
            let names = words.map { UntrustedText($0).quoted }.joined(separator: ", ")
            let loss = invocation[messages] ? " and all their messages" : ""
            try Consent.require(
                StyledText("Remove \(names)\(loss)?"),
                "tacit group remove \(words.map { ShellWord.quoted($0) }.joined(separator: " ")) --yes", invocation)
            return try StoreOpener(invocation, isWriting: true).run { session in
                let (group, members) = try await session.members(
                    invocation[GroupCommand.members], present: true)
                let removed = try await session.remove(members, of: group, withMessages: invocation[messages])
                try GroupCommand.report(group, removed, "removed", invocation)
                return try await GroupDelivery.finish(group, session)
            }
        })
}
