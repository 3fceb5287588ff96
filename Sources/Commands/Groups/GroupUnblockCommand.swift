import ChatCore
import CommandKit
import TerminalKit

/// `tacit group unblock`
enum GroupUnblockCommand {
    static let forAll = Option<Bool>(flag: "for-all", "Unblock for all members of the group", isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "group unblock", "Show messages of blocked members again", promise: GroupDelivery.promise, store: .writing,
            positionals: [GroupCommand.members], options: [forAll] + GroupDelivery.options,
            examples: [
                Example("tacit group unblock +team/@bob", "Show new messages of bob again"),
                Example("tacit group unblock +team/@bob --for-all", "Unblock bob for all members"),
            ],
            exits: [64, 67, 68, 69, 75], reports: MemberReport.forms, topics: ["targets"]),
        purpose: GroupCommand.purpose(members: "unblock"),
        body: { try await GroupBlockCommand.change($0, isBlocked: false, forAll: $0.invocation[forAll]) })
}
