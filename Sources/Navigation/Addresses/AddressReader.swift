/// A cursor over the words of an address, which resolves names.
public struct AddressReader {
    private let words: [AddressWords.Word]
    private let names: any AddressNames
    private(set) var position = 0
    /// The profile of the names.
    var profile: Int64?

    init(_ words: AddressWords, names: any AddressNames, profile: Int64?) {
        self.words = words.words
        self.names = names
        self.profile = profile
    }

    var isAtEnd: Bool { position >= words.count }

    private var next: AddressWords.Word? { isAtEnd ? nil : words[position] }

    /// Skips a fixed word if it is next. Returns true if it was.
    public mutating func skip(_ word: String) -> Bool {
        guard next == .text(word, isPlain: true) else { return false }
        position += 1
        return true
    }

    /// Skips a fixed word if it is next and no name follows. Returns true if it was.
    public mutating func skipLast(_ word: String) -> Bool {
        let follower = position + 1 < words.count ? words[position + 1] : .up
        return follower == .up && skip(word)
    }

    /// Skips `..` if it is next. Returns true if it was.
    mutating func skipUp() -> Bool {
        guard next == .up else { return false }
        position += 1
        return true
    }

    /// Reads the name or number of a profile and returns the number. A number is not checked: showing the screen checks
    /// it.
    ///
    /// - Throws: ``AddressError/unknownName(_:at:)``, ``AddressError/unfinished``.
    public mutating func profileNumber() async throws(AddressError) -> Int64 {
        let found: Int64?
        switch next {
        case .number(let number): found = number
        case .text(let name, _): found = await names.profile(named: name)
        case .up, nil: throw .unfinished
        }
        guard let found else { throw .unknownName(.profile, at: position) }
        position += 1
        return found
    }

    /// Reads the name or number of a chat. An unknown number is read as that of a contact: showing the screen checks it.
    ///
    /// - Throws: ``AddressError/unknownName(_:at:)``, ``AddressError/unfinished``, ``AddressError/noProfile``.
    public mutating func chat() async throws(AddressError) -> ChatSubject {
        let found: ChatSubject?
        switch next {
        case .number(let number): found = await names.chat(numbered: number) ?? .contact(number)
        case .text(let name, _):
            guard let profile else { throw .noProfile }
            found = await names.chat(named: name, in: profile)
        case .up, nil: throw .unfinished
        }
        guard let found else { throw .unknownName(.contact, at: position) }
        position += 1
        return found
    }

    /// Reads the name or number of a group. A number is not checked: showing the screen checks it.
    ///
    /// - Throws: ``AddressError/unknownName(_:at:)``, ``AddressError/unfinished``, ``AddressError/noProfile``.
    public mutating func group() async throws(AddressError) -> ChatSubject {
        if case .number(let number) = next {
            position += 1
            return .group(number)
        }
        let start = position
        let found: ChatSubject
        do throws(AddressError) {
            found = try await chat()
        } catch {
            if case .unknownName = error { throw .unknownName(.group, at: start) }
            throw error
        }
        guard case .group = found else { throw .unknownName(.group, at: start) }
        return found
    }

    /// Reads the name or number of a member of a group.
    ///
    /// - Throws: ``AddressError/unknownName(_:at:)``, ``AddressError/unfinished``.
    public mutating func member(of group: Int64) async throws(AddressError) -> Int64 {
        let found: Int64?
        switch next {
        case .number(let number): found = number
        case .text(let name, _): found = await names.member(named: name, of: group)
        case .up, nil: throw .unfinished
        }
        guard let found else { throw .unknownName(.member, at: position) }
        position += 1
        return found
    }

    /// Reads the number of a chat item.
    ///
    /// - Throws: ``AddressError``.
    public mutating func number() throws(AddressError) -> Int64 {
        guard case .text(let text, _) = next else { throw .unfinished }
        guard let number = Int64(text), number >= 0 else { throw .unknownWord(at: position) }
        position += 1
        return number
    }
}

/// The words of an address as typed by a user: separated by slashes, with a backslash before a literal character.
///
/// `\/` is a slash in a name, `\\` a backslash. `..`, `.` and `#4` are special; with a leading backslash they are
/// names.
struct AddressWords {
    enum Word: Hashable {
        /// A word or a name. With a backslash in it, a name only.
        case text(String, isPlain: Bool)
        /// The parent, `..`.
        case up
        /// An object by its number, `#4`, for an object without a name.
        case number(Int64)
    }

    /// True if the address starts at the home, false if at the current screen.
    let isAbsolute: Bool
    let words: [Word]

    /// Splits an address. Slashes may be doubled and trailing.
    ///
    /// - Throws: ``AddressError/unfinished``.
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

    /// Returns a name as a word that is read back as the same name, unless it is empty.
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
