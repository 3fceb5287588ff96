import ChatCore

/// What a person learns who comes back with a newer program. The changelog has the rest.
enum WhatsNew {
    static var version: String { VersionReport.current.version }

    static let lines = [
        "- Sessions: screens, a restored place, a passcode, links.",
        "- In a session @NAME TEXT sends to any contact, and Alt-A goes to the next unread chat.",
        "- A daemon, watch or a session keeps the store open while other commands run.",
        "- Hooks run your programs on messages; notify-mode sets how messages are received.",
        "- Groups: new creates one, +NAME opens one, and @NAME in a message mentions a member.",
        "- Files and pictures in messages, and links to files of up to 5 GiB.",
        "- migrate moves a store to another machine; import reads archives of the SimpleX apps.",
        "- Bots: api serves the SimpleX API, rpc serves JSON-RPC.",
        "- Disappearing messages, hidden profiles, notes to yourself, incognito.",
    ]
}
