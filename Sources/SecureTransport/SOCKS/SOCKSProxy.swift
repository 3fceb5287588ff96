public import ByteCoding
public import SystemIO

/// A SOCKS5 proxy (RFC 1928), to which connections are left: it also looks up the names.
public struct SOCKSProxy: Hashable, Sendable, CustomStringConvertible {
    /// As whom to ask.
    public enum Login: Hashable, Sendable {
        /// A user that is made up for each connection. Tor uses another circuit for each user, so that relays cannot tell
        /// by the address that two connections come from one place; proxies that know no users do not mind.
        case isolated
        case anonymous
        /// RFC 1929: 1 to 255 bytes each.
        case password(user: String, password: String)
    }

    public let host: String
    public let port: UInt16
    public let login: Login

    /// The port that RFC 1928 names.
    public static let defaultPort: UInt16 = 1080
    /// The proxy of a Tor client on this machine.
    public static let tor = SOCKSProxy(host: "127.0.0.1", port: 9050, login: .isolated)

    public init(host: String, port: UInt16, login: Login = .isolated) {
        self.host = host
        self.port = port
        self.login = login
    }

    /// Reads `tor` or `socks5h://[[USER:PASSWORD]@]HOST[:PORT]`, with an IPv6 host in brackets.
    ///
    /// Without `@` users are made up, with nothing in front of it there is none. `socks5://`, which asks other programs to
    /// look names up themselves, means the same here. User and password may be percent-encoded.
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
        // Some programs write their addresses with a path of nothing.
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

    /// Where the proxy is, without user and password.
    public var description: String {
        host.contains(":") ? "socks5h://[\(host)]:\(port)" : "socks5h://\(host):\(port)"
    }
}

/// Why a proxy did not make a connection.
public enum SOCKSError: Error, Hashable, Sendable {
    /// The name of the proxy itself has no address.
    case unknownHost
    /// The proxy itself cannot be reached, or the connection with it broke.
    case unreachable(SystemError)
    /// The proxy ended the connection without a word.
    case closed
    /// The proxy does not speak SOCKS5 as it should.
    case invalidAnswer
    /// The proxy wants something else than a user and a password.
    case noCommonMethod
    /// The proxy does not accept the user and the password.
    case wrongPassword
    case refused(Refusal)

    /// The reply of the proxy (RFC 1928 section 6).
    public enum Refusal: UInt8, Hashable, Sendable, CaseIterable {
        /// Also for every number that has no meaning.
        case generalFailure = 1
        case notAllowed
        case networkUnreachable
        case hostUnreachable
        case connectionRefused
        case timeToLiveExpired
        case unknownCommand
        case unknownAddressType
    }
}
