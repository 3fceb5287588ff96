import ChatCore
import Navigation
import TerminalKit

/// The address of a profile.
struct AddressView: ScreenView {
    let profile: Int64

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        var drawing = Drawing(lines: [area.rule("address")])
        guard try await reader.hasAddress(profile) else {
            drawing.lines += area.text(EmptyList.address)
            drawing.hint = "address create creates one"
            return drawing
        }
        drawing.commands = [["address", "show"]]
        drawing.hint = "address rotate, address auto-accept on|off, address delete"
        return drawing
    }
}
