import ChatCore

/// The commands of the session itself, besides those of the tree.
enum SessionWord: String, CaseIterable, Sendable {
    case open, cd, back, up = "..", home, next, requests, settings, show
    case new, picker = "switch", msg, transfer, news
    case more, end, search, goto
    case reply, edit, delete, moderate, react, forward, info, say
    case attach, receive, save
    case names, topic, whois, me, url, query, close, unread
    case decline, lock, clear, help, question = "?", quit, exit, q

    /// The commands of one conversation.
    static let ofConversations: Set<SessionWord> = [
        .more, .end, .search, .goto, .reply, .edit, .delete, .moderate, .react, .forward, .info,
        .attach, .receive, .save, .names, .topic, .whois, .me, .url,
    ]

    /// The commands of groups among them.
    private static let ofGroups: Set<SessionWord> = [.moderate, .names, .topic]

    /// The command of which this is another name; nil for one of its own.
    var original: SessionWord? {
        switch self {
        case .cd, .query: .open
        case .close: .home
        case .question: .help
        case .exit, .q: .quit
        default: nil
        }
    }

    /// Its arguments, as help writes them.
    var arguments: String {
        switch self {
        case .open, .cd, .query: "NAME|PATH|LINK"
        case .search: "WORDS"
        case .goto: "NUMBER|DATE"
        case .topic: "[TEXT]"
        case .whois: "[NAME]"
        case .me: "TEXT"
        case .url: "NUMBER"
        case .names, .close, .unread: ""
        case .info: "[NUMBER]"
        case .reply: "NUMBER TEXT"
        case .edit: "[NUMBER TEXT]"
        case .delete, .moderate: "NUMBER"
        case .react: "NUMBER EMOJI"
        case .forward: "NUMBER NAME"
        case .attach: "PATH [CAPTION]"
        case .receive: "NUMBER [PATH]"
        case .save: "NUMBER PATH"
        case .show: "[NUMBER]"
        case .msg: "NAME TEXT"
        case .say: "TEXT"
        case .help, .question: "[COMMAND]"
        case .new, .picker, .transfer, .news: ""
        case .back, .up, .home, .next, .requests, .settings, .more, .end, .decline, .lock, .clear, .quit, .exit,
            .q:
            ""
        }
    }

    /// Its summary.
    var abstract: String {
        switch self {
        case .open, .cd, .query: "Open a chat, a screen or a link"
        case .back: "Go back to the previous screen"
        case .up: "Go to the parent screen"
        case .home, .close: "Go to the chat list"
        case .next: "Go to the next chat with unread messages (Alt-A)"
        case .requests: "Go to the contact requests"
        case .settings: "Go to the settings"
        case .show: "Draw the screen again, or the picture of a message"
        case .new: "Start a new chat"
        case .picker: "Choose or create a profile"
        case .msg: "Send a message; @NAME TEXT does the same"
        case .say: "Write in the support chat on the screen"
        case .transfer: "Export the store or its history"
        case .news: "Show the changes in this version"
        case .more: "Show earlier messages"
        case .end: "Show the newest messages"
        case .search: "Find messages in this chat; outside a chat, everywhere"
        case .goto: "Show a message, or the first of a day, in its context"
        case .names: "List the members of the group"
        case .topic: "Show or change the description of the group"
        case .whois: "Show details of a member, or of the contact"
        case .me: "Send a message in italics, as an action"
        case .url: "Open the link in a message, or copy the link"
        case .unread: "List the chats with unread messages"
        case .reply: "Reply to a message"
        case .edit: "Change your message; alone, open your editor"
        case .delete: "Delete a message, your own for everyone"
        case .moderate: "Delete a message of a member for all, as a moderator"
        case .react: "Add or remove a reaction"
        case .forward: "Forward a message to another chat"
        case .attach: "Send a file; Tab completes its path"
        case .receive: "Receive the file of a message"
        case .save: "Copy the file of a message to a path"
        case .info: "Show details of the contact, or of a message"
        case .decline: "Decline the call shown above the prompt"
        case .lock: "Lock the session until the passcode is typed"
        case .clear: "Clear the screen"
        case .help, .question: "Show this list, or help for a command"
        case .quit, .exit, .q: "Leave; the next session resumes here"
        }
    }

    /// Returns true if a text of several lines, without its slash, may be a command: one whose text may have several. Any other text of
    /// several lines was pasted, and is a message.
    static func maySendBlock(_ command: String) -> Bool {
        let first = command.prefix { $0 != " " && $0 != "\n" && $0 != "\t" }
        return [SessionWord.reply, .edit, .msg].map(\.rawValue).contains(String(first))
            || ["send", "message"].contains(String(first))
    }

    /// True if its argument is a text, in which quotes have no meaning.
    var takesText: Bool { [.msg, .reply, .edit, .search, .say, .me, .topic].contains(self) }

    /// Returns true if help lists the command.
    ///
    /// - Parameters:
    ///   - chat: The conversation on the screen.
    ///   - isSupport: True on the screen of a support chat.
    ///   - isRinging: True while a call waits for an answer.
    func fits(_ chat: ChatReference?, isSupport: Bool, isRinging: Bool) -> Bool {
        guard original == nil, wins(inConversation: chat != nil) else { return false }
        switch self {
        case .decline: return isRinging
        case .say: return isSupport
        case _ where SessionWord.ofGroups.contains(self):
            guard case .group? = chat else { return false }
            return true
        default: return true
        }
    }

    /// Its effect, behind its name in a sentence.
    var purpose: String {
        switch self {
        case .quit: "leaves the session"
        case .back: "goes back to the previous screen"
        default: "shows the commands"
        }
    }

    /// Returns true if it is the session's command on a screen, also where the tree has one of this name.
    func wins(inConversation isConversation: Bool) -> Bool {
        if self == .say { return !isConversation }
        return SessionWord.ofConversations.subtracting([.search]).contains(self) ? isConversation : true
    }
}
