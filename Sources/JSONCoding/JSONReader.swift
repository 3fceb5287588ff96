import ByteCoding

/// A strict reader of JSON text (RFC 8259) for untrusted bytes.
///
/// The decoder of Foundation is unsuitable: nested arrays of one kilobyte take it a second and overflow a small stack.
/// It accepts UTF-16 and superfluous commas, and loses digits.
struct JSONReader {
    private let bytes: Bytes
    private var position = 0

    static func read(_ bytes: Bytes) throws(DecodeError) -> JSONValue {
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.next == nil else { throw .trailing }
        return value
    }

    private init(bytes: Bytes) {
        self.bytes = bytes
    }

    // MARK: - Values

    private mutating func value(depth: Int) throws(DecodeError) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw .truncated
        default: throw .invalid("json")
        }
    }

    private mutating func object(depth: Int) throws(DecodeError) -> JSONObject {
        guard depth <= JSONValue.maximumDepth else { throw .invalid("json depth") }
        position += 1
        var fields = JSONObject()
        if closes(with: "}") { return fields }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw next == nil ? .truncated : .invalid("json") }
            let name = try string()
            skipSpace()
            try expect(":")
            let value = try value(depth: depth)
            if fields[name] == nil { fields[name] = value }
        } while try continues(until: "}")
        return fields
    }

    private mutating func array(depth: Int) throws(DecodeError) -> [JSONValue] {
        guard depth <= JSONValue.maximumDepth else { throw .invalid("json depth") }
        position += 1
        var values: [JSONValue] = []
        if closes(with: "]") { return values }
        repeat {
            values.append(try value(depth: depth))
        } while try continues(until: "]")
        return values
    }

    /// Skips the end of an empty array or object. Returns true if it is next.
    private mutating func closes(with end: Unicode.Scalar) -> Bool {
        skipSpace()
        return skip(end)
    }

    /// Reads the comma before another value, or the end of the array or object. Returns true for a comma.
    private mutating func continues(until end: Unicode.Scalar) throws(DecodeError) -> Bool {
        skipSpace()
        if skip(",") { return true }
        try expect(end)
        return false
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(DecodeError) -> JSONValue {
        for byte in word.description.utf8 {
            guard next == byte else { throw next == nil ? .truncated : .invalid("json") }
            position += 1
        }
        return value
    }

    // MARK: - Numbers

    private mutating func number() throws(DecodeError) -> JSONValue {
        let start = position
        _ = skip("-")
        if !skip("0") { try digits() }
        let isWhole = next != UInt8(ascii: ".") && next != UInt8(ascii: "e") && next != UInt8(ascii: "E")
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        let literal = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let value = Int64(literal) { return .integer(value) }
        return .number(JSONNumber(checked: literal))
    }

    /// Skips digits, at least one.
    private mutating func digits() throws(DecodeError) {
        let start = position
        while let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            position += 1
        }
        guard position > start else { throw next == nil ? .truncated : .invalid("json number") }
    }

    // MARK: - Strings

    private mutating func string() throws(DecodeError) -> String {
        position += 1
        var unescaped: Bytes?
        var start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let rest = start..<position
                position += 1
                guard let text = text(after: unescaped, rest) else { throw .invalid("json text") }
                return text
            case UInt8(ascii: "\\"):
                // In place: a copy for each escape would take quadratic time.
                if unescaped == nil { unescaped = [] }
                unescaped?.append(contentsOf: bytes[start..<position])
                position += 1
                let character = try escape()
                unescaped?.append(contentsOf: character.utf8)
                start = position
            case ..<0x20: throw .invalid("json text")
            default: position += 1
            }
        }
        throw .truncated
    }

    /// Returns the bytes of a range after those already unescaped. Most texts have no escapes.
    private func text(after unescaped: Bytes?, _ range: Range<Int>) -> String? {
        guard let unescaped else { return String(validUTF8: bytes.span.extracting(range)) }
        let all = unescaped + bytes[range]
        return String(validUTF8: all.span)
    }

    /// Reads the characters after a backslash.
    private mutating func escape() throws(DecodeError) -> String {
        guard let byte = next else { throw .truncated }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(UnicodeScalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try scalar()
        default: throw .invalid("json text")
        }
    }

    /// Reads the digits of `\u0041`, or of a surrogate pair `\ud83d\ude00`.
    private mutating func scalar() throws(DecodeError) -> String {
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]) {
            try expect("\\")
            try expect("u")
            units.append(try codeUnit())
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw .invalid("json text") }
        return text
    }

    private mutating func codeUnit() throws(DecodeError) -> UInt16 {
        guard position + 4 <= bytes.count else { throw .truncated }
        let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        guard let value = try? Hex.decode(digits) else { throw .invalid("json text") }
        position += 4
        return UInt16(value[0]) << 8 | UInt16(value[1])
    }

    // MARK: - Bytes

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, JSONReader.isSpace(byte) {
            position += 1
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(DecodeError) {
        guard skip(character) else { throw next == nil ? .truncated : .invalid("json") }
    }
}
