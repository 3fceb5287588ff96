import CommandKit
import SecureTransport

/// Where clients of the API connect: `5225`, `127.0.0.1:5225`, `[::1]:5225`.
struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address of this machine.
    let host: String
    /// 0 for one that the system chooses.
    let port: UInt16

    /// Nil for a text that is no address.
    init?(_ text: String) {
        let bytes = text.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
            guard let port = ListenAddress.port(text) else { return nil }
            self.init(host: "127.0.0.1", port: port)
            return
        }
        guard let host = String(bytes[..<colon]), !host.isEmpty,
            let port = ListenAddress.port(Substring(bytes[bytes.index(after: colon)...]))
        else { return nil }
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            let inner = String(host.dropFirst().dropLast())
            guard inner.utf8.contains(UInt8(ascii: ":")), IPAddress(inner) != nil else { return nil }
            self.init(host: inner, port: port)
        } else {
            guard !host.utf8.contains(where: { "[]: /".utf8.contains($0) }) else { return nil }
            self.init(host: host, port: port)
        }
    }

    private init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    private static func port(_ text: some StringProtocol) -> UInt16? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return UInt16(text)
    }

    /// True if only this machine can connect.
    var isLoopback: Bool {
        host == "localhost" || IPAddress(host)?.isLoopback ?? false
    }

    /// The address as it stands in a URL.
    func text(port: UInt16) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// As it is read.
    var description: String { text(port: port) }

    static let kind = ValueKind<ListenAddress>(
        ValueForm("[HOST:]PORT", expected: "a port, or a host and a port"), read: { ListenAddress($0) },
        write: { $0.description })
}
