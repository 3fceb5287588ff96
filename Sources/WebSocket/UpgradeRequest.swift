public import ByteCoding
import CryptoCore

/// The request of a client to speak WebSocket (RFC 6455, section 4.2.1), which a server has read completely.
public struct UpgradeRequest: Hashable, Sendable {
    /// The largest request in bytes.
    public static let limit = 16 << 10

    /// The path and the query.
    public let target: String
    /// The host that the client means.
    public let host: String
    /// `Sec-WebSocket-Key`: 16 bytes in base64.
    public let key: String
    /// `Origin`: the page that a browser runs; nil from other programs.
    public let origin: String?
    /// `Authorization`: the credentials of the client.
    public let authorization: String?

    /// Reads the request at the start of `bytes`. Returns it with the number of its bytes, or nil if more bytes are needed.
    ///
    /// - Throws: ``UpgradeRefusal``.
    public static func read(_ bytes: Bytes) throws(UpgradeRefusal) -> (request: UpgradeRequest, size: Int)? {
        guard let size = headerSize(bytes) else {
            guard bytes.count < limit else { throw .tooLarge }
            // Something that is no HTTP would otherwise be waited for until the deadline.
            guard isStart(bytes) else { throw .badRequest }
            return nil
        }
        guard size <= limit else { throw .tooLarge }
        return (try UpgradeRequest(Bytes(bytes.prefix(size))), size)
    }

    /// The answer that opens the connection.
    public var response: Bytes {
        Bytes(
            """
            HTTP/1.1 101 Switching Protocols\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Accept: \(UpgradeRequest.accept(key))\r
            \r\n
            """.utf8)
    }

    /// Returns the answer to a key: its SHA-1 with a fixed text, in base64 (section 4.2.2).
    public static func accept(_ key: String) -> String {
        Base64.encode(SHA1.hash(Bytes("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    // MARK: - Reading

    private static func headerSize(_ bytes: Bytes) -> Int? {
        let end = Bytes("\r\n\r\n".utf8)
        guard bytes.count >= end.count else { return nil }
        // A request that is too long is refused whatever it is.
        for start in 0...min(bytes.count, limit + 1) - end.count
        where bytes[start] == end[0] && bytes[start..<start + end.count] == end[...] { return start + end.count }
        return nil
    }

    private static func isStart(_ bytes: Bytes) -> Bool {
        bytes.prefix(3).allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    private init(_ bytes: Bytes) throws(UpgradeRefusal) {
        // The header ends with an empty line.
        let header = Bytes(bytes.dropLast(4))
        guard let text = String(validUTF8: header.span), text.utf8.allSatisfy({ $0 != 0 }) else {
            throw .badRequest
        }
        let lines = UpgradeRequest.lines(text)
        guard let first = lines.first else { throw .badRequest }
        let words = first.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/") else { throw .badRequest }
        guard words[0] == "GET" else { throw .method }
        guard words[2] == "HTTP/1.1" else { throw .version }
        guard words[1].hasPrefix("/") else { throw .badRequest }
        var fields = HeaderFields()
        for line in lines.dropFirst() { try fields.add(line) }
        guard let host = try fields.single("host"), !host.isEmpty else { throw .badRequest }
        guard fields.contains("websocket", in: "upgrade"), fields.contains("upgrade", in: "connection") else {
            throw .upgradeRequired
        }
        guard try fields.single("sec-websocket-version") == "13" else { throw .upgradeRequired }
        guard let key = try fields.single("sec-websocket-key"), (try? Base64.decode(key))?.count == 16,
            key.utf8.count == 24
        else { throw .badRequest }
        // A request that announces a body is no opening handshake.
        guard try fields.single("transfer-encoding") == nil, try fields.single("content-length") ?? "0" == "0" else {
            throw .badRequest
        }
        target = String(words[1])
        self.host = host
        self.key = key
        origin = try fields.single("origin")
        authorization = try fields.single("authorization")
    }

    private static func lines(_ text: String) -> [Substring] {
        // By bytes: for Swift \r\n is one character.
        var lines: [Substring] = []
        var rest = text.utf8[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
            lines.append(Substring(rest[..<end]))
            rest = rest[rest.index(after: end)...]
            guard rest.first == UInt8(ascii: "\n") else { return [] }
            rest = rest.dropFirst()
        }
        lines.append(Substring(rest))
        return lines.contains { $0.utf8.contains(UInt8(ascii: "\n")) } ? [] : lines
    }
}

/// The fields of an HTTP header. Names are in lower case.
private struct HeaderFields {
    private var fields: [(name: String, value: String)] = []

    mutating func add(_ line: Substring) throws(UpgradeRefusal) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .badRequest }
        let name = line.utf8[..<colon], value = line.utf8[line.utf8.index(after: colon)...]
        // A space before the colon, and a line that goes on, are ways to smuggle something past a proxy (RFC 9112).
        guard !name.isEmpty, name.allSatisfy(HeaderFields.isToken) else { throw .badRequest }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let trimmed = Substring(value).utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        fields.append((String(Substring(name)).lowercased(), String(decoding: trimmed, as: UTF8.self)))
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The value of a field that may be there once.
    func single(_ name: String) throws(UpgradeRefusal) -> String? {
        let found = fields.filter { $0.name == name }
        guard found.count <= 1 else { throw .badRequest }
        return found.first?.value
    }

    /// Whether a list has a word, in upper or lower case.
    func contains(_ word: String, in name: String) -> Bool {
        fields.filter { $0.name == name }.flatMap { $0.value.utf8.split(separator: UInt8(ascii: ",")) }
            .contains { part in
                Substring(part).lowercased().split(separator: " ").first.map { $0 == word } ?? false
            }
    }
}
