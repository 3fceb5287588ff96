import CommandKit
import TerminalKit

/// `tacit repl`
enum ReplCommand {
    static let place = Option<String?>(
        "at", "Start at this place, such as /contacts/alice", .text("PATH"),
        defaultText: "where the last session ended",
        isCommon: true)
    static let fresh = Option<Bool>(
        flag: "fresh", "Start at the first screen instead of the last place", isCommon: true)
    static let keepGoing = Option<Bool>(
        flag: "keep-going", "Continue after a failed command, with commands from a pipe")

    static let name = "repl"

    static let leaf: Leaf = .init(
        Command(
            name, "Start an interactive session", promise: "the session was closed, or all lines succeeded",
            store: .writing, options: [place, fresh, keepGoing],
            examples: [
                Example("tacit repl", "Start a session, like tacit alone on a terminal"),
                Example("printf '%s\\n' 'send @alice hi' 'list' | tacit repl", "Run several commands, one per line"),
            ],
            exits: [67, 68, 69, 75, 76, 79, 80], topics: ["targets"],
            discussion: """
                On a terminal the session shows screens and receives continuously. It reopens at the last place, with unsent \
                drafts. Other commands keep working while it is open, and their changes appear in it. A session also works \
                beside a daemon or another session; when that process ends, the session takes over receiving.

                Without a store, the session shows the setup steps. Ctrl-D or quit leaves them, and the next start resumes \
                them; 'tacit init' does the same without prompts. A link pasted during setup is opened at its end.

                Select list entries by number or name. In a conversation a line is a message, and a line with a leading / is a \
                command; // starts a message with a slash. All commands work as in the shell, without the word tacit. open or \
                cd opens a place such as /contacts/alice or /settings/net; back, .. and home leave it. help or ? lists the \
                commands; quit, exit or q ends the session.

                @NAME TEXT sends a message to a contact from any screen, and @NAME alone opens the chat. /msg NAME TEXT sends \
                any text, even one with a leading slash. Quote names with spaces: @"Ann Lee" hello. If a name is ambiguous or \
                unknown, the session asks first. It also asks before it sends a lone quit, exit, back or help to a contact.

                new starts a chat, switch selects or creates a profile, transfer exports, and news shows the changes of this \
                version. Each asks for a number and keeps the current place. Incoming calls are shown above the prompt; \
                decline declines them. The session reports when a relay becomes unreachable and when it is reachable again.

                Alt-A, or next, opens the next chat with unread messages; drafts stay with their chats. An inputrc can bind \
                next-unread-chat to another key.

                settings shows pages of settings: delivery receipts of the profile on the page privacy, terminal bell and \
                title on the page appearance. Bell and title are off by default; their settings are session.bell and \
                session.title. The bell rings for new messages and calls, except from muted contacts and profiles. The title \
                shows the screen, with the name of a contact, and the number of unread messages.

                Tab completes commands, contact names and emoji. A pasted block is one message, Alt-Enter inserts a line \
                break, and /edit opens $VISUAL or $EDITOR, as Ctrl-X Ctrl-E does with the current line. Page Up and Page Down \
                scroll a conversation. The key bindings are the ones of readline, with the user's inputrc (application tacit). \
                Ctrl-C clears the line; pressed twice, it ends the session, as Ctrl-D does on an empty line.

                With input from a pipe, the session runs one command per line without a prompt. It stops at the first failed \
                command and exits with its code. --profile, --json, --plain and --quiet then apply to each command.
                """),
        isAlone: true, purpose: { _ in "open a session" },
        run: { invocation in
            guard let face = invocation.session else { throw Reason.bug }
            return try face(SessionStart(invocation))
        })
}
