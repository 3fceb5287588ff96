/// A manual page under construction, in the macros of man(7) that groff and mandoc support.
struct RoffText {
    private var lines: [String]
    /// True if a paragraph starts here anyway: mandoc warns about a superfluous macro.
    private var isFresh = true

    /// The width of a source line in columns.
    private static let width = 72

    /// Starts a page.
    ///
    /// - Parameters:
    ///   - source: The program with its version.
    ///   - volume: The title of the manual.
    init(_ title: String, section: Int, date: String, source: String, volume: String) {
        let words = [source, volume].map { "\"\(RoffText.literal($0))\"" }
        lines = [
            ".\\\" Made from the command model: change that, then run make generated.",
            ".TH \(RoffText.literal(title.uppercased())) \(section) \(date) \(words.joined(separator: " "))",
            // Command lines must not be hyphenated or justified.
            ".nh", ".ad l",
        ]
    }

    /// The page.
    var text: String { lines.joined(separator: "\n") + "\n" }

    // MARK: - Structure

    mutating func heading(_ title: String) {
        lines.append(".SH \(RoffText.prose(title.uppercased()))")
        isFresh = true
    }

    mutating func subheading(_ title: String) {
        lines.append(".SS \(RoffText.prose(title))")
        isFresh = true
    }

    /// Adds the line of the section NAME that whatis(1) reads.
    mutating func name(_ name: String, _ abstract: String) {
        heading("Name")
        lines.append("\(RoffText.literal(name)) \\-")
        fill(abstract)
    }

    /// Adds a usage line; further lines are indented to the end of its name.
    mutating func synopsis(_ invocation: String, _ parts: [String]) {
        lines.append(".SY \"\(RoffText.literal(invocation))\"")
        lines += parts
        lines.append(".YS")
        isFresh = true
    }

    /// Adds a line of roff.
    mutating func line(_ line: String) {
        lines.append(line)
        isFresh = false
    }

    // MARK: - Text

    /// Adds a paragraph, wrapped between words.
    mutating func paragraph(_ text: String) {
        if !isFresh { lines.append(".PP") }
        fill(text)
        isFresh = false
    }

    /// Adds paragraphs separated by empty lines. Lines that start with a space stay unchanged.
    mutating func paragraphs(_ text: String) {
        var block: [Substring] = []
        func isFixed(_ line: Substring) -> Bool { line.hasPrefix(" ") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines + [""] {
            if let first = block.first, line.isEmpty || isFixed(line) != isFixed(first) {
                if isFixed(first) { unfilled(block) } else { paragraph(block.joined(separator: " ")) }
                block = []
            }
            if !line.isEmpty { block.append(line) }
        }
    }

    /// Adds lines without wrapping.
    private mutating func unfilled(_ text: [Substring]) {
        if !isFresh { lines.append(".PP") }
        lines.append(".EX")
        lines += text.map { RoffText.guarded(RoffText.literal(String($0))) }
        lines.append(".EE")
        isFresh = false
    }

    /// Adds a term in roff with its meaning.
    mutating func term(_ term: String, _ meaning: String) {
        lines += [".TP", RoffText.guarded(term)]
        fill(meaning)
        isFresh = false
    }

    /// Adds a line to paste with its effect below.
    mutating func example(_ line: String, _ note: String) {
        if !isFresh { lines.append(".PP") }
        lines += [".EX", RoffText.bold(line), ".EE", ".RS 4"]
        fill(note)
        lines.append(".RE")
        isFresh = false
    }

    private mutating func fill(_ text: String) {
        var row = ""
        for word in text.split(separator: " ") {
            if !row.isEmpty, row.utf8.count + word.utf8.count >= RoffText.width {
                lines.append(RoffText.guarded(RoffText.prose(row)))
                row = ""
            }
            row += row.isEmpty ? word : " \(word)"
        }
        if !row.isEmpty { lines.append(RoffText.guarded(RoffText.prose(row))) }
    }

    // MARK: - Letters

    static func bold(_ text: String) -> String { "\\fB\(literal(text))\\fR" }
    static func italic(_ text: String) -> String { "\\fI\(literal(text))\\fR" }

    /// Returns the placeholder of a value, which may be broken between the words of a choice.
    static func italic(choice words: String) -> String {
        let parts = words.split(separator: "|", omittingEmptySubsequences: false).map { literal(String($0)) }
        return "\\fI\(parts.joined(separator: "|\\:"))\\fR"
    }

    /// Returns text to copy, in which every character is literal.
    static func literal(_ text: String) -> String {
        text.reduce(into: "") { result, character in result += escaped(character) ?? "\(character)" }
    }

    /// Returns text to read, in which a dash inside of a word is a hyphen, and any other dash a minus sign as in
    /// options.
    static func prose(_ text: String) -> String {
        let characters = Array(text)
        func isInside(_ index: Int) -> Bool {
            characters.indices.contains(index) && (characters[index].isLetter || characters[index].isNumber)
        }
        return characters.indices.reduce(into: "") { result, index in
            let isHyphen = characters[index] == "-" && isInside(index - 1) && isInside(index + 1)
            result += isHyphen ? "-" : escaped(characters[index]) ?? "\(characters[index])"
        }
    }

    /// Returns the escape of a character that roff would replace by a typographic one.
    private static func escaped(_ character: Character) -> String? {
        switch character {
        case "\\": "\\e"
        case "-": "\\-"
        case "'": "\\(aq"
        case "`": "\\(ga"
        case "^": "\\(ha"
        case "~": "\\(ti"
        case "\"": "\\(dq"
        default: nil
        }
    }

    /// Returns a line protected from being read as a request.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") ? "\\&\(line)" : line
    }
}
