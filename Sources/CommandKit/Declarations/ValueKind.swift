import ByteCoding

/// What one word of a command line may be, and how it becomes a `Value`.
///
/// The kinds that every program needs are static members (`.text()`, `.duration()`); a face adds its own with
/// ``init(_:read:write:)``, so that a word is refused where it was written and not somewhere inside of a command.
public struct ValueKind<Value: Sendable>: Sendable {
    public let form: ValueForm
    public let read: @Sendable (String) -> Value?
    public let write: @Sendable (Value) -> String

    /// `read` returns nil for a word that is not of this kind; `write` gives a word that `read` accepts.
    public init(
        _ form: ValueForm, read: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String
    ) {
        self.form = form
        self.read = read
        self.write = write
    }
}

/// What help, completion and error sentences say about a value.
public struct ValueForm: Hashable, Sendable {
    private let name: String?
    private let demand: String?
    /// Every allowed word, or nothing if the words are not a closed list.
    public let choices: [String]
    public let completion: Completion
    /// Whether the word must not appear in messages.
    public let isSecret: Bool

    /// What stands for the value in help: `TARGET`, `queued|sent`.
    public var metavariable: String { name ?? choices.joined(separator: "|") }

    /// What a word must be, as the end of the sentence "expected ...".
    public var expected: String { demand ?? WordGrammar.alternatives(choices) }

    public init(
        _ metavariable: String, expected: String, choices: [String] = [], completing completion: Completion = .nothing,
        isSecret: Bool = false
    ) {
        name = metavariable
        demand = expected
        self.choices = choices
        self.completion = completion
        self.isSecret = isSecret
    }

    /// One of several words, which stand in help themselves unless there is a metavariable.
    init(choices: [String], metavariable: String?) {
        name = metavariable
        demand = nil
        self.choices = choices
        completion = .nothing
        isSecret = false
    }
}

extension ValueKind {
    /// The value of a word; nil for one that is not of this kind.
    public func value(of word: String) -> Value? { read(word) }

    /// A word for a value.
    public func word(for value: Value) -> String { write(value) }
}

extension ValueKind where Value == String {
    /// Any text, also the empty one. A secret one is never repeated in a message.
    public static func text(
        _ metavariable: String = "TEXT", completing completion: Completion = .nothing, isSecret: Bool = false
    ) -> ValueKind {
        ValueKind(
            ValueForm(metavariable, expected: "a text", completing: completion, isSecret: isSecret),
            read: { $0 }, write: { $0 })
    }

    /// The path of a file, or of a folder; not empty. Whether it exists is a question for the command.
    public static func path(_ metavariable: String = "FILE", completing completion: Completion = .file) -> ValueKind {
        ValueKind(
            ValueForm(metavariable, expected: "a path", completing: completion),
            read: { $0.isEmpty ? nil : $0 }, write: { $0 })
    }
}

extension ValueKind where Value == Int {
    /// A decimal number in `range`, which starts at zero or above: words with a minus sign are options.
    public static func count(_ metavariable: String = "N", in range: ClosedRange<Int> = 0...Int.max) -> ValueKind {
        let bounds =
            range.upperBound == .max ? "from \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        return ValueKind(
            ValueForm(metavariable, expected: "a number \(bounds)"),
            read: { word in
                guard let number: Int = WordGrammar.number(word), range.contains(number) else { return nil }
                return number
            },
            write: { "\($0)" })
    }

    /// A number of bytes: `800`, or with a unit of 1024 as in `64K`, `10M`, `2G`, `1T`.
    public static func size(_ metavariable: String = "SIZE") -> ValueKind {
        ValueKind(
            ValueForm(metavariable, expected: "a size such as 800, 64K, 10M or 2G"),
            read: { WordGrammar.measured($0, in: WordGrammar.size).flatMap { Int(exactly: $0) } },
            write: { WordGrammar.word(for: Int64($0), in: WordGrammar.size) })
    }
}

extension ValueKind where Value == Duration {
    /// A whole number of one unit: `500ms`, `30s`, `10m`, `2h`, `7d`, up to 100 years (36500d).
    public static func duration(_ metavariable: String = "TIME") -> ValueKind {
        ValueKind(
            ValueForm(metavariable, expected: "a duration such as 500ms, 30s or 10m"),
            read: { word in
                let milliseconds = WordGrammar.measured(word, in: WordGrammar.time)
                return milliseconds.flatMap { $0 <= WordGrammar.longestTime ? .milliseconds($0) : nil }
            },
            write: { duration in
                let (seconds, attoseconds) = duration.components
                let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
                return WordGrammar.word(for: milliseconds, in: WordGrammar.time)
            })
    }
}

extension ValueKind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the words of an enumeration; without a metavariable the words themselves stand in help.
    public static func choice(_ metavariable: String? = nil) -> ValueKind {
        ValueKind(
            ValueForm(choices: Value.allCases.map { $0.rawValue }, metavariable: metavariable),
            read: { Value(rawValue: $0) }, write: { $0.rawValue })
    }
}

/// The spelling of numbers, alone or with a unit.
enum WordGrammar {
    /// Units and how many of the smallest one each is; the largest comes first.
    struct Units: Sendable {
        let names: [(name: StaticString, size: Int64)]
        /// How nothing is written.
        let zero: String
    }

    /// In milliseconds.
    static let time = Units(
        names: [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)], zero: "0s")
    /// In bytes.
    static let size = Units(
        names: [("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10), ("", 1)], zero: "0")

    /// `a, b or c`
    static func alternatives(_ words: [String]) -> String {
        var sentence = ""
        for (index, word) in words.enumerated() {
            if index > 0 { sentence += index == words.count - 1 ? " or " : ", " }
            sentence += word
        }
        return sentence
    }

    /// A decimal number without sign.
    static func number<Value: FixedWidthInteger>(_ word: String) -> Value? {
        var reader = TextReader(word)
        guard let number = try? reader.number(Value.self), reader.isAtEnd else { return nil }
        return number
    }

    /// 100 years in milliseconds: more than anyone waits, and far from where numbers of nanoseconds overflow.
    static let longestTime: Int64 = 36_500 * 86_400_000

    /// A number and one unit, counted in the smallest unit; nil if that is too much to count.
    static func measured(_ word: String, in units: Units) -> Int64? {
        var reader = TextReader(word)
        guard let number = try? reader.number(Int64.self) else { return nil }
        let name = reader.rest()
        guard let unit = units.names.first(where: { $0.name.description == name }) else { return nil }
        let (value, overflow) = number.multipliedReportingOverflow(by: unit.size)
        return overflow ? nil : value
    }

    /// The shortest word that ``measured(_:in:)`` reads as `value`.
    static func word(for value: Int64, in units: Units) -> String {
        guard value != 0, let unit = units.names.first(where: { value % $0.size == 0 }) else { return units.zero }
        return "\(value / unit.size)\(unit.name)"
    }
}
