import ByteCoding

/// The kind of a word in a command line, with its conversion to a `Value`.
///
/// General kinds are static members (`.text()`, `.duration()`). A face adds its own with ``init(_:read:write:)``, so
/// that the parser rejects an invalid word before the command runs.
public struct ValueKind<Value: Sendable>: Sendable {
    /// The form for help, completion and errors.
    public let form: ValueForm
    /// Converts a word to a value; nil for an invalid word.
    public let read: @Sendable (String) -> Value?
    /// Converts a value to a word.
    public let write: @Sendable (Value) -> String

    /// Creates a kind. `read` returns nil for an invalid word; `write` returns a word that `read` accepts.
    public init(
        _ form: ValueForm, read: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String
    ) {
        self.form = form
        self.read = read
        self.write = write
    }
}

/// The form of a value in help, completion and errors.
public struct ValueForm: Hashable, Sendable {
    private let name: String?
    private let demand: String?
    /// All allowed words; empty if the words are not a closed list.
    public let choices: [String]
    /// The kind of shell completion.
    public let completion: Completion
    /// True if messages must not contain the word.
    public let isSecret: Bool

    /// The placeholder of the value in help: `TARGET`, `queued|sent`.
    public var metavariable: String { name ?? choices.joined(separator: "|") }

    /// The expected word, as the end of the sentence "expected ...".
    public var expected: String { demand ?? WordGrammar.alternatives(choices) }

    /// Creates a value form from its parts.
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

    /// Creates a closed list of words, which help shows unless there is a placeholder.
    init(choices: [String], metavariable: String?) {
        name = metavariable
        demand = nil
        self.choices = choices
        completion = .nothing
        isSecret = false
    }
}

extension ValueKind {
    /// Returns the value of a word, or nil for an invalid word.
    public func value(of word: String) -> Value? { read(word) }

    /// Returns a word for a value.
    public func word(for value: Value) -> String { write(value) }
}

extension ValueKind where Value == String {
    /// Returns the kind of any text, including the empty one. Messages never contain a secret one.
    public static func text(
        _ metavariable: String = "TEXT", completing completion: Completion = .nothing, isSecret: Bool = false
    ) -> ValueKind {
        ValueKind(
            ValueForm(metavariable, expected: "a text", completing: completion, isSecret: isSecret),
            read: { $0 }, write: { $0 })
    }

    /// Returns the kind of a path, not empty. The command checks whether the path exists.
    public static func path(_ metavariable: String = "FILE", completing completion: Completion = .file) -> ValueKind {
        ValueKind(
            ValueForm(metavariable, expected: "a path", completing: completion),
            read: { $0.isEmpty ? nil : $0 }, write: { $0 })
    }
}

extension ValueKind where Value == Int {
    /// Returns the kind of a decimal number in `range`, which starts at zero or above: words with a minus sign are
    /// options.
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

    /// Returns the kind of a size in bytes: `800`, or with a unit of 1024 as in `64K`, `10M`, `2G`, `1T`.
    public static func size(_ metavariable: String = "SIZE") -> ValueKind {
        ValueKind(
            ValueForm(metavariable, expected: "a size such as 800, 64K, 10M or 2G"),
            read: { WordGrammar.measured($0, in: WordGrammar.size).flatMap { Int(exactly: $0) } },
            write: { WordGrammar.word(for: Int64($0), in: WordGrammar.size) })
    }
}

extension ValueKind where Value == Duration {
    /// Returns the kind of a duration in one unit: `500ms`, `30s`, `10m`, `2h`, `7d`, up to 100 years (36500d).
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
    /// Returns the kind of an enumeration. Without a placeholder help shows the words.
    public static func choice(_ metavariable: String? = nil) -> ValueKind {
        ValueKind(
            ValueForm(choices: Value.allCases.map { $0.rawValue }, metavariable: metavariable),
            read: { Value(rawValue: $0) }, write: { $0.rawValue })
    }
}

/// The grammar of numbers with and without a unit.
enum WordGrammar {
    /// The units with their sizes in the smallest unit, largest first.
    struct Units: Sendable {
        let names: [(name: StaticString, size: Int64)]
        /// The word for zero.
        let zero: String
    }

    /// The units of time, in milliseconds.
    static let time = Units(
        names: [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)], zero: "0s")
    /// The units of size, in bytes.
    static let size = Units(
        names: [("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10), ("", 1)], zero: "0")

    /// Returns `a, b or c`.
    static func alternatives(_ words: [String]) -> String {
        var sentence = ""
        for (index, word) in words.enumerated() {
            if index > 0 { sentence += index == words.count - 1 ? " or " : ", " }
            sentence += word
        }
        return sentence
    }

    /// Returns a decimal number without sign.
    static func number<Value: FixedWidthInteger>(_ word: String) -> Value? {
        var reader = TextReader(word)
        guard let number = try? reader.number(Value.self), reader.isAtEnd else { return nil }
        return number
    }

    /// The longest duration, 100 years in milliseconds, far below an overflow in nanoseconds.
    static let longestTime: Int64 = 36_500 * 86_400_000

    /// Reads a number with one unit, in the smallest unit; nil for an overflow.
    static func measured(_ word: String, in units: Units) -> Int64? {
        var reader = TextReader(word)
        guard let number = try? reader.number(Int64.self) else { return nil }
        let name = reader.rest()
        guard let unit = units.names.first(where: { $0.name.description == name }) else { return nil }
        let (value, overflow) = number.multipliedReportingOverflow(by: unit.size)
        return overflow ? nil : value
    }

    /// Returns the shortest word that ``measured(_:in:)`` reads as `value`.
    static func word(for value: Int64, in units: Units) -> String {
        guard value != 0, let unit = units.names.first(where: { value % $0.size == 0 }) else { return units.zero }
        return "\(value / unit.size)\(unit.name)"
    }
}
