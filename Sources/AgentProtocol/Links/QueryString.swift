public import ByteCoding

/// The part of a link behind `?`: names and values, escaped.
///
/// Only letters, digits and `-_.~` stand for themselves (RFC 3986 section 2.3); everything else is written as `%XX`. Reading
/// is more liberal: `;` separates like `&`, and `+` is a space.
public struct QueryString: Hashable, Sendable {
    public struct Item: Hashable, Sendable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public let items: [Item]

    public init(_ items: [Item]) {
        self.items = items
    }

    /// The value of the first item with this name.
    public subscript(_ name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    /// The text form, without the question mark.
    public var text: String {
        items.map { "\(QueryString.escape($0.name))=\(QueryString.escape($0.value))" }.joined(separator: "&")
    }

    /// Reads the text form. An item without `=` has an empty value; values must be UTF-8.
    public init(text: String) throws(DecodeError) {
        var items: [Item] = []
        for part in text.split(whereSeparator: { $0 == "&" || $0 == ";" }) {
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            let value = equals == part.endIndex ? "" : part[part.index(after: equals)...]
            items.append(Item(try QueryString.unescape(part[..<equals]), try QueryString.unescape(value)))
        }
        self.items = items
    }

    static func escape(_ text: String) -> String {
        var escaped: Bytes = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                escaped.append(byte)
            } else {
                escaped.append(UInt8(ascii: "%"))
                escaped += Bytes(Hex.encode([byte]).uppercased().utf8)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func unescape(_ text: Substring) throws(DecodeError) -> String {
        var bytes: Bytes = []
        var rest = Bytes(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard rest.count >= 2 else { throw .truncated }
                bytes += try Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self))
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        guard let unescaped = String(validating: bytes, as: UTF8.self) else { throw .invalid("escaped text") }
        return unescaped
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Bytes("-_.~".utf8).contains(byte)
        }
    }
}
