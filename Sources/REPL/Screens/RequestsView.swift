import ChatCore
import ChatProtocol
import Navigation
import TerminalKit

/// Those who want to be contacts.
struct RequestsView: ScreenView {
    let profile: Int64

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        var drawing = Drawing(lines: [area.rule("requests")])
        let requests = try await reader.requests(of: profile)
        for (number, request) in zip(1..., requests) {
            drawing.lines.append(
                (StyledText("\(number)  ", .muted) + StyledText("@\(request.name)", .name) + "  "
                    + StyledText(request.profile.fullName, .muted)).truncated(toWidth: area.width - 1))
            drawing.choices.append(.init(name: request.name, request: request.name))
            guard let message = request.message else { continue }
            drawing.lines += UntrustedText(message.content.text).body(width: area.width - 1)
        }
        if requests.isEmpty { drawing.lines += area.text(EmptyList.requests, .muted) }
        if !requests.isEmpty { drawing.hint = "a number or a name, or accept NAME, reject NAME" }
        return drawing
    }
}
