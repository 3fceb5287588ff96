import ChatCore
import TestSupport

/// Texts and values that look like something else: quotes, options, names, other commands, halves of characters.
struct HostileTexts {
    private let random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    private static let pieces = [
        "'", "''", "\"", "\\", "`", " ", "  ", "\n", "\r\n", "\t", "\0", ",", ";", ":", "#", "=", "-", "--",
        "key=value",
        "incognito=on", "incognito", "as='x'", "timeout=5", "idle=1ms", "once='k'", "text=", "words=", "name=",
        "link=\"", "code=", "code=\"1\"", "force=on", "notify=off", "count=3", "before=7", "@4", "@'a'", "@", ":5", "/",
        "/_delete @1",
        "/version", "on", "off", "default", "none", "start", "json {", "json []", "text ", "{\"a\":1}", "[", "7", "-1",
        "007", "99999999999999999999", "é", "e\u{301}", "\u{301}", "\u{1f469}\u{200d}\u{1f467}", "\u{1f3fb}",
        "\u{202e}",
        "\u{2028}", "\u{feff}", "\u{7f}", "\u{1b}[1m", "a", "Ann Lee", "%s", "$(x)",
    ]

    /// Any text, sometimes none.
    func text() -> String {
        (0..<number(below: 5)).map { _ in one(of: HostileTexts.pieces) }.joined()
    }

    func one<Value>(of values: [Value]) -> Value { values[number(below: values.count)] }

    func number(below limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    func flag() -> Bool { number(below: 2) == 1 }

    /// An identifier: mostly small, sometimes the largest.
    func number() -> Int64 { flag() ? Int64(number(below: 100)) : one(of: [0, 1, .max, Int64(UInt32.max)]) }

    func target() -> ChatTarget {
        switch number(below: 6) {
        case 5: .groupName(text())
        case 0: .support(GroupID(number()), nil)
        case 1: .support(GroupID(number()), GroupMemberID(number()))
        case 2: .reference(reference())
        default: .name(text())
        }
    }

    /// A contact, for commands that concern no group.
    func person() -> ChatTarget {
        flag() ? .name(text()) : .reference(.direct(ContactID(number())))
    }

    func reference() -> ChatReference {
        one(of: [.direct(ContactID(number())), .group(GroupID(number())), .notes(NoteFolderID(number()))])
    }

    /// Whole milliseconds, up to some years.
    func duration() -> Duration {
        .milliseconds(one(of: [0, 1, 999, 1000, 30_000, 86_400_000, 400 * 86_400_000]))
    }
}
