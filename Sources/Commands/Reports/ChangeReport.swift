import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// What was done with a message that was there.
struct ChangeReport: Report {
    enum Action: String, CaseIterable, Sendable {
        case edited, unchanged, deleted, reacted, unreacted, dropped
    }

    let action: Action
    let located: LocatedItem
    /// Whether the contact's relay has been told; nil if the contact is not told of it.
    var isSent: Bool?
    var reaction: Reaction?

    static let forms = [
        ReportForm(
            "change", "A change of an existing message", plain: ["id", "chat", "change", "state"],
            [
                .always("id", .id, "Id of the message"),
                .always("chat", .text, "Contact or group, in the form that commands accept"),
                .always("chat_id", .id, "Id of the contact or group"),
                .always("change", .word(Action.allCases.map(\.rawValue)), "Kind of change"),
                .sometimes("reaction", .text, "Emoji of the reaction"),
                .sometimes(
                    "state", .word(["sent", "queued"]),
                    "Delivery: sent if the relay has accepted the change, else queued"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "change")
        json.set("id", ObjectID.text(located.item.id))
        json.set("chat", located.chat.target)
        json.set("chat_id", located.chat.objectID)
        json.set("change", action.rawValue)
        json.set("reaction", reaction?.text)
        json.set("state", isSent.map { $0 ? "sent" : "queued" })
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var line = StyledText("\(action.rawValue) ") + StyledText(ObjectID.text(located.item.id), .muted) + " "
        if let reaction { line += StyledText("\(reaction.text) ") }
        line += StyledText(located.chat.target, .name)
        if isSent == false { line += StyledText(" (queued)", .warning) }
        return [line]
    }
}
