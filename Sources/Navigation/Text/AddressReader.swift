/// A cursor over the words of an address, which looks up names.
public struct AddressReader {
    private let words: [AddressWords.Word]
    private let names: any AddressNames
    private(set) var position = 0
    /// The profile whose things names are names of.
    var profile: Int64?

    init(_ words: AddressWords, names: any AddressNames, profile: Int64?) {
        self.words = words.words
        self.names = names
        self.profile = profile
    }

    var isAtEnd: Bool { position >= words.count }

    private var next: AddressWords.Word? { isAtEnd ? nil : words[position] }

    /// Takes a fixed word if it is the next.
    public mutating func skip(_ word: String) -> Bool {
        guard next == .text(word, isPlain: true) else { return false }
        position += 1
        return true
    }

    /// Takes a fixed word if it is the next and no name follows it.
    public mutating func skipLast(_ word: String) -> Bool {
        let follower = position + 1 < words.count ? words[position + 1] : .up
        return follower == .up && skip(word)
    }

    /// Takes `..` if it is the next.
    mutating func skipUp() -> Bool {
        guard next == .up else { return false }
        position += 1
        return true
    }

    /// Takes the name or the number of a thing, and returns the thing. A number need not be one of something that exists:
    /// who shows it will ask.
    public mutating func subject(_ kind: Subject.Kind) async throws(AddressError) -> Subject {
        let found: Subject?
        switch next {
        case .number(let number): found = Subject(kind, number)
        case .text(let name, _):
            guard kind == .profile || profile != nil else { throw .noProfile }
            found = await names.subject(kind, named: name, in: kind == .profile ? nil : profile)
        case .up, nil: throw .unfinished
        }
        guard let found else { throw .unknownName(kind, at: position) }
        position += 1
        return found
    }

    /// Takes the number of an entry.
    public mutating func number() throws(AddressError) -> Int64 {
        guard case .text(let text, _) = next else { throw .unfinished }
        guard let number = Int64(text), number >= 0 else { throw .unknownWord(at: position) }
        position += 1
        return number
    }
}
