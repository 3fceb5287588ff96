import AgentProtocol
import ChatCore
import ChatProtocol
import TerminalKit

/// The calls that wait for an answer, in a banner above the prompt on every screen.
///
/// They cannot be accepted here, as there is no sound. Calls of muted contacts and profiles are not shown: they are in the conversation.
final class CallBanner {
    /// The width of a name where there is little room.
    private static let nameWidth = 9

    private let core: any Core
    private let reader: StoreReader
    private let display: Display

    /// In the order of their arrival, with the names of the profiles that they are for; empty for the open profile.
    private(set) var calls: [(call: LocatedItem, profile: String)] = [] {
        didSet { show() }
    }

    init(core: any Core, reader: StoreReader, display: Display) {
        (self.core, self.reader, self.display) = (core, reader, display)
    }

    /// Reads the calls of all profiles.
    ///
    /// - Parameter profile: The open profile.
    func update(in profile: Int64?) async {
        var found: [(call: LocatedItem, profile: String)] = []
        for owner in await reader.profilesIfReadable() where !owner.isMuted {
            let calls = await reader.failures.value { try await reader.calls(of: owner.id.number) } ?? []
            for call in calls where !call.chat.isMuted {
                found.append((call, owner.id.number == profile ? "" : owner.name))
            }
        }
        calls = found.sorted { $0.call.item.id < $1.call.item.id }
    }

    func remove(_ id: ChatItemID) {
        calls.removeAll { $0.call.item.id == id }
    }

    private func show() {
        guard let first = calls.first else {
            display.calls = ""
            return
        }
        let media = first.call.item.content.call?.media.rawValue ?? "audio"
        let place = first.profile.isEmpty ? "" : "\(first.profile): "
        let others = calls.count > 1 ? ", and \(calls.count - 1) more" : ""
        let caller = StyledText(first.call.chat.name, .name)
        let words =
            StyledText(place, .heading) + caller + StyledText(" is calling (\(media)\(others)): /decline", .warning)
        // The command must have its place in the row.
        display.calls =
            words.width < display.area.width
            ? words + StyledText(". A session has no audio", .warning)
            : caller.truncated(toWidth: CallBanner.nameWidth) + StyledText(" is calling: /decline", .warning)
    }

    /// Declines the call in the banner. The caller is told.
    func decline(in profile: Int64?) async {
        guard let (call, _) = calls.first else { return display.say("no calls", .muted) }
        do {
            _ = try await core.execute(RejectCall(.reference(call.item.chat)))
            display.say("declined the call from \(call.chat.name)", .muted)
        } catch {
            display.report(error)
        }
        await update(in: profile)
    }
}
