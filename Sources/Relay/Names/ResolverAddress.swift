public import ByteCoding

/// The base address of a resolver of names: `http://127.0.0.1:8765`.
public struct ResolverAddress: Hashable, Sendable, CustomStringConvertible {
    /// The host.
    let host: String
    /// The port.
    let port: UInt16
    /// The path before `/resolve/`, without a slash at its end.
    let path: String

    /// Reads an address. Only HTTP without encryption is supported, because resolvers run beside their relay.
    ///
    /// - Throws: ``DecodeError/invalid(_:)``.
    public init(text: String) throws(DecodeError) {
        var reader = TextReader(text)
        try reader.expect("http://")
        let rest = reader.rest()
        let authority = rest.prefix { $0 != "/" }
        var path = rest.dropFirst(authority.count)
        while path.last == "/" { path.removeLast() }
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        else { throw .invalid("resolver") }
        self.path = String(path)
        var host = authority, port: UInt16 = 80
        // A colon inside of brackets is part of an IPv6 address.
        if let colon = authority.lastIndex(of: ":"), authority.last != "]" {
            host = authority[..<colon]
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else {
                throw .invalid("resolver")
            }
            port = number
        }
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "@") }) else {
            throw .invalid("resolver")
        }
        self.host = String(host)
        self.port = port
    }

    /// The value of the header `Host`.
    var authority: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return port == 80 ? host : "\(host):\(port)"
    }

    public var description: String { "http://\(authority)\(path)" }
}
