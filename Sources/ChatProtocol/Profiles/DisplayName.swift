extension Profile {
    /// A display name that every client accepts: one line that can be typed after `@`.
    ///
    /// - 1 to 50 Unicode scalars, no apostrophe, no space at the end;
    /// - a letter, a number or a symbol at the start, but not `#` or `@`;
    /// - single spaces; up to three punctuation marks in a row, and none after a space if one precedes it;
    /// - combining marks only after a character they can modify; no invisible characters.
    public struct DisplayName: Hashable, Sendable {
        /// The name.
        public let text: String

        /// The largest number of Unicode scalars.
        public static let limit = 50

        /// Creates a name.
        ///
        /// - Throws: ``ProfileError/displayName`` if the text violates a rule.
        public init(_ text: String) throws(ProfileError) {
            guard !text.isEmpty, text.unicodeScalars.elementsEqual(DisplayName.valid(text).unicodeScalars) else {
                throw .displayName
            }
            self.text = text
        }

        private init(checked text: String) {
            self.text = text
        }

        /// Returns `text` without its invalid characters, or nil if no characters remain.
        public static func suggestion(for text: String) -> DisplayName? {
            let name = valid(text)
            return name.isEmpty ? nil : DisplayName(checked: name)
        }

        private static func valid(_ text: String) -> String {
            var name = String.UnicodeScalarView()
            var rule = NameRule()
            for scalar in text.unicodeScalars {
                guard name.count < limit else { break }
                if let allowed = rule.allowed(scalar) { name.append(allowed) }
            }
            while name.last == " " { name.removeLast() }
            return String(name)
        }
    }
}

/// The rules of a name, applied from left to right.
private struct NameRule {
    /// The kind of the last allowed scalar.
    private enum Previous {
        case nothing, space, punctuation, other
    }

    private var previous = Previous.nothing
    /// The punctuation marks since the last letter, number, symbol or combining mark.
    private var punctuationCount = 0

    /// Returns the scalar to append, or nil if the scalar is left out.
    mutating func allowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        // An apostrophe ends a name that is quoted for its spaces.
        guard scalar != "'" else { return nil }
        let kind = Kind(scalar)
        guard isAllowed(scalar, kind) else { return nil }
        switch kind {
        case .space: previous = .space
        case .punctuation:
            previous = .punctuation
            punctuationCount += 1
        case .initial, .mark, .hidden:
            previous = .other
            punctuationCount = 0
        }
        return kind == .space ? " " : scalar
    }

    private func isAllowed(_ scalar: Unicode.Scalar, _ kind: Kind) -> Bool {
        switch previous {
        case .nothing: kind == .initial && scalar != "#" && scalar != "@"
        case .space: kind == .initial || (kind == .punctuation && punctuationCount == 0)
        case .punctuation: kind == .initial || kind == .space || (kind == .punctuation && punctuationCount < 3)
        case .other: kind != .hidden
        }
    }

    private enum Kind {
        /// A letter, a number or a symbol, with which a name may start.
        case initial
        case mark
        case punctuation
        case space
        case hidden

        init(_ scalar: Unicode.Scalar) {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber, .letterNumber, .otherNumber,
                .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
                self = .initial
            case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
            case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation:
                self = .punctuation
            case .spaceSeparator: self = .space
            case .control where ("\t"..."\r").contains(scalar): self = .space
            default: self = .hidden
            }
        }
    }
}
