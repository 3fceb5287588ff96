import AgentProtocol
import ChatCore
import ChatProtocol
import Commands
import Navigation
import TerminalKit

/// Calls that wait for an answer: a banner above the prompt on every screen, until somebody declines or nobody waits.
///
/// They cannot be taken up here, as there is no sound. Contacts and profiles that are muted are not shown: what is left of their
/// calls stands in the conversation.
extension Session {
    /// Looks up who calls.
    func lookForCalls() async {
        var found: [(call: LocatedItem, profile: String)] = []
        for profile in (try? await reader.profiles()) ?? [] where !profile.isMuted {
            for call in (try? await reader.calls(of: profile.id.number)) ?? [] where !call.contact.isMuted {
                found.append((call, profile.id.number == state.profile ? "" : profile.name))
            }
        }
        calls = found.sorted { $0.call.item.id < $1.call.item.id }
    }

    func forget(call id: ChatItemID) {
        calls.removeAll { $0.call.item.id == id }
    }

    func showCalls() {
        guard let first = calls.first else {
            editor?.banner = ""
            return
        }
        let media = first.call.item.content.call?.media.rawValue ?? "audio"
        let place = first.profile.isEmpty ? "" : "\(first.profile): "
        let others = calls.count > 1 ? ", and \(calls.count - 1) more" : ""
        editor?.banner =
            StyledText(place, .heading) + StyledText(first.call.contact.name, .name)
            + StyledText(" calls (\(media)\(others)): /decline. There is no sound here", .warning)
    }

    /// Declines the call of the banner; who calls is told.
    func declineCall() async {
        guard let (call, _) = calls.first else { return say("no calls", .muted) }
        do {
            try await store.execute(RejectCall(.reference(.direct(call.contact.id))))
            say("declined the call of \(call.contact.name)", .muted)
        } catch {
            report(error)
        }
        await lookForCalls()
    }
}
