/// The commands of the official core that this program does not have, by their first words. A client that sends one
/// learns that it was understood.
public enum UnsupportedCommands {
    /// Commands with the reason why they are not supported.
    public struct Group: Hashable, Sendable {
        /// The reason, a sentence.
        public let reason: String
        /// The first words of the commands.
        public let words: [String]

        init(_ reason: String, _ words: String...) {
            self.reason = reason
            self.words = words
        }
    }

    /// Returns the longest words with which such a command begins; nil for another text.
    static func words(of text: String) -> String? {
        let found = (words[Array(text.utf8.prefix(2))] ?? []).filter { words in
            guard text.utf8.starts(with: words.utf8) else { return false }
            let next = text.utf8.dropFirst(words.utf8.count).first
            // Names and custom commands go on behind their sign.
            let goesOn = "#@/".utf8.contains(words.utf8.last ?? 0)
            return goesOn || next == nil || next == UInt8(ascii: " ")
        }
        return found.max { $0.utf8.count < $1.utf8.count }
    }

    /// The words of all groups by their first two bytes.
    private static let words = Dictionary(grouping: groups.flatMap(\.words), by: { Array($0.utf8.prefix(2)) })

    /// All groups, in the order of the manual.
    public static let groups = [
        Group(
            "Remote devices: a store of tacit is used on one machine.", "/set device name", "/list remote hosts",
            "/switch remote host", "/start remote host", "/stop remote host", "/delete remote host",
            "/store remote file", "/get remote file", "/connect remote ctrl", "/crc", "/find remote ctrl",
            "/confirm remote ctrl", "/verify remote ctrl", "/list remote ctrls", "/stop remote ctrl",
            "/delete remote ctrl", "/remote_hosts_folder"),
        Group("Push notifications: they belong to phones.", "/_ntf", "/ntf test"),
        Group(
            "Badges of SimpleX 7.", "/badge add"),
        Group(
            "Databases of the official core: the store of tacit has other tables.", "/_db", "/db", "/sql",
            "/get db stats"),
        Group(
            "Commands of the terminal program: see tacit(1).", "/quit", "/q", "/exit", "/welcome", "/w", "/show",
            "/live", "/feed", "/simplex", "/last_item_id", "/item info", "/report", "/debug event", "/?", "//",
            "/member support chats", "/group_profile", "/gp", "\\\\ #", "\\\\#", "/operators"),
        Group(
            "Other commands without use here.", "/_queue info", "/queue info", "/qi", "/fdescription", "/fd",
            "/xftp test", "/_set theme user",
            "/set calls #", "/network", "/net", "/_connect contact",
            "/_network_statuses"),
    ]
}
