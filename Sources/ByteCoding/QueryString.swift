/// The part of a link behind `?`: escaped names and values (smp-agent.md 6.2).
///
/// Only letters, digits and `-_.~` are written literally (RFC 3986 2.3), everything else as `%XX`. Reading is more
/// liberal: `;` separates like `&`, and `+` is a space.
public struct QueryString: Hashable, Sendable {
    /// A name with its value.
    public struct Item: Hashable, Sendable {
        /// The name, without escapes.
        public let name: String
        /// The value, without escapes.
        public let value: String

        /// Creates an item from its name and value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The items in order.
    public let items: [Item]

    /// Creates a query string from its parts.
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

    /// Reads the text form. An item without `=` has an empty value.
    ///
    /// - Throws: ``DecodeError`` if an escape is invalid or a value is not UTF-8.
    public init(text: String) throws(DecodeError) {
        var items: [Item] = []
        for part in Bytes(text.utf8).split(whereSeparator: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = try QueryString.unescape(part[..<equals])
            items.append(Item(name, try QueryString.unescape(part[equals...].dropFirst())))
        }
        self.items = items
    }

    /// Returns the text with escapes.
    public static func escape(_ text: String) -> String {
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

    private static func unescape(_ text: ArraySlice<UInt8>) throws(DecodeError) -> String {
        var bytes: Bytes = []
        bytes.reserveCapacity(text.count)
        var position = text.startIndex
        while position < text.endIndex {
            switch text[position] {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard text.endIndex - position > 2 else { throw .truncated }
                guard let high = Hex.value(of: text[position + 1]), let low = Hex.value(of: text[position + 2]) else {
                    throw .invalid("hexadecimal digit")
                }
                bytes.append(high << 4 | low)
                position += 2
            case let byte: bytes.append(byte)
            }
            position += 1
        }
        guard let unescaped = String(validating: bytes, as: UTF8.self) else { throw .invalid("escaped text") }
        return unescaped
    }

    /// Returns true if `byte` belongs to a query. A query ends at a space or a line break that is not escaped.
    public static func goesOn(with byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): false
        default: true
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
