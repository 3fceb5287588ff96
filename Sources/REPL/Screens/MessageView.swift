import AgentProtocol
import ByteCoding
import ChatCore
import Commands
import Navigation
import SystemIO
import TerminalKit

/// What is known of one message.
struct MessageView: ScreenView {
    let screen: MessageScreen

    func drawing(_ reader: StoreReader, _ area: DrawingArea) async throws -> Drawing {
        let located = try await reader.item(screen.message)
        var drawing = Drawing(lines: [area.rule("message \(screen.message)")])
        var messages = MessageLines(area)
        drawing.lines += messages.lines(located.item, from: located.chat.name)
        drawing.lines.append("")
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        let known = try await facts(located) + deliveries(located, reader)
        for (name, value) in known { table.add([StyledText(name, .muted), StyledText(value)]) }
        drawing.lines += table.lines(width: area.width - 1, withTitles: false)
        drawing.choices = [.init(name: "chat", screen: ChatScreen(screen.chat))]
        drawing.hint = "1 chat; for programs: message show m\(screen.message) --json"
        return drawing
    }

    /// The members of a group at which an own message has each state.
    private func deliveries(_ located: LocatedItem, _ reader: StoreReader) async throws -> [(String, String)] {
        guard let group = located.chat.group, located.item.direction == .sent else { return [] }
        let info = try await reader.execute(ShowItemInfo(.reference(.group(group.id)), located.item.id))
        let members = try await reader.members(of: group.id)
        return MemberDelivery.words.compactMap { word in
            let names = info.deliveries.filter { $0.state.word == word }.compactMap { delivery in
                members.first { $0.id == delivery.member }?.name
            }
            return names.isEmpty ? nil : (word, names.joined(separator: ", "))
        }
    }

    private func facts(_ located: LocatedItem) -> [(String, String)] {
        let item = located.item
        func time(_ milliseconds: Int64) -> String { LocalTime.text(milliseconds: milliseconds, utc: false) ?? "" }
        var facts = [("id", "m\(item.id.number)"), ("time", time(item.time.milliseconds))]
        facts.append(("state", item.status.words))
        if let edited = item.editedAt { facts.append(("edited", time(edited.milliseconds))) }
        if let deleted = item.deletedAt { facts.append(("deleted", time(deleted.milliseconds))) }
        return facts
    }
}

extension ChatItem.Status {
    /// How far a message has come, in words.
    fileprivate var words: String {
        switch self {
        case .sendSent: "accepted by the relay"
        case .sendSentPartly: "accepted by the relays of some members"
        case .sendReceivedPartly(isIntact: true): "delivered to some members"
        case .sendUnconfirmed: "accepted by the relay; the contact confirmed only later messages"
        case .sendReceived(isIntact: true): "delivered"
        case .receivedNew: "received, unread"
        case .receivedRead: "received"
        case .sendNew, .sendWarning, .sendReceived, .sendReceivedPartly, .sendErrorAuthorization, .sendError:
            trouble ?? ""
        }
    }
}
