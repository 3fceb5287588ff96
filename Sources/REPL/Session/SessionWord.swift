/// What can be typed in the session besides the commands of the tree.
enum SessionWord: String, CaseIterable, Sendable {
    case open, cd, back, up = "..", home, next, requests, settings, show
    case new, picker = "switch", msg, transfer, news
    case more, end, search, goto
    case reply, edit, delete, react, forward, info
    case decline, lock, clear, help, question = "?", quit, exit, q

    /// The words that are about one conversation.
    static let ofConversations: Set<SessionWord> = [
        .more, .end, .search, .goto, .reply, .edit, .delete, .react, .forward, .info,
    ]

    /// The word that means the same, for one that is another name of it.
    var original: SessionWord? {
        switch self {
        case .cd: .open
        case .question: .help
        case .exit, .q: .quit
        default: nil
        }
    }

    /// What stands behind it.
    var arguments: String {
        switch self {
        case .open, .cd: "NAME|PATH|LINK"
        case .search: "WORDS"
        case .goto: "NUMBER"
        case .info: "[NUMBER]"
        case .reply: "NUMBER TEXT"
        case .edit: "[NUMBER TEXT]"
        case .delete: "NUMBER"
        case .react: "NUMBER EMOJI"
        case .forward: "NUMBER NAME"
        case .msg: "NAME TEXT"
        case .help, .question: "[COMMAND]"
        case .new, .picker, .transfer, .news: ""
        case .back, .up, .home, .next, .requests, .settings, .show, .more, .end, .decline, .lock, .clear, .quit, .exit,
            .q:
            ""
        }
    }

    /// What it does, in a line.
    var abstract: String {
        switch self {
        case .open, .cd: "Go to a screen, or where a link leads"
        case .back: "Go back to the screen before"
        case .up: "Go to the screen above"
        case .home: "Go to the chats"
        case .next: "Go to the next chat with unread messages (Alt-A)"
        case .requests: "Go to those who want to be contacts"
        case .settings: "Go to the settings"
        case .show: "Draw the screen anew"
        case .new: "Begin a new chat"
        case .picker: "Choose or make a profile"
        case .msg: "Send a message to a contact, as @NAME TEXT does"
        case .transfer: "Export the store or its history"
        case .news: "Show what is new in this version"
        case .more: "Show earlier messages"
        case .end: "Show the newest messages"
        case .search: "Find messages of this chat"
        case .goto: "Show the messages around one"
        case .reply: "Answer a message"
        case .edit: "Change an own message; alone, write in your editor"
        case .delete: "Take a message back, or remove it here"
        case .react: "Give a message an emoji, or take it away"
        case .forward: "Pass a message on to somebody else"
        case .info: "Show what is known of the contact, or of a message"
        case .decline: "Decline the call that is shown above the prompt"
        case .lock: "Hide everything until the passcode is typed"
        case .clear: "Empty the screen"
        case .help, .question: "Show this, or what a command does"
        case .quit, .exit, .q: "Leave; the next session comes back to this place"
        }
    }

    /// Whether a line of several lines, without its slash, may be a command: those whose text may have several. Anything else
    /// of several lines is a message, since it was pasted.
    static func maySendBlock(_ command: String) -> Bool {
        let first = command.prefix { $0 != " " && $0 != "\n" && $0 != "\t" }
        return [SessionWord.reply, .edit, .msg].map(\.rawValue).contains(String(first))
            || ["send", "message"].contains(String(first))
    }

    /// Whether what stands behind it is a text, in which a quote is a quote.
    var takesText: Bool { [.msg, .reply, .edit, .search].contains(self) }

    /// What it does, behind its name in a sentence.
    var purpose: String {
        switch self {
        case .quit: "leaves the session"
        case .back: "goes back to the screen before"
        default: "shows the commands"
        }
    }

    /// Whether a word that is a command of the tree too means the session's, on a screen.
    ///
    /// - Parameter hasArguments: Whether something stands behind it.
    func wins(inConversation isConversation: Bool) -> Bool {
        SessionWord.ofConversations.contains(self) ? isConversation : true
    }
}
