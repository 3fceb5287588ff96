/// A reader of shell lines, which finds the calls of a program to check examples.
///
/// It supports quotes, backslashes, comments, redirections, assignments before a command, and separators of commands.
/// Nothing is expanded: `"$(cat file)"` is a plain word.
enum ShellLine {
    /// Returns the arguments of each call of `program` in `line`.
    static func calls(of program: String, in line: String) -> [[String]] {
        commands(in: line).compactMap { command in
            // After `xargs`, `exec` or assignments the program is not the first word.
            guard let start = command.firstIndex(of: program) else { return nil }
            return Array(command[command.index(after: start)...])
        }
    }

    /// Returns the words of a single command without redirections, or no words for an empty line. Returns nil for other
    /// lines and for unclosed quotes.
    static func words(of line: String) -> [String]? {
        var reader = ShellReader(line)
        var words: [String] = []
        while let token = reader.next() {
            guard case .word(let word) = token else { return nil }
            words.append(word)
        }
        return reader.isUnclosed || reader.isRedirected ? nil : words
    }

    /// Returns the words of each simple command.
    private static func commands(in line: String) -> [[String]] {
        var reader = ShellReader(line)
        var commands: [[String]] = [[]]
        while let token = reader.next() {
            switch token {
            case .separator: commands.append([])
            case .word(let word): commands[commands.count - 1].append(word)
            }
        }
        return commands
    }
}

/// A splitter of a shell line into words and separators.
private struct ShellReader {
    enum Token {
        case word(String)
        case separator
    }

    private var rest: Substring
    /// True if the line ends inside of a quote or after a backslash.
    private(set) var isUnclosed = false
    /// True if the line has a redirection.
    private(set) var isRedirected = false
    private static let separators: Set<Character> = ["|", "&", ";", "(", ")", "\n", "`"]

    init(_ line: String) {
        rest = line[...]
    }

    mutating func next() -> Token? {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard let character = rest.first else { return nil }
        if character == "#" {
            rest = rest.drop { $0 != "\n" }
            return next()
        }
        if ShellReader.separators.contains(character) {
            rest.removeFirst()
            return .separator
        }
        if let redirection = redirection() {
            isRedirected = true
            rest = redirection
            rest = rest.drop { $0 == " " }
            _ = word()
            return next()
        }
        return .word(word())
    }

    /// Reads a redirection sign such as `2>`, `>>`, `<` or `>&`, if it is next.
    private func redirection() -> Substring? {
        let sign = rest.drop { $0.isNumber }
        guard let first = sign.first, first == ">" || first == "<" else { return nil }
        return sign.drop { $0 == ">" || $0 == "<" || $0 == "&" }
    }

    private mutating func word() -> String {
        var word = ""
        while let character = rest.first {
            switch character {
            case " ", "\t", ">", "<": return word
            case _ where ShellReader.separators.contains(character): return word
            case "'":
                rest.removeFirst()
                word += rest.prefix { $0 != "'" }
                rest = rest.drop { $0 != "'" }
                isUnclosed = isUnclosed || rest.isEmpty
                rest = rest.dropFirst()
            case "\"":
                rest.removeFirst()
                var isOpen = true
                while isOpen, let inner = rest.popFirst() {
                    isOpen = inner != "\""
                    if isOpen { word.append(inner == "\\" ? rest.popFirst() ?? inner : inner) }
                }
                isUnclosed = isUnclosed || isOpen
            case "\\":
                rest.removeFirst()
                if let escaped = rest.popFirst() { word.append(escaped) } else { isUnclosed = true }
            default:
                word.append(character)
                rest.removeFirst()
            }
        }
        return word
    }
}
