extension Profile {
    /// A display name that every client takes: one line that can be typed after `@`.
    ///
    /// - 1 to 50 Unicode scalars, no apostrophe, no space at the end;
    /// - a letter, a number or a symbol in front, but not `#` or `@`;
    /// - of spaces one at a time; of punctuation up to three in a row, and after a space only where none came before it;
    /// - marks only behind what they can belong to; nothing invisible.
    public struct DisplayName: Hashable, Sendable {
        public let text: String

        /// The most Unicode scalars of a name.
        public static let limit = 50

        /// The name, if it is one.
        public init(_ text: String) throws(ProfileError) {
            guard !text.isEmpty, text.unicodeScalars.elementsEqual(DisplayName.valid(text).unicodeScalars) else {
                throw .displayName
            }
            self.text = text
        }

        private init(checked text: String) {
            self.text = text
        }

        /// The name that is left when all that is not allowed is removed, or nil if nothing is left.
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

/// Decides on the scalars of a name from left to right.
private struct NameRule {
    /// What the last allowed scalar was.
    private enum Previous {
        case nothing, space, punctuation, other
    }

    private var previous = Previous.nothing
    /// Punctuation since the last letter, number, symbol or mark.
    private var punctuationCount = 0

    /// The scalar to be appended, or nil if this one is left out.
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
        /// A letter, a number or a symbol: what a name may begin with.
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
