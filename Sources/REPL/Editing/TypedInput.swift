/// Cuts what a terminal sends into keys and pasted text.
///
/// A terminal in the mode of bracketed paste (`CSI ? 2004 h`) puts pasted text between `CSI 200 ~` and `CSI 201 ~`. Both may
/// come in pieces.
struct TypedInput {
    enum Part: Hashable, Sendable {
        case keys([UInt8])
        /// As it was copied: with the line breaks of wherever it comes from.
        case paste([UInt8])
    }

    private static let start: [UInt8] = Array("\u{1b}[200~".utf8)
    private static let end: [UInt8] = Array("\u{1b}[201~".utf8)

    /// What may be the beginning of a mark.
    private var held: [UInt8] = []
    private var pasted: [UInt8]?

    init() {}

    /// Whether more has to come before all that came can be given out.
    var isWaiting: Bool { pasted != nil || !held.isEmpty }

    var isPasting: Bool { pasted != nil }

    mutating func read(_ bytes: [UInt8]) -> [Part] {
        var parts: [Part] = [], keys: [UInt8] = []
        for byte in bytes {
            held.append(byte)
            let mark = pasted == nil ? TypedInput.start : TypedInput.end
            while !held.isEmpty, !mark.starts(with: held) {
                let first = held.removeFirst()
                if pasted == nil { keys.append(first) } else { pasted?.append(first) }
            }
            guard held.count == mark.count else { continue }
            held = []
            if let text = pasted {
                parts.append(.paste(text))
                pasted = nil
            } else {
                if !keys.isEmpty { parts.append(.keys(keys)) }
                (keys, pasted) = ([], [])
            }
        }
        if !keys.isEmpty { parts.append(.keys(keys)) }
        return parts
    }

    /// Gives out what is held back. A terminal that begins a mark, or a paste, ends it at once, unless it never does.
    mutating func release() -> [Part] {
        defer { (held, pasted) = ([], nil) }
        if let pasted { return [.paste(pasted + held)] }
        return held.isEmpty ? [] : [.keys(held)]
    }
}

extension TypedInput {
    /// Pasted bytes as text for a line: line breaks are LF, a last one is left out, and no other control character is left
    /// that a terminal or a contact could take for a command.
    static func text(pasted bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView(), previous: Unicode.Scalar?
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\r": text.append("\n")
            case "\n": if previous != "\r" { text.append("\n") }
            case "\t": text.append("\t")
            case "\0"..<" ", "\u{7f}"..<"\u{a0}": break
            default: text.append(scalar)
            }
        }
        if text.last == "\n" { text.removeLast() }
        return String(text)
    }
}
