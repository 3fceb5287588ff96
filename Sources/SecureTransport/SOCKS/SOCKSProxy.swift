public import ByteCoding
public import SystemIO

/// A SOCKS5 proxy (RFC 1928), which also resolves the names of hosts.
public struct SOCKSProxy: Hashable, Sendable, CustomStringConvertible {
    /// The login at the proxy.
    public enum Login: Hashable, Sendable {
        /// A random user name for each connection. Tor uses a separate circuit for each user, so that relays cannot
        /// link two connections by their address. Proxies without users ignore the name.
        case isolated
        /// No login.
        case anonymous
        /// A user and a password (RFC 1929), 1 to 255 bytes each.
        case password(user: String, password: String)
    }

    /// The host of the proxy.
    public let host: String
    /// The port of the proxy.
    public let port: UInt16
    /// The login at the proxy.
    public let login: Login

    /// The default port (RFC 1928).
    public static let defaultPort: UInt16 = 1080
    /// The proxy of a Tor client on this machine.
    public static let tor = SOCKSProxy(host: "127.0.0.1", port: 9050, login: .isolated)

    /// Creates an SOCKS proxy from its parts.
    public init(host: String, port: UInt16, login: Login = .isolated) {
        self.host = host
        self.port = port
        self.login = login
    }

    /// Reads `tor` or `socks5h://[[USER:PASSWORD]@]HOST[:PORT]`, with an IPv6 host in brackets.
    ///
    /// Without `@` the user names are random; with an empty login before `@` there is no login. `socks5://` has the
    /// same effect here, although other programs then resolve names themselves. User and password may be
    /// percent-encoded.
    ///
    /// - Throws: ``DecodeError``.
    public init(text: String) throws(DecodeError) {
        if text == "tor" {
            self = .tor
            return
        }
        var reader = TextReader(text)
        if !reader.skip("socks5h://") { try reader.expect("socks5://") }
        let parts = reader.rest().split(separator: "@", omittingEmptySubsequences: false)
        guard let address = parts.last, parts.count <= 2 else { throw .invalid("proxy") }
        let login = parts.count == 1 ? .isolated : try SOCKSProxy.login(parts[0])
        (host, port) = try SOCKSProxy.address(String(address))
        self.login = login
    }

    private static func login(_ text: Substring) throws(DecodeError) -> Login {
        if text.isEmpty { return .anonymous }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .invalid("user of the proxy") }
        let user = try percentDecoded(parts[0]), password = try percentDecoded(parts[1])
        guard (1...255).contains(user.utf8.count), (1...255).contains(password.utf8.count) else {
            throw .invalid("user of the proxy")
        }
        return .password(user: user, password: password)
    }

    private static func address(_ text: String) throws(DecodeError) -> (String, UInt16) {
        var reader = TextReader(text)
        let host: String
        if reader.skip("[") {
            host = reader.take { $0 != UInt8(ascii: "]") }
            try reader.expect("]")
        } else {
            host = reader.take { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
        }
        guard (1...255).contains(host.utf8.count), host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw .invalid("host of the proxy")
        }
        let port: UInt16 = reader.skip(":") ? try reader.number() : defaultPort
        guard port > 0 else { throw .invalid("port of the proxy") }
        // Some programs append an empty path to their addresses.
        _ = reader.skip("/")
        try reader.finish()
        return (host, port)
    }

    private static func percentDecoded(_ text: Substring) throws(DecodeError) -> String {
        var decoded: Bytes = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let digits = String(rest.prefix(2)), digits.utf8.count == 2, !digits.hasPrefix("+"),
                let value = UInt8(digits, radix: 16)
            else { throw .invalid("percent-encoding") }
            rest = rest.dropFirst(2)
            decoded.append(value)
        }
        guard let decoded = String(validating: decoded, as: UTF8.self) else { throw .invalid("percent-encoding") }
        return decoded
    }

    /// The address of the proxy, without user and password.
    public var description: String {
        host.contains(":") ? "socks5h://[\(host)]:\(port)" : "socks5h://\(host):\(port)"
    }
}

/// The reason why a proxy did not make a connection.
public enum SOCKSError: Error, Hashable, Sendable {
    /// The name of the proxy has no address.
    case unknownHost
    /// The proxy is unreachable, or the connection to it broke.
    case unreachable(SystemError)
    /// The proxy closed the connection without a reply.
    case closed
    /// The reply of the proxy is not SOCKS5.
    case invalidAnswer
    /// The proxy requires another login method.
    case noCommonMethod
    /// The proxy rejected the user and password.
    case wrongPassword
    /// The proxy reported an error.
    case refused(Refusal)

    /// The error in the reply of the proxy (RFC 1928 section 6).
    public enum Refusal: UInt8, Hashable, Sendable, CaseIterable {
        /// A general failure, and every unknown number.
        case generalFailure = 1
        /// The proxy's rules forbid the connection.
        case notAllowed
        /// The network is unreachable.
        case networkUnreachable
        /// The host is unreachable.
        case hostUnreachable
        /// The host refused the connection.
        case connectionRefused
        /// The time to live expired.
        case timeToLiveExpired
        /// The proxy does not support the command.
        case unknownCommand
        /// The proxy does not support the address type.
        case unknownAddressType
    }
}
