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
