/// The text of a configuration file, in the form of git: sections in brackets, `key = value`, comments after `#`.
///
/// Every line is preserved, so that a change affects no other line. A malformed line is a ``Mistake``, and the rest of
/// the file is still read. A line break, with or without a carriage return, ends a line. A byte order mark at the start
/// is ignored.
public struct SettingsText: Sendable {
    /// A value with its location.
    public struct Entry: Hashable, Sendable {
        /// The section and the name: `send.wait`.
        public let key: String
        /// The value.
        public let value: String
        /// The number of the line, from 1.
        public let line: Int
        /// The bytes of the value in the line, including quotes.
        let place: Range<Int>
        /// The offset of the key in its line, after a section in the same line.
        let start: Int

        init(key: String, value: String, line: Int, place: Range<Int>, start: Int) {
            (self.key, self.value, self.line, self.place, self.start) = (key, value, line, place, start)
        }

        /// Creates a value without a file.
        init(key: String, value: String, line: Int) {
            self.init(key: key, value: value, line: line, place: 0..<0, start: 0)
        }
    }

    /// A malformed line.
    public struct Mistake: Error, Hashable, Sendable {
        /// The number of the line, from 1.
        public let line: Int
        /// The kind of mistake.
        public let kind: Kind

        /// Creates a mistake from its parts.
        public init(line: Int, kind: Kind) {
            self.line = line
            self.kind = kind
        }

        /// A kind of mistake.
        public enum Kind: Hashable, Sendable, CaseIterable {
            /// The line is not UTF-8.
            case encoding
            /// The line has a control character.
            case controlCharacter
            /// A section does not end with a bracket, or its name has characters other than letters, digits, `-`, `_`
            /// and a dot or space between words.
            case section
            /// A key precedes the first section.
            case noSection
            /// A name has characters other than letters, digits, `-` and `_`.
            case name
            /// The equals sign is missing.
            case noEqualsSign
            /// A value starts with a quote, and does not end with one.
            case quotes
            /// A backslash in quotes precedes a character other than `"`, `\`, `n` or `t`.
            case escape
        }
    }

    /// The largest accepted file in bytes.
    public static let limit = 65536

    /// The lines without their ends, as bytes, including lines that are not UTF-8.
    private(set) var lines: [[UInt8]]
    /// True if lines end with a carriage return too.
    let hasCarriageReturns: Bool
    private let hasByteOrderMark: Bool
    /// The values in the order of the lines.
    public private(set) var entries: [Entry] = []
    /// The mistakes in the order of the lines.
    public private(set) var mistakes: [Mistake] = []
    /// The section at the end of each line.
    private(set) var sections: [String?] = []

    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Reads the bytes of a file. Any bytes are accepted, with mistakes or without.
    public init(_ bytes: [UInt8]) {
        hasByteOrderMark = bytes.starts(with: SettingsText.byteOrderMark)
        let text = bytes.dropFirst(hasByteOrderMark ? SettingsText.byteOrderMark.count : 0)
        let parts = text.split(separator: .newline, omittingEmptySubsequences: false)
        hasCarriageReturns = parts.count > 1 && parts.first?.last == .carriageReturn
        // There is no line after the last line break.
        let isEnded = parts.last?.isEmpty ?? true
        lines = parts.prefix(isEnded ? parts.count - 1 : parts.count).map { line in
            line.last == .carriageReturn ? Array(line.dropLast()) : Array(line)
        }
        read()
    }

    init(_ lines: [[UInt8]], like other: SettingsText) {
        self.lines = lines
        hasCarriageReturns = other.hasCarriageReturns
        hasByteOrderMark = other.hasByteOrderMark
        read()
    }

    /// The bytes of the file.
    public var bytes: [UInt8] {
        let end: [UInt8] = hasCarriageReturns ? [.carriageReturn, .newline] : [.newline]
        return (hasByteOrderMark ? SettingsText.byteOrderMark : []) + lines.flatMap { $0 + end }
    }

    // MARK: - Reading

    private mutating func read() {
        var section: String?, isUnreadable = false
        for (index, line) in lines.enumerated() {
            do throws(Defect) {
                var reader = SettingsLineReader(line)
                try reader.check()
                if let name = try reader.section() {
                    section = name
                    isUnreadable = false
                }
                if let (start, name) = try reader.name() {
                    let (value, place) = try reader.value()
                    // An entry in a malformed section is ignored; the mistake is the section's.
                    if let section {
                        entries.append(
                            Entry(
                                key: "\(section).\(name)", value: value, line: index + 1, place: place, start: start))
                    } else if !isUnreadable {
                        throw Defect(.noSection)
                    }
                }
            } catch {
                mistakes.append(Mistake(line: index + 1, kind: error.kind))
                if error.kind == .section { (section, isUnreadable) = (nil, true) }
            }
            sections.append(section)
        }
    }
}

/// The mistake in one line.
struct Defect: Error {
    let kind: SettingsText.Mistake.Kind

    init(_ kind: SettingsText.Mistake.Kind) {
        self.kind = kind
    }
}

extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let tab = UInt8(ascii: "\t")
    static let numberSign = UInt8(ascii: "#")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    var isBlank: Bool { self == UInt8(ascii: " ") || self == .tab }
}

extension SettingsText {
    /// Returns the text with these values for a key, one line each, and otherwise unchanged. The last line with the key
    /// keeps its position and comment; without one, the new lines go to the end of the section.
    ///
    /// - Parameter key: A section and a name, as in ``Entry/key``.
    /// - Returns: Nil if a value has control characters without a spelling, or the key could not be read back.
    public func setting(_ key: String, to values: [String]) -> SettingsText? {
        let written = values.compactMap(SettingsLineReader.written)
        guard written.count == values.count, let first = written.first, let last = written.last,
            let dot = key.lastIndex(of: ".")
        else { return nil }
        let section = String(key[..<dot]), name = String(key[key.index(after: dot)...])
        let words = section.split(separator: ".", omittingEmptySubsequences: false).map(String.init) + [name]
        guard words.allSatisfy(SettingsLineReader.isName) else { return nil }
        func line(_ value: [UInt8]) -> [UInt8] {
            indentation(of: section) + Array("\(name) =".utf8) + (value.isEmpty ? [] : [0x20]) + value
        }
        let old = entries.filter { $0.key == key }
        guard let entry = old.last else { return adding(written.map(line), to: section) }
        var lines = removing(old.dropLast(), from: lines)
        let index = entry.line - 1 - old.dropLast().filter(isOnlyEntry).count
        // An entry after a section in the same line comes first.
        let isFirst = !isOnlyEntry(entry)
        let more = (isFirst ? written.dropFirst() : written.dropLast()).map(line)
        lines[index].replaceSubrange(entry.place, with: entry.fitting(isFirst ? first : last, into: lines[index]))
        lines.insert(contentsOf: more, at: isFirst ? index + 1 : index)
        return SettingsText(lines, like: self)
    }

    /// Returns the text without a key, otherwise unchanged.
    public func removing(_ key: String) -> SettingsText {
        SettingsText(removing(entries.filter { $0.key == key }[...], from: lines), like: self)
    }

    // MARK: - Lines

    /// Returns the indentation of the entries in a section.
    private func indentation(of section: String) -> [UInt8] {
        let others = entries.filter { $0.key.hasPrefix("\(section).") && isOnlyEntry($0) } + entries.filter(isOnlyEntry)
        return others.first.map { Array(lines[$0.line - 1].prefix($0.start)) } ?? []
    }

    private func firstLetter(of line: [UInt8]) -> Int {
        line.firstIndex { !$0.isBlank } ?? 0
    }

    /// Returns true if the line contains only the entry, and an optional comment.
    private func isOnlyEntry(_ entry: Entry) -> Bool {
        firstLetter(of: lines[entry.line - 1]) == entry.start
    }

    private func removing(_ entries: ArraySlice<Entry>, from lines: [[UInt8]]) -> [[UInt8]] {
        var lines = lines
        for entry in entries.reversed() {
            if isOnlyEntry(entry) {
                lines.remove(at: entry.line - 1)
            } else {
                lines[entry.line - 1].removeSubrange(entry.start..<entry.place.upperBound)
                while lines[entry.line - 1].last?.isBlank == true { lines[entry.line - 1].removeLast() }
            }
        }
        return lines
    }

    private func adding(_ new: [[UInt8]], to section: String) -> SettingsText {
        var lines = lines
        guard let last = sections.lastIndex(of: section) else {
            let gap: [[UInt8]] = lines.last?.isEmpty ?? true ? [] : [[]]
            return SettingsText(lines + gap + [Array("[\(section)]".utf8)] + new, like: self)
        }
        // Empty lines at the end of a section separate it from the next one, like comments after them.
        let first = sections[...last].lastIndex { $0 != section }.map { $0 + 1 } ?? 0
        let spoken = Set(entries.map { $0.line - 1 })
        let place = (first...last).last { spoken.contains($0) || lines[$0].contains(UInt8(ascii: "[")) } ?? last
        lines.insert(contentsOf: new, at: place + 1)
        return SettingsText(lines, like: self)
    }
}

extension SettingsText.Entry {
    /// Returns the bytes of another value with the spaces around the former one.
    fileprivate func fitting(_ value: [UInt8], into line: [UInt8]) -> [UInt8] {
        let isCrowded = place.isEmpty && line.prefix(place.lowerBound).last == UInt8(ascii: "=")
        let touchesComment = line.dropFirst(place.upperBound).first.map { !$0.isBlank } ?? false
        return (isCrowded ? [0x20] : []) + value + (touchesComment ? [0x20] : [])
    }
}
