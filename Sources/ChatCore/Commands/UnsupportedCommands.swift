/// The commands of the official core that this program does not have, by their first words. A client that sends one
/// learns that it was understood.
enum UnsupportedCommands {
    /// True for the text of such a command.
    static func contains(_ text: String) -> Bool {
        all.contains { words in
            guard text.utf8.starts(with: words.utf8) else { return false }
            let next = text.utf8.dropFirst(words.utf8.count).first
            // What names a group goes on behind its sign.
            let goesOn = words.utf8.last == UInt8(ascii: "#")
            return goesOn || next == nil || next == UInt8(ascii: " ")
        }
    }

    private static let all = groups + files + database + rest

    private static let groups = [
        "/set calls #", "/member support chats", "/_queue info #", "/queue info #", "/qi #",
        "/_switch #", "/_abort switch #", "/switch #", "/abort switch #", "/_sync #", "/sync #", "/_get code #",
        "/_verify code #", "/code #", "/verify #", "/_enable #", "/enable #", "\\\\ #",
        "/mute #", "/unmute #",
    ]

    private static let files = ["/fdescription", "/fd", "/xftp test"]

    private static let database = [
        "/_db", "/db", "/sql", "/get db stats",
    ]

    private static let rest = [
        "/_ntf", "/ntf", "/set device name", "/list remote hosts", "/switch remote host", "/start remote host",
        "/stop remote host", "/delete remote host", "/store remote file", "/get remote file", "/connect remote ctrl",
        "/crc", "/find remote ctrl", "/confirm remote ctrl", "/verify remote ctrl", "/list remote ctrls",
        "/stop remote ctrl", "/delete remote ctrl", "/remote_hosts_folder", "/_set theme user", "/_set theme #",
        "/simplex", "/network",
        "/net", "/quit", "/q", "/exit", "/debug event", "/_queue info", "/queue info", "/qi", "/show", "/live",
        "/feed",
    ]
}
