/// A number with the digits it is written with, so that writing it again loses none.
public struct JSONNumber: Hashable, Sendable {
    /// The number in the grammar of JSON.
    public let literal: String

    /// The number nearest to which JSON can write `value`; nil if it is not finite.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        literal = "\(value)"
    }

    /// A literal that is known to follow the grammar.
    init(checked literal: String) {
        self.literal = literal
    }

    /// The nearest number that a `Double` can hold, infinite when there is none so large.
    public var double: Double { Double(literal) ?? .infinity }
}
