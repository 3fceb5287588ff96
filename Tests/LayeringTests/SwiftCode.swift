import ByteCoding

/// The text of a Swift file without its comments and without what stands in its string literals; code inside of an
/// interpolation stays.
///
/// A lexical reader is enough for rules about words, and needs no compiler. It does not know regular expression literals,
/// which nothing here uses.
struct SwiftCode {
    let text: String

    init(_ source: String) {
        var reader = Reader(source: Bytes(source.utf8))
        reader.code(isInterpolation: false)
        text = String(decoding: reader.code, as: UTF8.self)
    }

    /// The identifiers and keywords. One with an exclamation mark right behind it is there in both forms.
    var words: Set<String> {
        var words: Set<String> = []
        var word: Bytes = []
        for byte in text.utf8 + [UInt8(ascii: " ")] {
            if SwiftCode.isPartOfWord(byte) {
                word.append(byte)
            } else if !word.isEmpty {
                words.insert(String(decoding: word, as: UTF8.self))
                if byte == UInt8(ascii: "!") { words.insert(String(decoding: word, as: UTF8.self) + "!") }
                word = []
            }
        }
        return words
    }

    /// The names of the types that are declared at the top level. A type alias that gives a type of another module its own name
    /// again declares none.
    var topLevelTypes: [String] {
        let declaring: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        var names: [String] = []
        var depth = 0
        for line in text.split(separator: "\n") {
            defer {
                for byte in line.utf8 { depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0 }
            }
            guard depth == 0 else { continue }
            let words = line.split(separator: " ")
            guard let keyword = words.firstIndex(where: declaring.contains), keyword + 1 < words.count,
                !words[..<keyword].contains("import"), !words[..<keyword].contains("extension")
            else { continue }
            let name = String(decoding: words[keyword + 1].utf8.prefix(while: SwiftCode.isPartOfWord), as: UTF8.self)
            if words[keyword] == "typealias", [".\(name)", ":\(name)"].contains(where: line.hasSuffix) { continue }
            names.append(name)
        }
        return names
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }

    /// The modules that are imported, also by declaration (`import struct Module.Name`).
    var imports: Set<String> {
        let before: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        let between: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        return Set(
            text.split(separator: "\n").compactMap { line in
                var words = line.split(separator: " ").drop { $0.hasPrefix("@") || before.contains($0) }
                guard words.popFirst() == "import" else { return nil }
                return words.drop(while: between.contains).first?.split(separator: ".").first.map(String.init)
            })
    }
}

/// A cursor over the bytes of a Swift file that copies its code.
private struct Reader {
    let source: Bytes
    private var position = 0
    private(set) var code: Bytes = []

    init(source: Bytes) {
        self.source = source
    }

    /// Copies code up to the end, or to the parenthesis that ends an interpolation.
    mutating func code(isInterpolation: Bool) {
        var depth = 0
        while let byte = peek() {
            if skip("//") {
                while let byte = peek(), byte != UInt8(ascii: "\n") { position += 1 }
            } else if skip("/*") {
                comment()
            } else if let quote = quote() {
                literal(quote)
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if isInterpolation, depth < 0 { return }
                take()
            }
        }
    }

    /// The rest of a comment, which may hold others.
    private mutating func comment() {
        var depth = 1
        while depth > 0, peek() != nil {
            if skip("/*") {
                depth += 1
            } else if skip("*/") {
                depth -= 1
            } else {
                position += 1
            }
        }
        code.append(UInt8(ascii: " "))
    }

    /// How a literal that begins here is delimited: `#` signs and one quotation mark or three.
    private func quote() -> (hashes: String, marks: String)? {
        let hashes = String(repeating: "#", count: source[position...].prefix { $0 == UInt8(ascii: "#") }.count)
        for marks in ["\"\"\"", "\""] where starts(with: hashes + marks) { return (hashes, marks) }
        return nil
    }

    /// A literal with both of its ends. Line breaks stay, so that lines remain lines.
    private mutating func literal(_ quote: (hashes: String, marks: String)) {
        let end = quote.marks + quote.hashes, escape = "\\" + quote.hashes
        _ = skip(quote.hashes + quote.marks)
        code += Bytes("\"".utf8)
        while peek() != nil, !skip(end) {
            if skip(escape + "(") {
                code += Bytes("(".utf8)
                code(isInterpolation: true)
                take()
            } else if skip(escape) || peek() != UInt8(ascii: "\n") {
                position += 1
            } else {
                take()
            }
        }
        code += Bytes("\"".utf8)
    }

    // MARK: - Bytes

    private func peek() -> UInt8? { position < source.count ? source[position] : nil }

    private func starts(with text: String) -> Bool {
        source[position...].starts(with: text.utf8)
    }

    private mutating func skip(_ text: String) -> Bool {
        guard position < source.count, starts(with: text) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func take() {
        guard let byte = peek() else { return }
        code.append(byte)
        position += 1
    }
}
