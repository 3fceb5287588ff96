/// An argument that is known by its place, and the key that fetches its value from ``Parsed``.
public struct Positional<Value: Sendable>: DeclaresPositional {
    public let declaration: PositionalDeclaration
    /// The value of these words, each accepted by the declaration; nil only if there are fewer than it demands.
    let value: @Sendable ([String]) -> Value?

    /// An argument that must be there.
    public init(_ name: String, _ abstract: String, _ kind: ValueKind<Value>) {
        declaration = PositionalDeclaration(name, abstract, .required, kind.form) { kind.read($0) != nil }
        value = { $0.first.flatMap(kind.read) }
    }

    /// An argument that may be missing.
    public init<Word>(optional name: String, _ abstract: String, _ kind: ValueKind<Word>) where Value == Word? {
        declaration = PositionalDeclaration(name, abstract, .optional, kind.form) { kind.read($0) != nil }
        value = { .some($0.first.flatMap(kind.read)) }
    }

    /// All arguments from this place on, at least `minimum` (zero or one).
    public init<Word>(
        repeated name: String, _ abstract: String, _ kind: ValueKind<Word>, minimum: Int = 1
    ) where Value == [Word] {
        let arity = PositionalDeclaration.Arity.repeated(mayBeMissing: minimum == 0)
        declaration = PositionalDeclaration(name, abstract, arity, kind.form) { kind.read($0) != nil }
        value = { $0.compactMap(kind.read) }
    }
}

/// A positional argument whatever its value is, for the lists in a ``Command``.
public protocol DeclaresPositional: Sendable {
    var declaration: PositionalDeclaration { get }
}

/// A positional argument as data.
public struct PositionalDeclaration: Sendable {
    /// How many words an argument takes.
    public enum Arity: Hashable, Sendable {
        case required, optional
        /// All that are left.
        case repeated(mayBeMissing: Bool)
    }

    /// How it appears in help: `TARGET`, `TEXT|-`.
    public let name: String
    public let abstract: String
    public let arity: Arity
    public let form: ValueForm
    /// Whether a word is a value of this argument.
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

    /// Whether a command line is complete without it.
    public var mayBeMissing: Bool {
        switch arity {
        case .required: false
        case .optional: true
        case .repeated(let mayBeMissing): mayBeMissing
        }
    }

    public var isRepeated: Bool {
        if case .repeated = arity { true } else { false }
    }
}
