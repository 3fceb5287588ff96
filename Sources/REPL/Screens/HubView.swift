import AgentProtocol
import ChatCore
import ChatProtocol
import Navigation
import TerminalKit

/// The profiles.
struct HubView: ScreenView {
    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        var drawing = Drawing(lines: [area.rule("profiles")])
        let profiles = try await reader.profiles()
        var table = ListTable(count: profiles.count)
        for profile in profiles {
            let mark = profile.isActive ? StyledText(" (active)", .muted) : ""
            table.add(
                StyledText(profile.name, .name) + mark, unread: profile.unreadCount,
                StyledText(profile.profile.fullName, .muted))
            drawing.choices.append(
                .init(name: profile.name, screen: HomeScreen(profile: profile.id.number, kind: .chats)))
        }
        drawing.lines += table.lines(area)
        drawing.hint = "a number or a name opens a profile; settings, help"
        return drawing
    }
}
