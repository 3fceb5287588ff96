import ChatCore
import ChatProtocol
import CommandKit
import TerminalKit

/// `tacit group report`
enum GroupReportMessageCommand {
    /// Why a message is reported, as it is typed.
    enum Cause: String, CaseIterable, Sendable {
        case spam, content, community, profile, other

        var value: ReportReason { ReportReason(rawValue: rawValue) }
    }

    static let message = Positional<ChatItemID>("ID", "Message id", ChatItemID.kind)
    static let text = Positional<String?>(optional: "TEXT", "Explanation for the moderators", .text())
    static let reason = Option<Cause>(
        "reason", "Reason: spam, inappropriate content, violation of the rules, inappropriate profile, or other",
        .choice(), default: .other, isCommon: true)

    static let leaf: Leaf = .init(
        Command(
            "group report", "Report a message to the moderators", promise: GroupDelivery.promise, store: .writing,
            positionals: [message, text], options: [reason] + GroupDelivery.options,
            examples: [Example("tacit group report m12 'an advert' --reason spam", "Report a message of a member")],
            exits: [64, 67, 68, 69, 75], reports: SendReport.forms,
            discussion: """
                Only moderators, admins and owners of the group receive the report. The group must allow reports ('tacit \
                group show').
                """),
        purpose: { "report the message \(UntrustedText(ObjectID.text($0[message])).quoted)" },
        body: { session in
            let invocation = session.invocation
            let located = try await session.item(invocation[message])
            guard let group = located.chat.group else { throw Reason.isNoGroup(located.chat.target) }
            let command = ReportMessage(
                .reference(.group(group.id)), located.item.id, invocation[reason].value, invocation[text] ?? "")
            let sent = try await session.execute(command).items
            let code = try await GroupDelivery.finish(group, session)
            for report in sent {
                let now = try await session.item(report.item.id)
                try invocation.print(done: SendReport(chat: now.chat, item: now.item))
            }
            return code
        })
}
