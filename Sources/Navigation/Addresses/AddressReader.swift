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

/// The words of an address as a person writes it: between slashes, with a backslash before a character that is meant as
/// it stands.
///
/// `\/` is a slash in a name, `\\` a backslash. `..`, `.` and `#4` are special; with a backslash in front they are names.
struct AddressWords {
    enum Word: Hashable {
        /// A word or a name. One that was written with a backslash is a name only.
        case text(String, isPlain: Bool)
        /// `..`
        case up
        /// `#4`: a thing by its number, for one that has no name any more.
        case number(Int64)
    }

    /// Whether the address begins at the home, and not where the user is.
    let isAbsolute: Bool
    let words: [Word]

    /// Takes an address apart. Slashes may be doubled, and stand at the end.
    init(_ address: String) throws(AddressError) {
        var words: [Word] = []
        var text = ""
        var isPlain = true
        var isProtected = false
        for character in address.unicodeScalars {
            if isProtected {
                text.unicodeScalars.append(character)
                isProtected = false
            } else if character == "\\" {
                (isProtected, isPlain) = (true, false)
            } else if character == "/" {
                words += AddressWords.word(text, isPlain)
                (text, isPlain) = ("", true)
            } else {
                text.unicodeScalars.append(character)
            }
        }
        guard !isProtected else { throw .unfinished }
        self.words = words + AddressWords.word(text, isPlain)
        isAbsolute = address.unicodeScalars.first == "/"
    }

    private static func word(_ text: String, _ isPlain: Bool) -> [Word] {
        guard isPlain else { return [.text(text, isPlain: false)] }
        switch text {
        case "", ".": return []
        case "..": return [.up]
        default: break
        }
        if text.unicodeScalars.first == "#", let number = Int64(String(text.unicodeScalars.dropFirst())) {
            return [.number(number)]
        }
        return [.text(text, isPlain: true)]
    }

    /// A name as a word that is read as that name again, if it is not empty.
    static func escaped(_ name: String) -> String {
        var text = ""
        for character in name.unicodeScalars {
            if character == "/" || character == "\\" { text += "\\" }
            text.unicodeScalars.append(character)
        }
        let isSpecial = name == "." || name == ".." || name.unicodeScalars.first == "#"
        return isSpecial ? "\\" + text : text
    }
}
