import ByteCoding

/// The kinds of words that are addresses.
enum WordFormat {
    /// Returns the format of an address, or nil for a plain word.
    ///
    /// - Parameters:
    ///   - address: The word without the punctuation at its end.
    ///   - word: The whole word. A link of the network may end with punctuation.
    static func format(
        of address: ArraySlice<Unicode.Scalar>, in word: ArraySlice<Unicode.Scalar>, _ link: (String) -> SimplexLink?
    ) -> TextFormat? {
        if isURI(address) {
            if let link = link(String(word)) { return .simplexLink(link, showText: nil) }
            return (try? WebAddress(text: String(address))) == nil ? nil : .uri
        }
        if isDomain(address) { return .uri }
        return EmailAddress.isValid(address) ? .email : nil
    }

    private static func isURI(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
        guard word.count >= 10 else { return false }
        return ["http://", "https://", "simplex:/"].contains { word.starts(with: $0.unicodeScalars) }
    }

    /// Returns true for a likely domain: two names of letters, possibly with a third one before them.
    private static func isDomain(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
        guard word.count <= 42 else { return false }
        let names = word.split(separator: ".", omittingEmptySubsequences: false)
        guard let top = names.last, let name = names.dropLast().last else { return false }
        switch names.count {
        case 2: break
        case 3: guard names.first.map({ (3...8).contains($0.count) }) == true else { return false }
        default: return false
        }
        return (1...24).contains(name.count) && (2...8).contains(top.count)
            && name.allSatisfy(\.isASCIILetter) && top.allSatisfy(\.isASCIILetter)
    }
}

/// An address of RFC 5322, as far as a word can be one.
enum EmailAddress {
    private static let localLimit = 64
    private static let domainLimit = 253
    private static let labelLimit = 63

    /// Returns true for an address with at most 64 bytes before the `@`, and a domain of at most 253 bytes after it.
    static func isValid(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
        guard word.contains("@") else { return false }
        var reader = Reader(word)
        var size = -1
        repeat {
            reader.skipComments()
            guard let part = reader.next == "\"" ? reader.quoted() : reader.atom() else { return false }
            size += part + 1
            reader.skipComments()
        } while reader.skip(".")
        guard size <= localLimit, reader.skip("@") else { return false }
        size = -1
        repeat {
            // A domain may end with a dot.
            if size > 0, reader.isAtEnd { break }
            reader.skipComments()
            guard let label = reader.label() else { return false }
            size += label + 1
            reader.skipComments()
        } while reader.skip(".")
        return reader.isAtEnd && size <= domainLimit
    }

    private struct Reader {
        private let word: ArraySlice<Unicode.Scalar>
        private var position: Int

        init(_ word: ArraySlice<Unicode.Scalar>) {
            self.word = word
            position = word.startIndex
        }

        var next: Unicode.Scalar? { position < word.endIndex ? word[position] : nil }
        var isAtEnd: Bool { position == word.endIndex }

        mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
            guard next == scalar else { return false }
            position += 1
            return true
        }

        /// Skips tabs and nested comments in parentheses. An unclosed comment is not skipped.
        mutating func skipComments() {
            var depth = 0
            var end = position
            loop: while let sign = next {
                switch sign {
                case "(": depth += 1
                case ")" where depth > 0: depth -= 1
                case "\\" where depth > 0:
                    position += 1
                    guard next?.isASCII == true else { break loop }
                case "\t": break
                default: guard depth > 0, sign.isASCII else { break loop }
                }
                position += 1
                if depth == 0 { end = position }
            }
            position = end
        }

        /// Reads one or more letters, digits and signs. Returns their number.
        mutating func atom() -> Int? {
            let start = position
            while let sign = next, sign.isASCII,
                sign.isASCIILetter || sign.isASCIIDigit || "!#$%&'*+/=?^_`{|}~-".unicodeScalars.contains(sign)
            {
                position += 1
            }
            return position > start ? position - start : nil
        }

        /// Reads text between quotation marks. Returns its size with the marks.
        mutating func quoted() -> Int? {
            let start = position
            position += 1
            while let sign = next, sign.isASCII {
                position += 1
                if sign == "\"" { return position - start }
                if sign == "\\" {
                    guard next?.isASCII == true else { return nil }
                    position += 1
                }
            }
            return nil
        }

        /// Reads a label of a domain. Returns its size.
        mutating func label() -> Int? {
            let start = position
            while let sign = next, sign.isASCIILetter || sign.isASCIIDigit || sign == "-" { position += 1 }
            let label = word[start..<position]
            guard !label.isEmpty, label.count <= labelLimit, label.first != "-", label.last != "-" else { return nil }
            return label.count
        }
    }
}
