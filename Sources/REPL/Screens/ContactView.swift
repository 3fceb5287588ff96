import ChatCore
import Navigation
import TerminalKit

/// What is known of a contact, and what can be set for it.
struct ContactView: ScreenView {
    let contact: Int64

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let contact = try await reader.chat(contact).contact
        var drawing = Drawing(lines: [area.rule(contact.name)])
        guard !contact.isNotes else {
            drawing.lines += area.text("Notes stay in this store. They are sent to no one.")
            drawing.choices = [.init(name: "chat", screen: ChatScreen(contact: self.contact))]
            drawing.hint = "1 chat"
            return drawing
        }
        drawing.commands = [["contact", "show", "id:c\(contact.id.number)"]]
        drawing.choices = [
            .init(name: "chat", screen: ChatScreen(contact: self.contact)),
            .init(name: "code", screen: VerificationScreen(contact: self.contact)),
            .init(name: "connection", screen: ConnectionScreen(contact: self.contact)),
        ]
        drawing.hint = "1 chat, 2 security code, 3 connection; rename NAME, mute, block, verify, delete"
        return drawing
    }
}
