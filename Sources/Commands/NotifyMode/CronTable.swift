import SystemIO

/// The lines of a crontab, of which a marked block belongs to this program.
struct CronTable: Hashable {
    private static let first = "# tacit notify-mode: from here"
    private static let last = "# tacit notify-mode: to here"

    /// What stands in it.
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether the block is there.
    var hasBlock: Bool { bytes != withoutBlock.bytes }

    /// Everything else, as it was.
    var withoutBlock: CronTable {
        var kept: [UInt8] = [], block: [UInt8]?
        for line in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map({ Array($0) }) {
            let text = String(decoding: line, as: UTF8.self)
            if text == CronTable.first, block == nil { block = [] }
            if block == nil { kept += line + [0x0a] } else { block? += line + [0x0a] }
            if text == CronTable.last { block = nil }
        }
        // A block without an end is not ours to remove.
        kept += block ?? []
        // Behind the last line break there was no line.
        if kept.last == 0x0a { kept.removeLast() }
        return CronTable(kept)
    }

    /// With the block at the end, in place of another one.
    func with(block line: String) -> CronTable {
        var rest = withoutBlock.bytes
        if let last = rest.last, last != 0x0a { rest.append(0x0a) }
        return CronTable(rest + Array(CronTable.block(line).utf8))
    }

    /// What is added.
    static func block(_ line: String) -> String { "\(first)\n\(line)\n\(last)\n" }

    /// The line that fetches; nil for an interval that cron does not have.
    static func line(_ mode: NotifyMode, _ place: ServicePlace) -> String? {
        guard let times = times(mode.interval) else { return nil }
        var words = place.variables.map { "\($0.name)=\(quoted($0.value))" }
        if let keyFile = place.keyFile { words.append("TACIT_KEY_FILE=\(quoted(keyFile))") }
        words += [quoted(place.program), "fetch --if-free -qq --no-input"]
        if mode.jitter >= .seconds(1) { words.append("--jitter \(mode.jitter.components.seconds)s") }
        words.append("--timeout 90s || [ $? -eq 75 ]")
        // To cron a percent sign is the end of the line (crontab(5)).
        return "\(times)  " + words.joined(separator: " ").replacing("%", by: "\\%")
    }

    /// The five fields for an interval that divides an hour or a day.
    private static func times(_ interval: Duration) -> String? {
        let (minutes, rest) = interval.components.seconds.quotientAndRemainder(dividingBy: 60)
        guard rest == 0, minutes > 0 else { return nil }
        if minutes < 60 { return 60 % minutes == 0 ? (minutes == 1 ? "* * * * *" : "*/\(minutes) * * * *") : nil }
        let (hours, left) = minutes.quotientAndRemainder(dividingBy: 60)
        guard left == 0 else { return nil }
        if hours < 24 { return 24 % hours == 0 ? (hours == 1 ? "0 * * * *" : "0 */\(hours) * * *") : nil }
        return hours == 24 ? "0 0 * * *" : nil
    }

    /// A word of sh.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:=@".contains($0)) }
        return isPlain ? text : "'" + text.replacing("'", by: "'\\''") + "'"
    }
}

extension String {
    /// The text with another one in place of each occurrence of a character.
    fileprivate func replacing(_ character: Character, by text: String) -> String {
        reduce(into: "") { $0 += $1 == character ? text : String($1) }
    }
}
