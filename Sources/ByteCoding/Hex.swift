/// Hexadecimal text in lower case.
public enum Hex {
    private static let digits = Bytes("0123456789abcdef".utf8)

    /// Encodes bytes as two digits each.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: Bytes = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes an even number of digits in either case.
    ///
    /// - Throws: ``DecodeError/invalid(_:)``.
    public static func decode(_ text: String) throws(DecodeError) -> Bytes {
        let input = Bytes(text.utf8)
        guard input.count.isMultiple(of: 2) else { throw .truncated }
        var bytes: Bytes = []
        bytes.reserveCapacity(input.count / 2)
        for index in stride(from: 0, to: input.count, by: 2) {
            guard let high = value(of: input[index]), let low = value(of: input[index + 1]) else {
                throw .invalid("hexadecimal digit")
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Returns the value of a digit in either case, or nil for another character.
    public static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
