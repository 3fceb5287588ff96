public import ByteCoding

/// The answer of HTTP that refuses a connection.
public struct UpgradeRefusal: Error, Hashable, Sendable {
    /// The status code.
    public let status: Int
    /// The status in words.
    public let reason: String
    /// A field that the status needs.
    private let field: String?

    private init(_ status: Int, _ reason: String, _ field: String? = nil) {
        self.status = status
        self.reason = reason
        self.field = field
    }

    /// The request is not HTTP, or not an opening handshake.
    public static let badRequest = UpgradeRefusal(400, "Bad Request")
    /// The token is missing or wrong.
    public static let unauthorized = UpgradeRefusal(401, "Unauthorized", "WWW-Authenticate: Bearer")
    /// The page is not allowed to connect.
    public static let forbidden = UpgradeRefusal(403, "Forbidden")
    /// The method is not GET.
    public static let method = UpgradeRefusal(405, "Method Not Allowed", "Allow: GET")
    /// The request did not arrive in time.
    public static let timeout = UpgradeRefusal(408, "Request Timeout")
    /// The request does not ask for version 13 of WebSocket.
    public static let upgradeRequired = UpgradeRefusal(
        426, "Upgrade Required", "Upgrade: websocket\r\nSec-WebSocket-Version: 13")
    /// The header is too large.
    public static let tooLarge = UpgradeRefusal(431, "Request Header Fields Too Large")
    /// There are too many connections.
    public static let unavailable = UpgradeRefusal(503, "Service Unavailable")
    /// The version is not HTTP/1.1.
    public static let version = UpgradeRefusal(505, "HTTP Version Not Supported")

    /// The bytes of the answer.
    public var response: Bytes {
        let field = field.map { "\($0)\r\n" } ?? ""
        return Bytes(
            """
            HTTP/1.1 \(status) \(reason)\r
            \(field)Content-Length: 0\r
            Connection: close\r
            \r\n
            """.utf8)
    }
}
