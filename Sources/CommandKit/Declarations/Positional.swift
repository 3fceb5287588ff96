/// A positional argument, and the key to its value in ``Parsed``.
public struct Positional<Value: Sendable>: DeclaresPositional {
    /// The declaration as data.
    public let declaration: PositionalDeclaration
    /// Returns the value of these words, each accepted by the declaration; nil only for too few words.
    let value: @Sendable ([String]) -> Value?

    /// Creates a required argument.
    public init(_ name: String, _ abstract: String, _ kind: ValueKind<Value>) {
        declaration = PositionalDeclaration(name, abstract, .required, kind.form) { kind.read($0) != nil }
        value = { $0.first.flatMap(kind.read) }
    }

    /// Creates an optional argument.
    public init<Word>(optional name: String, _ abstract: String, _ kind: ValueKind<Word>) where Value == Word? {
        declaration = PositionalDeclaration(name, abstract, .optional, kind.form) { kind.read($0) != nil }
        value = { .some($0.first.flatMap(kind.read)) }
    }

    /// Creates a list of all remaining arguments, at least `minimum` (zero or one).
    public init<Word>(
        repeated name: String, _ abstract: String, _ kind: ValueKind<Word>, minimum: Int = 1
    ) where Value == [Word] {
        let arity = PositionalDeclaration.Arity.repeated(mayBeMissing: minimum == 0)
        declaration = PositionalDeclaration(name, abstract, arity, kind.form) { kind.read($0) != nil }
        value = { $0.compactMap(kind.read) }
    }
}

/// A positional argument with a value of any type, for the lists in a ``Command``.
public protocol DeclaresPositional: Sendable {
    /// The declaration as data.
    var declaration: PositionalDeclaration { get }
}

/// A positional argument as data.
public struct PositionalDeclaration: Sendable {
    /// The number of words of an argument.
    public enum Arity: Hashable, Sendable {
        /// One word, or at most one.
        case required, optional
        /// All remaining words.
        case repeated(mayBeMissing: Bool)
    }

    /// The form in help: `TARGET`, `TEXT|-`.
    public let name: String
    /// The summary in one line.
    public let abstract: String
    /// The number of words.
    public let arity: Arity
    /// The form of the value.
    public let form: ValueForm
    /// Returns true if a word is a value of this argument.
    let accepts: @Sendable (String) -> Bool

    init(
        _ name: String, _ abstract: String, _ arity: Arity, _ form: ValueForm,
        accepts: @escaping @Sendable (String) -> Bool
    ) {
        self.name = name
        self.abstract = abstract
        self.arity = arity
        self.form = form
        self.accepts = accepts
    }

    /// True if the argument is not required.
    public var mayBeMissing: Bool {
        switch arity {
        case .required: false
        case .optional: true
        case .repeated(let mayBeMissing): mayBeMissing
        }
    }

    /// True if the argument takes all remaining words.
    public var isRepeated: Bool {
        if case .repeated = arity { true } else { false }
    }
}
