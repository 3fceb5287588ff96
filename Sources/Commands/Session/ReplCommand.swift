import CommandKit
import TerminalKit

/// `tacit repl`
enum ReplCommand {
    static let place = Option<String?>(
        "at", "Begin at this place, such as /contacts/alice", .text("PATH"),
        defaultText: "where the last session ended",
        isCommon: true)
    static let fresh = Option<Bool>(flag: "fresh", "Begin at the top, whatever the last session left", isCommon: true)
    static let keepGoing = Option<Bool>(
        flag: "keep-going", "Go on after a command that failed, where commands come from a pipe")

    static let name = "repl"

    static let leaf: Leaf = .init(
        Command(
            name, "Open a session with screens and a memory", promise: "the session was left, or all lines succeeded",
            store: .writing, options: [place, fresh, keepGoing],
            examples: [
                Example("tacit repl", "The same as tacit alone on a terminal"),
                Example("printf '%s\\n' 'send @alice hi' 'list' | tacit repl", "Several commands, one a line"),
            ],
            exits: [67, 68, 69, 75, 76, 79, 80], topics: ["targets"],
            discussion: """
                On a terminal it shows screens, keeps receiving, and comes back to where it was left, with what was typed and \
                not sent. While it is open, other commands work as ever, and what they write is seen in it. Beside a daemon, or \
                another session, it works in the same way; when that ends, it receives itself.

                Without a store it leads through the first steps, which can be left with Ctrl-D or quit, and go on at the next \
                start; 'tacit init' does the same without questions. A link that is pasted into them is opened at their end.

                Lists are gone through by number or name. In a conversation a line is a message and a command begins with /; \
                // begins a message with a slash. Every command works as in the shell, without tacit in front; open or cd goes \
                to a place such as /contacts/alice or /settings/net, back, .. and home lead away, help or ? lists the commands, \
                quit, exit or q leaves.

                @NAME TEXT sends a message to a contact from any screen, and @NAME alone opens the chat. /msg NAME TEXT sends too, \
                whatever the text begins with. A name with spaces may stand in quotes: @"Ann Lee" hello. If several contacts may be \
                meant, or none, the session asks first. It also asks before a lone quit, exit, back or help goes to a contact.

                new begins a chat, switch chooses or creates a profile and opens it, transfer exports, and news says what is new: each asks \
                for a number and leaves the place as it is. Who calls is shown above the prompt; decline declines. A \
                relay that cannot be reached is named, and again when it is there; until then nothing comes from it.

                Alt-A, or next, goes to the next chat with unread messages; what is typed and not sent stays with its chat. An inputrc \
                may bind next-unread-chat to another key.

                settings has pages with what can be set: delivery receipts of the profile on the page privacy, the bell and the title of \
                the terminal on the page appearance. Both are off at first; session.bell and session.title are their names in the \
                configuration. The bell rings for new messages and calls, except of muted contacts and profiles. The title shows \
                the screen, with the name of a contact, and the number of unread messages.

                Tab completes commands, names of contacts and emoji. A pasted block is one message, Alt-Enter begins a new line in it, and /edit opens the \
                editor of VISUAL or EDITOR, as Ctrl-X Ctrl-E does with what is typed. Page Up and Page Down go through \
                a conversation. Keys are those of readline, with the inputrc of the user (application tacit). Ctrl-C \
                empties the line, twice it leaves, as Ctrl-D does on an empty line.

                Fed from a pipe it runs one command a line, without a prompt, and stops at the first that fails, with its code. \
                --profile, --json, --plain and --quiet are meant for each of them then.
                """),
        isAlone: true, purpose: { _ in "open a session" },
        run: { invocation in
            guard let face = invocation.session else { throw Reason.bug }
            return try face(SessionStart(invocation))
        })
}
