/// The commands of the official core that this program does not have, by their first words. A client that sends one
/// learns that it was understood.
enum UnsupportedCommands {
    /// True for the text of such a command.
    static func contains(_ text: String) -> Bool {
        all.contains { words in
            guard text.utf8.starts(with: words.utf8) else { return false }
            let next = text.utf8.dropFirst(words.utf8.count).first
            // What names a group goes on behind its sign, and one word is written together with a number.
            let goesOn = words.utf8.last == UInt8(ascii: "#") || words == "/_groups"
            return goesOn || next == nil || next == UInt8(ascii: " ")
        }
    }

    private static let all = groups + files + database + rest

    private static let groups = [
        "/_group", "/group", "/g", "/_groups", "/groups", "/gs", "/_members #", "/members", "/ms", "/_add #", "/add",
        "/a", "/_join #", "/join", "/j", "/_leave #", "/leave", "/l", "/_remove #", "/remove", "/rm",
        "/_member role #", "/member role", "/mr", "/_block #", "/block #", "/unblock #", "/block for all",
        "/unblock for all", "/_accept member", "/accept member", "/_delete member", "/_member settings #",
        "/_group_profile #", "/group_profile", "/gp", "/group_descr", "/set welcome", "/delete welcome",
        "/show welcome", "/set voice #", "/set files #", "/set history #", "/set reactions #", "/set calls #",
        "/set delete #", "/set direct #", "/set disappear #", "/set reports #", "/set links #",
        "/set admission review #", "/_create link #", "/_set link role #", "/_get link #", "/_delete link #",
        "/_short link #", "/create link", "/set link role", "/show link", "/delete link", "/_create member contact",
        "/_invite member contact", "/_accept member contact", "/accept_member_contact", "/_archive reports",
        "/_delete reports", "/_report #", "/report #", "/member support chats", "/_reaction members",
        "/_prepare group", "/_connect group", "/_set group user", "/_send #", "/_update item #", "/_delete item #",
        "/_reaction #", "/_get chat #", "/_get item info #", "/_read chat #", "/_read chat items #",
        "/_unread chat #", "/_delete #", "/_clear chat #", "/_info #", "/info #", "/i #", "/_settings #",
        "/_set alias #", "/_queue info #", "/queue info #", "/qi #", "/_switch #", "/_abort switch #", "/switch #",
        "/abort switch #", "/_sync #", "/sync #", "/_get code #", "/_verify code #", "/code #", "/verify #",
        "/_enable #", "/enable #", "/_tags #", "/_forward #", "/_ttl #", "/clear #", "/delete #", "/d #", "\\\\ #",
        "#", "> #", ">#", "/tail #", "/search #", "/mute #", "/unmute #",
    ]

    private static let files = [
        "/f", "/file", "/img", "/image", "/ff", "/fforward", "/image_forward", "/imgf", "/fdescription", "/fd",
        "/freceive", "/fr", "/_set_file_to_receive", "/fcancel", "/fc", "/fstatus", "/fs", "/_upload",
        "/_download", "/xftp", "/xftp test",
    ]

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
