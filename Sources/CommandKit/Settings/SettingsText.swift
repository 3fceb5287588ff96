/// The text of a configuration file, in the manner of git: sections in brackets, `key = value`, comments behind `#`.
///
/// Every line is kept as it is, so that a change touches nothing else. What cannot be read is a ``Mistake``, and the rest
/// of the file is read all the same. A line break, with or without a carriage return, ends a line; a byte order mark at the
/// start is passed over.
public struct SettingsText: Sendable {
    /// A value, and where it stands.
    public struct Entry: Hashable, Sendable {
        /// The section and the name in it: `send.wait`.
        public let key: String
        public let value: String
        /// The number of the line, from 1.
        public let line: Int
        /// The bytes of the line that say the value, and its quotes if it has some.
        let place: Range<Int>
        /// Where the key begins in its line: behind a section that stands in the same line.
        let start: Int

        init(key: String, value: String, line: Int, place: Range<Int>, start: Int) {
            (self.key, self.value, self.line, self.place, self.start) = (key, value, line, place, start)
        }

        /// A value whose file is not at hand.
        init(key: String, value: String, line: Int) {
            self.init(key: key, value: value, line: line, place: 0..<0, start: 0)
        }
    }

    /// A line that means nothing.
    public struct Mistake: Error, Hashable, Sendable {
        public let line: Int
        public let kind: Kind

        public init(line: Int, kind: Kind) {
            self.line = line
            self.kind = kind
        }

        public enum Kind: Hashable, Sendable, CaseIterable {
            case encoding
            case controlCharacter
            /// A section that does not end with a bracket, or whose name has other characters than letters, digits, `-`, `_`
            /// and a dot or a space between words.
            case section
            /// A key before the first section.
            case noSection
            /// A name with other characters than letters, digits, `-` and `_`.
            case name
            case noEqualsSign
            /// A value that begins with a quote, and does not end with one.
            case quotes
            /// A backslash in quotes before something else than `"`, `\`, `n` or `t`.
            case escape
        }
    }

    /// The largest file that makes sense, in bytes.
    public static let limit = 65536

    /// The lines without their ends, as bytes: what is not UTF-8 is kept as well.
    private(set) var lines: [[UInt8]]
    /// Whether lines end with a carriage return too.
    let hasCarriageReturns: Bool
    private let hasByteOrderMark: Bool
    /// What is said, in the order of the lines.
    public private(set) var entries: [Entry] = []
    public private(set) var mistakes: [Mistake] = []
    /// The name of the section that each line belongs to, at its end.
    private(set) var sections: [String?] = []

    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Reads the bytes of a file. All bytes that there can be are the text of a file, with mistakes or without.
    public init(_ bytes: [UInt8]) {
        hasByteOrderMark = bytes.starts(with: SettingsText.byteOrderMark)
        let text = bytes.dropFirst(hasByteOrderMark ? SettingsText.byteOrderMark.count : 0)
        let parts = text.split(separator: .newline, omittingEmptySubsequences: false)
        hasCarriageReturns = parts.count > 1 && parts.first?.last == .carriageReturn
        // Behind the last line break there is no line.
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
                    // What stands in a section without a name means nothing; the mistake is the section's.
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

/// What is wrong with one line.
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
