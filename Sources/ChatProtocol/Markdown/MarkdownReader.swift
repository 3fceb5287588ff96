import ByteCoding

extension FormattedText {
    /// Returns the parts of a text with marks, or nil for a text without marks.
    ///
    /// The marks are those that the official applications show: a mark starts after a space or after another mark,
    /// and the marked text does not start or end with a space. A text of one line that starts with `/` is one command.
    /// Line breaks at the end are not in the parts. Takes linear time.
    ///
    /// - Parameter link: Reads a link of the network; returns nil for another text.
    public static func parts(of text: String, link: (String) -> SimplexLink?) -> [FormattedText]? {
        var lines = Array(text.unicodeScalars).split(separator: "\n", omittingEmptySubsequences: false)
        // A line break ends a line, and no other line follows it.
        if lines.last?.isEmpty == true { lines.removeLast() }
        if lines.count == 1, let line = lines.first {
            let typed = line.drop { $0 == " " }
            guard typed.count > 1 else { return nil }
            if typed.first == "/" { return [FormattedText(.command(String(typed.dropFirst())), String(line))] }
        }
        var parts = FormattedParts()
        for (index, line) in lines.enumerated() {
            if index > 0 { parts.append(nil, ["\n"]) }
            var reader = MarkdownReader(line)
            reader.read(into: &parts, link)
        }
        return parts.isFormatted ? parts.finished : nil
    }
}

extension String {
    init(_ scalars: ArraySlice<Unicode.Scalar>) {
        var view = UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}

/// Parts in order. Neighbors of the same format become one.
private struct FormattedParts {
    private var parts: [FormattedText] = []
    private var format: TextFormat?
    private var text = String.UnicodeScalarView()
    private(set) var isFormatted = false

    mutating func append(_ format: TextFormat?, _ text: ArraySlice<Unicode.Scalar>) {
        if format != nil { isFormatted = true }
        if format != self.format { finishPart() }
        self.format = format
        self.text.append(contentsOf: text)
    }

    private mutating func finishPart() {
        if !text.isEmpty { parts.append(FormattedText(format, String(text))) }
        text = String.UnicodeScalarView()
    }

    var finished: [FormattedText] {
        var copy = self
        copy.finishPart()
        return copy.parts
    }
}

/// Reads the marks of one line.
///
/// Each step consumes at least one scalar. A step that fails has looked no further than the next mark of its kind, or
/// than a constant number of scalars, so that hostile texts take linear time.
private struct MarkdownReader {
    private let line: ArraySlice<Unicode.Scalar>
    private var position: Int
    private var brackets = NextScalar("]")
    private var parentheses = NextScalar(")")

    /// The largest length of the address in a hyperlink. Without a limit, each of many unclosed addresses is read up to
    /// the end of the text.
    private static let addressLimit = 4096

    init(_ line: ArraySlice<Unicode.Scalar>) {
        self.line = line
        position = line.startIndex
    }

    mutating func read(into parts: inout FormattedParts, _ link: (String) -> SimplexLink?) {
        while let first = next {
            switch first {
            case " ": parts.append(nil, take { $0 == " " })
            case "*": enclosed("*", .bold, &parts)
            case "_": enclosed("_", .italic, &parts)
            case "~": enclosed("~", .strikeThrough, &parts)
            case "`": enclosed("`", .snippet, &parts)
            case "#":
                if !attempt({ $0.secret(&parts) }), !attempt({ $0.registeredName(.publicGroup, &parts) }) {
                    parts.append(nil, take { $0 != " " })
                }
            case "!": if !attempt({ $0.styled(&parts) }) { word(&parts, link) }
            case "@":
                if !attempt({ $0.registeredName(.contact, &parts) }), !attempt({ $0.mention(&parts) }) {
                    word(&parts, link)
                }
            case "/": if !attempt({ $0.command(&parts) }) { word(&parts, link) }
            case "[": if !attempt({ $0.hyperLink(&parts, link) }) { word(&parts, link) }
            case "+", "0"..."9": if !attempt({ $0.phone(&parts) }) { word(&parts, link) }
            default: word(&parts, link)
            }
        }
    }

    // MARK: - Marks

    /// Reads text between two equal marks. Without the second mark, the line has no more marks.
    private mutating func enclosed(_ mark: Unicode.Scalar, _ format: TextFormat, _ parts: inout FormattedParts) {
        let start = position
        skip(mark)
        let text = take { $0 != mark }
        guard skip(mark) else { return parts.append(nil, line[start...]) }
        if MarkdownReader.isTight(text) {
            parts.append(format, text)
        } else {
            parts.append(nil, line[start..<position])
        }
    }

    /// Reads text between number signs. All but one of several number signs belong to the text.
    private mutating func secret(_ parts: inout FormattedParts) -> Bool {
        let start = position
        skip("#")
        _ = take { $0 == "#" }
        let text = take { $0 != "#" }
        let isClosed = !take { $0 == "#" }.isEmpty
        guard isClosed, MarkdownReader.isTight(text) else { return false }
        parts.append(.secret, line[start..<position].dropFirst().dropLast())
        return true
    }

    /// Reads small or colored text.
    private mutating func styled(_ parts: inout FormattedParts) -> Bool {
        skip("!")
        guard let format = skip("-") ? .small : color().map({ .colored($0) }) as TextFormat?,
            let space = next, space.isSeparatingSpace
        else { return false }
        skip(space)
        guard let first = next, first != " ", first != "!" else { return false }
        let text = take { $0 != "!" }
        guard skip("!"), text.last != " " else { return false }
        parts.append(format, text)
        return true
    }

    private mutating func color() -> TextColor? {
        guard let sign = next else { return nil }
        skip(sign)
        switch sign {
        case "1": return .red
        case "2": return .green
        case "3": return .blue
        case "4": return .yellow
        case "5": return .cyan
        case "6": return .magenta
        default:
            let color = TextColor.allCases.first { $0.rawValue.unicodeScalars.first == sign }
            if let color { _ = skip(all: color.rawValue.unicodeScalars.dropFirst()) }
            return color
        }
    }

    // MARK: - Names and commands

    /// Reads a registered name with its sign. Punctuation at the end does not belong to it.
    private mutating func registeredName(_ kind: SimplexName.Kind, _ parts: inout FormattedParts) -> Bool {
        let word = take { $0 != " " }
        var text = word.dropFirst()
        while text.last?.isPunctuation == true { text.removeLast() }
        guard let name = SimplexName(kind, text) else { return false }
        parts.append(.simplexName(name), line[word.startIndex..<text.endIndex])
        if text.endIndex < word.endIndex { parts.append(nil, line[text.endIndex..<word.endIndex]) }
        return true
    }

    private mutating func mention(_ parts: inout FormattedParts) -> Bool {
        let start = position
        skip("@")
        guard let name = name() else { return false }
        add(.mention(String(name.text)), name, from: start, &parts)
        return true
    }

    private mutating func command(_ parts: inout FormattedParts) -> Bool {
        let start = position
        skip("/")
        guard let command = name() else { return false }
        let keyword = command.text.drop(while: \.isSeparatingSpace).prefix { !$0.isSeparatingSpace }
        guard !keyword.isEmpty, keyword.allSatisfy(\.isKeywordPart) else { return false }
        add(.command(String(command.text)), command, from: start, &parts)
        return true
    }

    private struct Name {
        let text: ArraySlice<Unicode.Scalar>
        let isQuoted: Bool
    }

    /// Reads a name between apostrophes, or a word. Punctuation at the end does not belong to a word.
    private mutating func name() -> Name? {
        guard next != "'" else {
            skip("'")
            guard next?.startsName == true else { return nil }
            let text = take { $0 != "'" }
            return skip("'") ? Name(text: text, isQuoted: true) : nil
        }
        guard next?.startsName == true else { return nil }
        var text = take { !$0.isSeparatingSpace }
        while text.last?.isPunctuation == true { text.removeLast() }
        return Name(text: text, isQuoted: false)
    }

    /// Adds a name with its sign, then the punctuation after it.
    private func add(_ format: TextFormat, _ name: Name, from start: Int, _ parts: inout FormattedParts) {
        let end = name.isQuoted ? position : name.text.endIndex
        parts.append(format, line[start..<end])
        if end < position { parts.append(nil, line[end..<position]) }
    }

    // MARK: - Links

    private mutating func hyperLink(_ parts: inout FormattedParts, _ link: (String) -> SimplexLink?) -> Bool {
        let start = position
        guard let end = brackets.index(in: line, from: position), end > start + 1, end + 1 < line.endIndex,
            line[end + 1] == "("
        else { return false }
        let text = line[(start + 1)..<end]
        guard let close = parentheses.index(in: line, from: end + 2), close > end + 2,
            close - end <= MarkdownReader.addressLimit
        else { return false }
        let address = line[(end + 2)..<close]
        // SECURITY: a text that looks like another address would lead readers astray.
        guard MarkdownReader.isHonest(text, address), let format = format(String(text), String(address), link) else {
            return false
        }
        position = close + 1
        parts.append(format, line[start..<position])
        return true
    }

    private static func isHonest(_ text: ArraySlice<Unicode.Scalar>, _ address: ArraySlice<Unicode.Scalar>) -> Bool {
        guard text.contains(where: { $0.isPunctuation && $0 != "-" && $0 != "_" }) else { return true }
        let scheme = "https://".unicodeScalars
        if text.count == address.count { return text == address }
        return text.count + scheme.count == address.count && address.starts(with: scheme)
            && text == address.dropFirst(scheme.count)
    }

    private func format(_ text: String, _ address: String, _ link: (String) -> SimplexLink?) -> TextFormat? {
        if let link = link(address) { return link.isFull ? nil : .simplexLink(link, showText: text) }
        return (try? WebAddress(text: address)) == nil ? nil : .hyperLink(showText: text, uri: address)
    }

    // MARK: - Numbers and words

    /// Reads 7 to 22 digits and separators: `+44 (0) 7777 777 777`.
    private mutating func phone(_ parts: inout FormattedParts) -> Bool {
        let start = position
        _ = attempt { $0.skip("+") && $0.digits() }
        _ = attempt { reader in
            reader.separator()
            return reader.skip("(") && reader.digits() && reader.skip(")")
        }
        // The limit ends the search, so that a long row of numbers is not read again from each of them.
        var isNumber = true
        while isNumber, position - start <= 22 {
            isNumber = attempt { reader in
                reader.separator()
                return reader.digits()
            }
        }
        guard (7...22).contains(position - start) else { return false }
        parts.append(.phone, line[start..<position])
        return true
    }

    /// Reads at least one digit. Stops after more digits than a number may have.
    private mutating func digits() -> Bool {
        let start = position
        while position - start <= 22, let digit = next, ("0"..."9").contains(digit) { position += 1 }
        return position > start
    }

    private mutating func separator() {
        if let sign = next, sign == " " || sign == "-" || sign == "." { position += 1 }
    }

    /// Reads a word up to a space: an address of some kind, possibly with punctuation after it, or plain text.
    private mutating func word(_ parts: inout FormattedParts, _ link: (String) -> SimplexLink?) {
        let word = take { $0 != " " }
        var address = word
        while let last = address.last, !"/)_!".unicodeScalars.contains(last), last.isPunctuation {
            address.removeLast()
        }
        guard let format = WordFormat.format(of: address, in: word, link) else { return parts.append(nil, word) }
        parts.append(format, address)
        if address.endIndex < word.endIndex { parts.append(nil, line[address.endIndex..<word.endIndex]) }
    }

    // MARK: - Steps

    private static func isTight(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        !text.isEmpty && text.first != " " && text.last != " "
    }

    private var next: Unicode.Scalar? { position < line.endIndex ? line[position] : nil }

    @discardableResult
    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func skip(all scalars: some Collection<Unicode.Scalar>) -> Bool {
        guard line[position...].starts(with: scalars) else { return false }
        position += scalars.count
        return true
    }

    private mutating func take(while isIncluded: (Unicode.Scalar) -> Bool) -> ArraySlice<Unicode.Scalar> {
        let start = position
        while let scalar = next, isIncluded(scalar) { position += 1 }
        return line[start..<position]
    }

    /// Returns to the start of a step that fails.
    private mutating func attempt(_ step: (inout MarkdownReader) -> Bool) -> Bool {
        let start = position
        guard step(&self) else {
            position = start
            return false
        }
        return true
    }
}

/// The next occurrence of a scalar, searched once.
private struct NextScalar {
    private let scalar: Unicode.Scalar
    private var searchedFrom = 0
    private var found: Int?
    private var wasSearched = false

    init(_ scalar: Unicode.Scalar) {
        self.scalar = scalar
    }

    /// Returns the first index of the scalar from `start` on.
    mutating func index(in line: ArraySlice<Unicode.Scalar>, from start: Int) -> Int? {
        if wasSearched, start >= searchedFrom {
            guard let found else { return nil }
            if found >= start { return found }
        }
        wasSearched = true
        searchedFrom = start
        found = start <= line.endIndex ? line[start...].firstIndex(of: scalar) : nil
        return found
    }
}
