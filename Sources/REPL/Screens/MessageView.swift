import Navigation
import TerminalKit

/// What is known of one message.
struct MessageView: ScreenView {
    let screen: MessageScreen

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        var drawing = Drawing(lines: [area.rule("message \(screen.message)")])
        drawing.commands = [["message", "show", "m\(screen.message)"]]
        drawing.choices = [.init(name: "chat", screen: ChatScreen(contact: screen.contact))]
        return drawing
    }
}
