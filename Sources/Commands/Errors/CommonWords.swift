import CommandKit
import TerminalKit

/// Words of other programs, and the commands that do here what they do there.
enum CommonWords {
    /// Returns the lines that do what an unknown command is called elsewhere; none for other words.
    ///
    /// - Parameters:
    ///   - word: The unknown command.
    ///   - path: The noun before it.
    static func attempts(for word: String, below path: [String]) -> [Failure.Attempt] {
        let noun = path.joined(separator: " ")
        return (all[noun]?[word.lowercased()] ?? []).map { Failure.Attempt("tacit \($0.line)", $0.note) }
    }

    /// The known words, for tests.
    static var lines: [String] { all.values.flatMap { $0.values.flatMap { $0.map(\.line) } } }

    private typealias Line = (line: String, note: String)

    private static let invitation: Line = ("connect", "create an invitation for a contact")
    private static let joining: Line = ("connect 'LINK'", "join with the link of a contact or a group")
    private static let sending: Line = ("send @NAME 'TEXT'", "send a message")
    private static let receiving: Line = ("fetch", "receive new messages")
    private static let listing: Line = ("list", "list the chats")
    private static let deletion: [Line] = [
        ("contact delete @NAME", "delete a contact"), ("message delete ID", "delete a message"),
        ("group delete +NAME", "delete a group"),
    ]
    private static let creation: Line = ("init --name NAME --accept-conditions", "create a store and a profile")
    private static let search: Line = ("message search WORDS", "search stored messages")

    private static let all: [String: [String: [Line]]] = [
        "": [
            "invite": [invitation, ("group invite +NAME @CONTACT", "invite a contact to a group")],
            "join": [joining, ("group join +NAME", "accept an invitation to a group")], "add": [invitation, joining],
            "link": [invitation], "new": [invitation], "pair": [invitation], "msg": [sending], "tell": [sending],
            "write": [sending], "say": [sending], "reply": [("send @NAME 'TEXT' --reply-to last", "send a reply")],
            "receive": [receiving], "recv": [receiving], "sync": [receiving], "get": [receiving], "pull": [receiving],
            "inbox": [receiving, ("read", "show stored messages")], "ls": [listing], "chats": [listing],
            "history": [("read @NAME", "show stored messages")], "show": [("read @NAME", "show stored messages")],
            "search": [search], "find": [search], "grep": [search], "delete": deletion, "remove": deletion,
            "rm": deletion, "block": [("contact block @NAME", "block a contact")],
            "mute": [("contact mute @NAME", "mute a contact")],
            "rename": [
                ("contact rename @NAME NEW", "rename a contact"), ("profile set --name NEW", "rename the profile"),
            ],
            "react": [("message react last thumbs-up", "react to the newest message")],
            "edit": [("message edit last 'TEXT'", "edit the newest sent message")],
            "whoami": [("status", "show the profile"), ("profile show", "show all of the profile")],
            "register": [creation], "login": [creation], "signup": [creation], "setup": [creation],
            "create": [creation, ("group create NAME", "create a group")],
            "set": [("config set KEY VALUE", "change a setting"), ("profile set -h", "change the profile")],
            "backup": [("export FILE", "write an archive of the store"), ("db backup FOLDER", "copy the databases")],
            "restore": [("import FILE", "read an archive")], "man": [("help", "show the help")],
            "chat": [("repl", "start a session")], "shell": [("repl", "start a session")],
            "start": [("daemon run", "receive in the background"), ("repl", "start a session")],
            "stop": [("daemon stop", "stop the daemon")], "join-group": [joining],
            "attach": [("send @NAME --attach FILE", "send a file")],
        ],
        "message": [
            "send": [sending], "list": [("list messages", "list the newest messages")],
            "read": [("read @NAME", "show stored messages")],
            "reply": [("send @NAME 'TEXT' --reply-to last", "send a reply")],
        ],
        "contact": [
            "add": [invitation, joining], "create": [invitation], "new": [invitation], "invite": [invitation],
            "remove": [("contact delete @NAME", "delete a contact")], "accept": [("accept @NAME", "accept a request")],
        ],
        "group": [
            "new": [("group create NAME", "create a group")],
            "add": [("group invite +NAME @CONTACT", "invite a contact")],
            "kick": [("group remove +NAME/@MEMBER", "remove a member")],
            "ban": [("group block +NAME/@MEMBER --for-all", "block a member for all")],
            "promote": [("group role +NAME/@MEMBER admin", "change the role of a member")],
            "send": [("send +NAME 'TEXT'", "send a message to a group")],
        ],
        "profile": [
            "rename": [("profile set --name NEW", "rename the profile")],
            "new": [("profile create NAME", "create a profile")], "add": [("profile create NAME", "create a profile")],
            "switch": [("profile use NAME", "activate a profile")],
            "edit": [("profile set -h", "change the profile")],
        ],
        "daemon": [
            "start": [
                ("daemon run", "run it here, until Ctrl-C"), ("notify-mode instant --install systemd", "run it always"),
            ],
            "restart": [("daemon reload", "read the settings again")],
        ],
        "relay": ["run": [("relay start DIR", "start a relay")], "create": [("relay init DIR", "create a relay")]],
        "channel-relay": [
            "run": [("channel-relay start DIR", "start a chat relay")],
            "create": [("channel-relay init DIR", "create a chat relay")],
        ],
        "file": [
            "download": [("file receive FILE", "receive an offered file")],
            "upload": [("file send PATH", "make a link")],
        ],
    ]
}
