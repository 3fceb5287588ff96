/// The answers of a terminal to the question whether it can show pictures, taken out of what is typed.
///
/// The question is a query of the kitty graphics protocol, followed by one for the primary device attributes (DA1, ECMA-48 CSI c),
/// which every terminal answers: an answer to the first comes before it, and among the attributes 4 means sixel graphics.
struct TerminalReplies {
    /// What is asked: a picture of one pixel that is not to be shown, and the attributes.
    static let question = "\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\\u{1b}[c"
    /// More than any answer has, in bytes.
    private static let longest = 256

    /// True from the question until the last answer.
    private(set) var isExpected = false
    /// What may be the beginning of an answer.
    private var held: [UInt8] = []
    /// True if the terminal has said that it shows pictures of kitty.
    private var showsKitty = false

    /// The question was asked.
    mutating func expect() {
        (isExpected, showsKitty, held) = (true, false, [])
    }

    /// True if more has to come before all that came can be given out.
    var isWaiting: Bool { !held.isEmpty }

    /// Takes answers out of bytes.
    ///
    /// - Returns: The other bytes; and true or false if the terminal has answered whether it can show pictures.
    mutating func read(_ bytes: [UInt8]) -> (rest: [UInt8], showsPictures: Bool?) {
        guard isExpected else { return (bytes, nil) }
        var rest: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            held.append(byte)
            switch TerminalReplies.kind(of: held) {
            case .none:
                rest += held
                held = []
            case .beginning: break
            case .kitty(let isGood):
                showsKitty = showsKitty || isGood
                held = []
            case .attributes(let numbers):
                held = []
                isExpected = false
                return (rest + bytes[(index + 1)...], showsKitty || numbers.contains("4"))
            }
        }
        return (rest, nil)
    }

    /// Gives out what is held back, which is no answer if the rest of it does not come at once.
    mutating func release() -> [UInt8] {
        defer { held = [] }
        return held
    }

    private enum Kind {
        case none, beginning
        case kitty(isGood: Bool)
        case attributes([String])
    }

    private static func kind(of bytes: [UInt8]) -> Kind {
        guard bytes.first == 0x1b, bytes.count <= longest else { return .none }
        guard bytes.count > 1 else { return .beginning }
        if bytes[1] == UInt8(ascii: "_") {
            guard bytes.count < 3 || bytes[2] == UInt8(ascii: "G") else { return .none }
            guard bytes.count > 3, bytes.suffix(2) == [0x1b, UInt8(ascii: "\\")] else { return .beginning }
            return .kitty(isGood: String(decoding: bytes.dropFirst(3).dropLast(2), as: UTF8.self).hasSuffix(";OK"))
        }
        guard bytes[1] == UInt8(ascii: "[") else { return .none }
        guard bytes.count > 2 else { return .beginning }
        guard bytes[2] == UInt8(ascii: "?") else { return .none }
        guard let last = bytes.dropFirst(3).last else { return .beginning }
        if last == UInt8(ascii: "c") {
            let text = String(decoding: bytes.dropFirst(3).dropLast(), as: UTF8.self)
            return .attributes(text.split(separator: ";").map(String.init))
        }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last) || last == UInt8(ascii: ";") ? .beginning : .none
    }
}
