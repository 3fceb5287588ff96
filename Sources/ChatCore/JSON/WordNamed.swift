/// A type whose values each have one word, in the API or in reports.
protocol WordNamed: CaseIterable {
    var word: String { get }
}

extension WordNamed {
    /// The value with a word; nil for other words.
    init?(word: String) {
        guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = value
    }
}
