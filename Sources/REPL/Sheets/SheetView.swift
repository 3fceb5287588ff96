import AgentProtocol
import ChatCore
import ChatProtocol
import Navigation
import TerminalKit

/// What lies over a screen until something is chosen: a few lines, and what can be done.
struct SheetView: Sendable {
    let title: String
    var text: [String] = []
    var choices: [Choice] = []

    struct Choice: Sendable {
        let name: String
        var unread = 0
        var note = ""
        let action: Action
    }

    /// The action of a choice, after the sheet.
    enum Action: Sendable {
        /// A command line, without the name of the program.
        case command([String])
        /// The same, with what is typed as an answer in the place of `""`.
        case asking(String, [String])
        case home(ProfileID)
        /// A profile that is created first.
        case newProfile
        /// A group that is created first.
        case newGroup
        case notes
        /// A link that is typed or pasted.
        case link
    }

    /// The question below it.
    var question: StyledText {
        choices.isEmpty ? "Enter to continue: " : StyledText("1-\(choices.count), or Enter to go back: ")
    }

    func lines(_ area: DrawingArea) -> [StyledText] {
        var table = ListTable(count: choices.count)
        for choice in choices {
            table.add(StyledText(choice.name, .name), unread: choice.unread, StyledText(choice.note, .muted))
        }
        return [area.rule(title)] + text.flatMap { area.text($0) } + table.lines(area)
    }
}

extension SheetView {
    /// What a sheet shows. The one that asks for the passcode is drawn by the gate, that of a migration before a session begins.
    static func of(_ sheet: Sheet, _ reader: StoreReader) async throws -> SheetView? {
        switch sheet {
        case .profilePicker:
            let profiles = try await reader.profiles()
            let known = profiles.map { profile in
                let notes = [profile.isActive ? "active" : "", profile.profile.fullName].filter { !$0.isEmpty }
                return Choice(
                    name: profile.name, unread: profile.unreadCount, note: notes.joined(separator: ", "),
                    action: .home(profile.id))
            }
            let new = Choice(name: "new", note: "create a profile", action: .newProfile)
            return SheetView(title: "profiles", choices: known + [new])
        case .newChat:
            return SheetView(
                title: "new chat",
                choices: [
                    Choice(name: "invite", note: "a one-time link for one person", action: .command(["connect"])),
                    Choice(name: "join", note: "with a link that you received", action: .link),
                    Choice(
                        name: "incognito", note: "a one-time link that shows a random name",
                        action: .command(["connect", "--incognito"])),
                    Choice(
                        name: "address", note: "a permanent link for contact requests",
                        action: .command(["address", "create"])),
                    Choice(name: "group", note: "a new group that you own", action: .newGroup),
                    Choice(name: "notes", note: "to yourself", action: .notes),
                ])
        case .transfer:
            return SheetView(
                title: "export and import",
                text: [
                    "To import an archive, leave and type: tacit import FILE",
                    "To move the store to another machine, leave and type: tacit migrate to",
                ],
                choices: [
                    Choice(
                        name: "archive", note: "the whole store, to move or to back up",
                        action: .asking("New file: ", ["export", "--", ""])),
                    Choice(
                        name: "page", note: "all chats, to read in a browser",
                        action: .asking("New file: ", ["export", "--format", "html", "--", ""])),
                    Choice(
                        name: "copy", note: "both databases, in a new folder",
                        action: .asking("New folder: ", ["db", "backup", "--", ""])),
                ])
        case .whatsNew: return SheetView(title: "what is new in \(WhatsNew.version)", text: WhatsNew.lines)
        case .migrate, .unlock: return nil
        }
    }
}
