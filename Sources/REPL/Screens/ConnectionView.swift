import ChatCore
import Navigation
import TerminalKit

/// The connection with a contact: what is wrong with it, and what can be done.
struct ConnectionView: ScreenView {
    let contact: Int64

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let contact = try await reader.contact(contact)
        var drawing = Drawing(lines: [area.rule("\(contact.name): connection")])
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func add(_ name: String, _ value: String) { table.add([StyledText(name, .muted), StyledText(value)]) }
        if let connection = contact.connection {
            add("state", connection.status.rawValue)
            add("quantum-resistant", connection.quantumResistance.isOn ? "yes" : "not yet")
            if connection.isDisabled { add("trouble", "the contact's queue is gone: nothing is sent") }
            if connection.isRefused { add("trouble", "your queue is gone: nothing is received") }
            if connection.movesOwnQueue { add("your queue", "rotation to another relay under way") }
            if connection.movesContactQueue { add("their queue", "rotation to another relay under way") }
        } else {
            add("state", "none")
        }
        drawing.lines += table.lines(width: area.width - 1, withTitles: false)
        drawing.hint = "rotate moves your queue to another relay; resync renegotiates the encryption"
        return drawing
    }
}
