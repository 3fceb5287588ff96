import ChatCore
import Navigation
import TerminalKit

/// The security code of a contact, to be compared.
struct VerificationView: ScreenView {
    let contact: Int64

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let contact = try await reader.contact(contact)
        var drawing = Drawing(lines: [area.rule("\(contact.name): security code")])
        drawing.commands = [["contact", "verify", "id:c\(contact.id.number)"]]
        drawing.hint = "verify CODE compares it with the code that the contact sees"
        return drawing
    }
}
