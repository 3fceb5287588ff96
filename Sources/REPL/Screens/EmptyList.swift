import TerminalKit

/// What a list says that has no entries, and what can be done then.
enum EmptyList {
    static let chats = "No chats yet. Type new to create an invitation, or paste a link that you received."
    static let requests = "No contact requests. Anyone with your address can send one: open /address shows it."
    static let address = "No address yet. Anyone with your address can send a contact request, until you delete it."
    static let groupLink = "No link yet. Anyone with the link of a group can join, until you delete it."
    static let support = "No member waits for a moderator or has written to the moderators."
    static let groups = "No groups yet. Type group create NAME, or paste a link that you received."
    static let messages = "No messages yet."
    static let firstMessage = "No messages yet. Type a text, and Enter sends it."
    static let firstNote = "No notes yet. Type a text, and Enter keeps it here."

    /// The same for a command that has printed nothing, by its first words.
    private static let ofCommands: [[String]: String] = [
        ["list"]: chats,
        ["list", "chats"]: chats,
        ["list", "contacts"]: "No contacts yet. Type new to create an invitation, or paste a link that you received.",
        ["list", "groups"]: groups,
        ["list", "messages"]: messages,
        ["list", "requests"]: requests,
        ["list", "invitations"]: "No open invitations. Type connect to create one.",
        ["list", "outbox"]: "The outbox is empty: relays have accepted every message.",
        ["list", "servers"]: "No relays yet. Type server add ADDRESS to add one.",
        ["read"]: "No messages to show.",
        ["message", "search"]: "No messages found.",
        ["call", "list"]: "No calls are waiting.",
        ["cursor", "list"]: "No read cursors. read --cursor NAME creates one.",
    ]

    /// What to say for a command that has printed nothing; nil if that means something else.
    static func sentence(for words: [String]) -> String? {
        // Programs read what has another form.
        guard let first = words.first, !words.contains(where: { ["--json", "--plain", "-q"].contains($0) }) else {
            return nil
        }
        var path = Array(words.prefix { !$0.hasPrefix("-") }.prefix(2))
        // `contact list` is `list contacts`.
        if path.count == 2, path[1] == "list", let plural = [path[0] + "s", path[0]].first(where: isListed) {
            path = ["list", plural]
        }
        if first == "read" { path = [first] }
        return ofCommands[path]
    }

    private static func isListed(_ subject: String) -> Bool { ofCommands[["list", subject]] != nil }
}
