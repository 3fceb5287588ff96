/// Base64 with the URL alphabet (RFC 4648 section 5), for keys, ids and hashes in links and addresses (smp-agent.md
/// 1.2).
public enum Base64URL {
    static let alphabet = Base64Alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// Encodes bytes with `=` padding. Short links omit the padding.
    public static func encode(_ bytes: some Collection<UInt8>, padding: Bool = true) -> String {
        alphabet.encode(bytes, padding: padding)
    }

    /// Decodes text with or without padding. The empty text is the empty byte string.
    ///
    /// - Throws: ``DecodeError/invalid(_:)`` for wrong padding, nonzero unused bits and other characters.
    public static func decode(_ text: String) throws(DecodeError) -> Bytes {
        try alphabet.decode(text)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        alphabet.value(of: byte) != nil
    }
}

/// Base64 with the standard alphabet (RFC 4648 section 4).
public enum Base64 {
    static let alphabet = Base64Alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

    /// Encodes bytes with `=` padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        alphabet.encode(bytes, padding: true)
    }

    /// Decodes text with or without padding.
    ///
    /// - Throws: ``DecodeError/invalid(_:)``.
    public static func decode(_ text: String) throws(DecodeError) -> Bytes {
        try alphabet.decode(text)
    }
}

/// The 64 digits of an alphabet with their arithmetic.
struct Base64Alphabet: Sendable {
    private let digits: Bytes
    private let values: [UInt8?]

    init(_ alphabet: StaticString) {
        digits = Bytes(alphabet.description.utf8)
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, digit) in digits.enumerated() {
            values[Int(digit)] = UInt8(value)
        }
        self.values = values
    }

    func value(of digit: UInt8) -> UInt8? {
        values[Int(digit)]
    }

    func encode(_ bytes: some Collection<UInt8>, padding: Bool) -> String {
        var text: Bytes = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var pending = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            pending += 8
            while pending >= 6 {
                pending -= 6
                text.append(digits[Int(bits >> UInt32(pending) & 63)])
            }
        }
        if pending > 0 {
            text.append(digits[Int(bits << UInt32(6 - pending) & 63)])
        }
        while padding, text.count % 4 != 0 {
            text.append(UInt8(ascii: "="))
        }
        return String(decoding: text, as: UTF8.self)
    }

    func decode(_ text: String) throws(DecodeError) -> Bytes {
        let input = Bytes(text.utf8)
        let paddingCount = input.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let digitCount = input.count - paddingCount
        guard digitCount % 4 != 1, paddingCount == 0 || (input.count % 4 == 0 && paddingCount <= 2) else {
            throw .invalid("base64 length")
        }
        var bytes: Bytes = []
        bytes.reserveCapacity(digitCount * 3 / 4)
        var bits: UInt32 = 0
        var pending = 0
        for digit in input.prefix(digitCount) {
            guard let value = value(of: digit) else { throw .invalid("base64 digit") }
            bits = bits << 6 | UInt32(value)
            pending += 6
            if pending >= 8 {
                pending -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(pending)))
            }
        }
        guard bits & (1 << UInt32(pending) - 1) == 0 else { throw .invalid("base64 unused bits") }
        return bytes
    }
}
