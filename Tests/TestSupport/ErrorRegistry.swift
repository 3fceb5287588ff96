import FoundationEssentials

/// A source file in which a face declares its errors.
public struct ErrorRegistry {
    private let text: String

    /// - Parameter path: Inside of the repository.
    public init(_ path: String) throws {
        text = String(decoding: try Data(contentsOf: URL(filePath: VectorFile.repositoryPath(path))), as: UTF8.self)
    }

    /// The names of the errors that are declared as static members, except those that only this file sees.
    public var members: Set<String> {
        Set(
            text.split(separator: "\n").compactMap { line in
                var words = line.split { $0 == " " || $0 == "(" || $0 == ":" || $0 == "=" }.makeIterator()
                guard words.next() == "static", ["let", "var", "func"].contains(words.next()) else { return nil }
                return words.next().map(String.init)
            })
    }
}
