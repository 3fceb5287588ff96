import ChatCore
import Navigation
import TerminalKit

/// The address of a profile.
struct AddressView: ScreenView {
    let profile: Int64

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        var drawing = Drawing(lines: [area.rule("address")])
        drawing.commands = [["address", "show"]]
        drawing.hint = "address create, address rotate, address auto-accept on|off, address delete"
        return drawing
    }
}
