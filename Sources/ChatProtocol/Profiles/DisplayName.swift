extension Profile {
    /// A display name that every client accepts: one line that can be typed after `@` (network-7.md 16.5).
    ///
    /// - 1 to 50 Unicode scalars, none of `. , ; / \ # @ ' " ~` and the back quote, no space at the end;
    /// - a letter, a decimal digit or a symbol such as a picture at the start, and after a space or a mark also a sign of
    ///   mathematics or of a currency;
    /// - single spaces; no two punctuation marks before the next letter, and no brackets or quotation marks;
    /// - combining marks only after a character they can modify; no invisible characters.
    ///
    /// The rules are for new own names. The names of others are not checked, only made fit for commands, see
    /// ``localName(for:)``.
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

        /// Returns the name of another person without the characters that commands cannot have, or nil if no characters
        /// remain. It keeps the punctuation that earlier clients allow.
        public static func localName(for text: String) -> String? {
            let name = valid(text, LocalNameRule())
            return name.isEmpty ? nil : name
        }

        /// Returns true if `text` can be the local name of another person, such as one that the user gives to a contact.
        public static func isLocalName(_ text: String) -> Bool {
            !text.isEmpty && text.unicodeScalars.elementsEqual(valid(text, LocalNameRule()).unicodeScalars)
        }

        private static func valid(_ text: String, _ rule: some ScalarRule = NewNameRule()) -> String {
            var name = String.UnicodeScalarView()
            var rule = rule
            for scalar in text.unicodeScalars {
                guard name.count < limit else { break }
                if let allowed = rule.allowed(scalar) { name.append(allowed) }
            }
            while name.last == " " { name.removeLast() }
            return String(name)
        }
    }
}

/// A rule of names, applied from left to right.
private protocol ScalarRule {
    /// Returns the scalar to append, or nil if the scalar is left out.
    mutating func allowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar?
}

/// The rule of names in 7.0.
private struct NewNameRule: ScalarRule {
    /// The last allowed scalar; nil at the start.
    private var previous: Unicode.Scalar?
    /// The punctuation marks since the last character that is no space.
    private var punctuationCount = 0

    private static let prohibited = Set(".,;/\\#@'\"`~".unicodeScalars)

    mutating func allowed(_ original: Unicode.Scalar) -> Unicode.Scalar? {
        let scalar: Unicode.Scalar = NewNameRule.isSpace(original) ? " " : original
        guard !NewNameRule.prohibited.contains(scalar), isAllowed(scalar) else { return nil }
        if NewNameRule.isPunctuation(scalar) {
            punctuationCount += 1
        } else if scalar != " " {
            punctuationCount = 0
        }
        previous = scalar
        return scalar
    }

    private func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        let isInitial =
            switch category {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .otherSymbol:
                true
            default: false
            }
        guard let previous else { return isInitial }
        let isWord = isInitial || category == .currencySymbol || category == .mathSymbol
        if previous == " " { return isWord || (punctuationCount == 0 && NewNameRule.isPunctuation(scalar)) }
        if punctuationCount > 0 { return isWord || scalar == " " }
        switch category {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return isWord || scalar == " " || NewNameRule.isPunctuation(scalar)
        }
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .otherPunctuation: true
        default: false
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .spaceSeparator || ("\t"..."\r").contains(scalar)
    }
}

/// The rule of names before 7.0.
private struct LocalNameRule: ScalarRule {
    /// The kind of the last allowed scalar.
    private enum Previous {
        case nothing, space, punctuation, other
    }

    private var previous = Previous.nothing
    /// The punctuation marks since the last letter, number, symbol or combining mark.
    private var punctuationCount = 0

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
