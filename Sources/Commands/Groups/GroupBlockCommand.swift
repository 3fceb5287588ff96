import ChatCore
import CommandKit
import TerminalKit

/// `tacit group block`
enum GroupBlockCommand {
    static let forAll = Option<Bool>(flag: "for-all", "Block for all members of the group", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "group block", "Hide messages of members", promise: GroupDelivery.promise, store: .writing,
            positionals: [GroupCommand.members], options: [forAll] + GroupDelivery.options,
            examples: [
                Example("tacit group block +team/@bob", "Hide messages of bob here; bob is not told"),
                Example("tacit group block +team/@bob --for-all", "Hide messages of bob for all members"),
            ],
            exits: [64, 67, 68, 69, 75], reports: MemberReport.forms, topics: ["targets"],
            discussion: """
                Later messages of a blocked member are stored and marked; their text is hidden in text output. With --for-all \
                you need the role moderator.
                """),
        purpose: GroupCommand.purpose(members: "block"),
        body: { try await change($0, isBlocked: true, forAll: $0.invocation[forAll]) })

    /// Blocks members, or ends that.
    static func change(_ session: CommandSession, isBlocked: Bool, forAll: Bool) async throws -> ExitCode {
        let invocation = session.invocation
        let (group, members) = try await session.members(
            invocation[GroupCommand.members], present: forAll)
        let action = isBlocked ? "blocked" : "unblocked"
        guard forAll else {
            for member in members {
                try GroupCommand.report(
                    group, [try await session.show(member, in: group, !isBlocked)], action, invocation)
            }
            return .ok
        }
        let changed = try await session.block(members, of: group, isBlocked)
        try GroupCommand.report(group, changed, "\(action) for all:", invocation)
        return try await GroupDelivery.finish(group, session)
    }
}
