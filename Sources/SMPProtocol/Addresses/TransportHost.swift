public import ByteCoding

/// A host in an address: an IP address, an onion service or a domain name (smp-agent.md 1.4).
public enum TransportHost: Hashable, Sendable, ByteCodable, CustomStringConvertible {
    /// Four numbers from 0 to 255, with dots.
    case ipv4(String)
    /// An IPv6 address without brackets.
    case ipv6(String)
    /// A name that ends in `.onion`.
    case onion(String)
    /// A domain name, and any other name.
    case domain(String)

    private static let onionSuffix = ".onion"

    /// Reads a host up to the first character that cannot belong to a host.
    ///
    /// - Throws: ``DecodeError``.
    public init(from reader: inout TextReader) throws(DecodeError) {
        if let address = reader.attempt(TransportHost.ipv4) {
            self = .ipv4(address)
        } else if let address = reader.attempt(TransportHost.ipv6) {
            self = .ipv6(address)
        } else {
            let name = reader.take(while: canBeInName)
            guard !name.isEmpty else { throw reader.isAtEnd ? .truncated : .invalid("host") }
            guard name.utf8.count <= UInt8.max else { throw .invalid("host") }
            guard name.hasSuffix(TransportHost.onionSuffix) else {
                self = .domain(name)
                return
            }
            let service = name.dropLast(TransportHost.onionSuffix.count)
            guard !service.isEmpty, service.utf8.allSatisfy(isLowercaseLetterOrDigit) else {
                throw .invalid("onion host")
            }
            self = .onion(name)
        }
    }

    /// Reads a text that consists of a host.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// Reads the text form behind a one-byte length.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        try self.init(text: try reader.shortText())
    }

    /// Writes the text form behind a one-byte length.
    public func encode(into writer: inout ByteWriter) {
        writer.shortText(description)
    }

    /// The host as text, without brackets.
    public var description: String {
        switch self {
        case .ipv4(let text), .ipv6(let text), .onion(let text), .domain(let text): text
        }
    }

    /// Reads four decimal numbers. A name such as `1.2.3` or `256.1.1.1` is a domain.
    private static func ipv4(_ reader: inout TextReader) throws(DecodeError) -> String {
        var numbers: [UInt8] = [try reader.number()]
        for _ in 0..<3 {
            try reader.expect(".")
            numbers.append(try reader.number())
        }
        return numbers.map { "\($0)" }.joined(separator: ".")
    }

    /// Reads eight groups of up to four hexadecimal digits. One run of zeros may be `::`.
    private static func ipv6(_ reader: inout TextReader) throws(DecodeError) -> String {
        let isBracketed = reader.skip("[")
        let text = reader.take { isHexadecimal($0) || $0 == UInt8(ascii: ":") }
        if isBracketed { try reader.expect("]") }
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        let hasRun = groups.dropFirst().dropLast().contains("")
        guard groups.count >= 3, groups.allSatisfy({ $0.utf8.count <= 4 }) else { throw .invalid("host") }
        guard hasRun ? groups.count <= 9 : groups.count == 8 && !groups.contains("") else { throw .invalid("host") }
        return text
    }
}

/// Returns true if `byte` does not end a name.
private func canBeInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ":"), UInt8(ascii: "#"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "/"),
        UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        false
    default: true
    }
}

private func isLowercaseLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
