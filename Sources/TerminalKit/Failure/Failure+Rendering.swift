public import JSONCoding

extension Failure {
    /// The name in front of the first line.
    private static let program = "tacit"
    /// How wide the lines of an error are at most, so that a log stays readable. A line to paste is never cut.
    private static let width = 100

    /// The error for a person:
    ///
    /// ```
    /// tacit: cannot send to '@alice': the store is in use
    ///   why: pid 4121 (tacit watch) has held it since 09:14
    ///   try: tacit status    see who holds it
    /// ```
    public var lines: [StyledText] {
        let first = StyledText("\(Failure.program):", .error) + " " + StyledText(what)
        return [first.truncated(toWidth: Failure.width)] + reasons + attempts
    }

    /// At most two lines behind the label; a long reason may fill both.
    private var reasons: [StyledText] {
        let label = StyledText("  why: ", .hint), space: StyledText = "       "
        let room = Failure.width - label.width
        let rows = why.prefix(2).flatMap { StyledText($0).text.wrapped(toWidth: room) }
        var shown = Array(rows.prefix(2))
        if rows.count > 2, let last = shown.popLast() { shown.append((last + " …").truncated(toWidth: room)) }
        return shown.enumerated().map { index, row in (index == 0 ? label : space) + StyledText(escaped: row) }
    }

    /// Up to three lines to paste, their notes in one column.
    private var attempts: [StyledText] {
        let shown = tries.prefix(3).map { (command: StyledText($0.command), note: $0.note) }
        let column = shown.filter { $0.note != nil }.map(\.command.width).max() ?? 0
        return shown.map { command, note in
            let line = StyledText("  try: ", .hint) + command
            guard let note else { return line }
            return line.padded(toWidth: 7 + column + 4) + StyledText(note, .muted)
        }
    }

    /// The error for a script: one object on the last line of standard error.
    public var json: JSONObject {
        var object = JSONObject(type: "error")
        object.set("code", code.text)
        object.set("exit", exit.rawValue)
        object.set("message", what)
        if !why.isEmpty { object.set("why", why.joined(separator: "\n")) }
        object.set("try", tries.map(\.command))
        if !details.isEmpty { object["details"] = .object(details) }
        return object
    }
}
