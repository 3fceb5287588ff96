import SecureTransport

/// Where clients of the API connect: `5225`, `127.0.0.1:5225`, `[::1]:5225`, `unix:/run/user/1000/bot.sock`.
public enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address of this machine, and a port: 0 for one that the system chooses.
    case port(host: String, UInt16)
    /// The path of a Unix socket, from the root.
    case socket(path: String)

    private static let scheme = "unix:"

    /// Nil for a text that is no address.
    public init?(_ text: String) {
        let bytes = text.utf8
        if text.hasPrefix(ListenAddress.scheme) {
            let path = String(text.dropFirst(ListenAddress.scheme.count))
            guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else { return nil }
            self = .socket(path: path)
            return
        }
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
            guard let port = ListenAddress.port(text) else { return nil }
            self = .port(host: "127.0.0.1", port)
            return
        }
        guard let host = String(bytes[..<colon]), !host.isEmpty,
            let port = ListenAddress.port(Substring(bytes[bytes.index(after: colon)...]))
        else { return nil }
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            let inner = String(host.dropFirst().dropLast())
            guard inner.utf8.contains(UInt8(ascii: ":")), IPAddress(inner) != nil else { return nil }
            self = .port(host: inner, port)
        } else {
            guard !host.utf8.contains(where: { "[]: /".utf8.contains($0) }) else { return nil }
            self = .port(host: host, port)
        }
    }

    private static func port(_ text: some StringProtocol) -> UInt16? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return UInt16(text)
    }

    /// True if only this machine can connect.
    public var isLoopback: Bool {
        switch self {
        case .port(let host, _): host == "localhost" || IPAddress(host)?.isLoopback ?? false
        case .socket: true
        }
    }

    /// False for a Unix socket.
    public var isPort: Bool {
        if case .port = self { true } else { false }
    }

    /// The address as it is read.
    public var description: String {
        switch self {
        case .port(let host, let port): host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .socket(let path): ListenAddress.scheme + path
        }
    }
}
