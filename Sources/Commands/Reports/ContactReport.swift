import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// A contact in a list.
struct ContactReport: Report {
    let contact: Contact

    static let forms = [
        ReportForm(
            "contact", "A contact",
            [
                .always("id", .id, "The contact"), .always("name", .text, "What it is called here"),
                .always("state", .word(Contact.states), "Whether one can talk"),
                .always("display_name", .text, "What it calls itself"),
                .sometimes("full_name", .text, "A longer name that it gives itself"),
                .always("post_quantum", .flag, "Whether post-quantum keys protect both directions"),
                .sometimes("moves", .texts, "Which queues are being moved: own-queue, contact-queue"),
                .always("unread", .count, "How many messages are not marked as read"),
                .always("created_at", .time, "Since when it is a contact"),
                .sometimes("active_at", .time, "When the last message came or went"),
            ])
    ]
    static let fields = ["id", "name", "state", "full_name"]
    static let columns = [
        Table.Column("ID"), Table.Column("NAME", isFlexible: true), Table.Column("STATE"), Table.Column("KEYS"),
        Table.Column("CALLS ITSELF", isFlexible: true),
    ]

    var json: JSONObject {
        var json = JSONObject(type: "contact")
        json.set("id", contact.objectID)
        json.set("name", contact.name)
        json.set("state", contact.state)
        json.set("display_name", contact.profile.displayName)
        if !contact.profile.fullName.isEmpty { json.set("full_name", contact.profile.fullName) }
        json.set("post_quantum", contact.isQuantumResistant)
        if !contact.moves.isEmpty { json.set("moves", contact.moves) }
        json.set("unread", contact.unreadCount)
        json.set("created_at", contact.createdAt.description)
        json.set("active_at", contact.activeAt?.description)
        return json
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        let names = [contact.profile.displayName, contact.profile.fullName].filter { !$0.isEmpty }
        return [
            StyledText(contact.objectID, .muted), StyledText(contact.target, .name),
            // Nobody says when a contact gives up to move its own queue, and there is nothing to do about it here.
            StyledText(contact.connection?.movesOwnQueue == true ? "\(contact.state), moving" : contact.state),
            contact.isQuantumResistant ? StyledText("post-quantum") : StyledText("ordinary", .muted),
            StyledText(names.joined(separator: ", ")),
        ]
    }
}

extension Contact {
    /// Whether post-quantum keys protect both directions.
    var isQuantumResistant: Bool { connection?.quantumResistance.isOn ?? false }

    /// Every word for whether one can talk.
    static let states = ["connected", "connecting", "deleted-by-contact", "failed"]

    /// Which queues are being moved to other relays, in words for programs.
    var moves: [String] {
        [
            connection?.movesOwnQueue == true ? "own-queue" : nil,
            connection?.movesContactQueue == true ? "contact-queue" : nil,
        ].compactMap(\.self)
    }

    /// Whether one can talk, in a word for programs.
    var state: String {
        if status == .deleted { return "deleted-by-contact" }
        switch connection?.status {
        case .failed: return "failed"
        case .ready: return "connected"
        default: return isReady ? "connected" : "connecting"
        }
    }
}
