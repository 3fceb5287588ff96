extension Unicode.Scalar {
    /// True for punctuation of any script.
    var isPunctuation: Bool {
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }

    /// True for white space as the official applications define it: without the separators of lines and paragraphs.
    var isSeparatingSpace: Bool {
        self == " " || ("\t"..."\r").contains(self) || (!isASCII && properties.generalCategory == .spaceSeparator)
    }

    /// True for a scalar with which a name may start.
    var startsName: Bool { self > " " && self != "#" && self != "@" && self != "'" }

    /// True for a scalar of the first word of a command.
    var isKeywordPart: Bool {
        if isASCII { return isASCIILetter || isASCIIDigit || self == "_" }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
