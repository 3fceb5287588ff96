/// A reader of one line of a configuration file.
struct SettingsLineReader {
    private let line: [UInt8]
    private var position = 0

    init(_ line: [UInt8]) {
        self.line = line
    }

    private var next: UInt8? { line.indices.contains(position) ? line[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte.isBlank { position += 1 }
    }

    /// Returns true if the rest of the line is empty or a comment.
    private mutating func isAtEnd() -> Bool {
        skipBlanks()
        return next == nil || next == .numberSign
    }

    /// Checks that the line is text.
    func check() throws(Defect) {
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == .tab }) else { throw Defect(.controlCharacter) }
        guard String(validating: line, as: UTF8.self) != nil else { throw Defect(.encoding) }
    }

    /// Reads the section that starts here, its words joined by dots, or returns nil.
    mutating func section() throws(Defect) -> String? {
        guard !isAtEnd(), next == UInt8(ascii: "[") else { return nil }
        position += 1
        let start = position
        while let byte = next, byte != UInt8(ascii: "]") { position += 1 }
        guard next != nil else { throw Defect(.section) }
        let words = line[start..<position].split { $0.isBlank || $0 == UInt8(ascii: ".") }
        position += 1
        guard !words.isEmpty, words.joined().allSatisfy(\.isNameLetter) else { throw Defect(.section) }
        return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    }

    /// Reads the name before the equals sign with its offset, or returns nil at the end of the line.
    mutating func name() throws(Defect) -> (start: Int, name: String)? {
        guard !isAtEnd() else { return nil }
        let start = position
        while let byte = next, byte.isNameLetter { position += 1 }
        let name = String(decoding: line[start..<position], as: UTF8.self)
        skipBlanks()
        guard next == UInt8(ascii: "=") else {
            throw Defect(line[position...].contains(UInt8(ascii: "=")) ? .name : .noEqualsSign)
        }
        guard !name.isEmpty else { throw Defect(.name) }
        position += 1
        return (start, name)
    }

    /// Returns true if ``name()`` reads the whole word as a name.
    static func isName(_ word: String) -> Bool { !word.isEmpty && word.utf8.allSatisfy(\.isNameLetter) }

    /// Reads the value with its range of bytes.
    mutating func value() throws(Defect) -> (value: String, place: Range<Int>) {
        skipBlanks()
        let start = position
        if next == .quote {
            let value = try quoted()
            let end = position
            guard isAtEnd() else { throw Defect(.quotes) }
            return (value, start..<end)
        }
        var end = start
        // A comment sign inside of a word is part of the word.
        while let byte = next, byte != .numberSign || position > start && !line[position - 1].isBlank {
            position += 1
            if !byte.isBlank { end = position }
        }
        return (String(decoding: line[start..<end], as: UTF8.self), start..<end)
    }

    /// Reads text in quotes.
    private mutating func quoted() throws(Defect) -> String {
        position += 1
        var bytes: [UInt8] = []
        while let byte = next, byte != .quote {
            position += 1
            guard byte == .backslash else {
                bytes.append(byte)
                continue
            }
            guard let escaped = next, let meant = SettingsLineReader.meanings[escaped] else { throw Defect(.escape) }
            bytes.append(meant)
            position += 1
        }
        guard next == .quote else { throw Defect(.quotes) }
        position += 1
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The characters after a backslash with their meanings.
    private static let meanings: [UInt8: UInt8] = [
        .quote: .quote, .backslash: .backslash, UInt8(ascii: "n"): .newline, UInt8(ascii: "t"): .tab,
    ]

    /// Returns the spelling of a value that ``value()`` reads, or nil for control characters without one.
    static func written(_ value: String) -> [UInt8]? {
        let bytes = Array(value.utf8)
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == .tab || $0 == .newline }) else { return nil }
        var reader = SettingsLineReader(bytes)
        let isPlain = (try? reader.check()) != nil && (try? reader.value())?.place == 0..<bytes.count
        if isPlain, bytes.first != .quote { return bytes }
        let escaped: [UInt8] = bytes.flatMap { byte -> [UInt8] in
            meanings.first { $0.value == byte }.map { [.backslash, $0.key] } ?? [byte]
        }
        return [.quote] + escaped + [.quote]
    }
}

extension UInt8 {
    /// True if the byte is a letter, a digit, `-` or `_`.
    fileprivate var isNameLetter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
