import ChatCore
import Navigation
import TerminalKit

/// What is known of a contact or another chat, and what can be set for it.
struct ContactView: ScreenView {
    let chat: ChatReference

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let chat = try await reader.chat(chat).chat
        if let group = chat.group { return GroupView(group: group).drawing(area) }
        var drawing = Drawing(lines: [area.rule(chat.name)])
        guard let contact = chat.contact else {
            if chat.isNotes { drawing.lines += area.text("Notes stay in this store. They are never sent.") }
            drawing.choices = [.init(name: "chat", screen: ChatScreen(chat.reference))]
            drawing.hint = "1 chat"
            return drawing
        }
        drawing.commands = [["contact", "show", "id:c\(contact.id.number)"]]
        drawing.choices = [
            .init(name: "chat", screen: ChatScreen(chat.reference)),
            .init(name: "code", screen: VerificationScreen(contact: contact.id.number)),
            .init(name: "connection", screen: ConnectionScreen(contact: contact.id.number)),
        ]
        drawing.hint = "1 chat, 2 security code, 3 connection; rename NAME, mute, block, verify, delete"
        return drawing
    }
}
