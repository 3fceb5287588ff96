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
