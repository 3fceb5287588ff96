import ByteCoding
import Testing

@testable import WebSocket

/// The opening handshake: that of RFC 6455, section 1.3, and what is none.
@Suite struct UpgradeRequestTests {
    private static let lines = [
        "GET /chat?x=1 HTTP/1.1", "Host: server.example.com", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Origin: http://example.com",
        "Sec-WebSocket-Protocol: chat, superchat", "Sec-WebSocket-Version: 13",
    ]

    private static func bytes(_ lines: [String]) -> Bytes { Bytes((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) }

    /// The lines with some in place of those that have the same name, or without them.
    private static func changed(_ name: String, _ line: String?...) -> Bytes {
        bytes(lines.filter { !$0.lowercased().hasPrefix(name.lowercased()) } + line.compactMap(\.self))
    }

    private static func refusal(_ bytes: Bytes) -> UpgradeRefusal? {
        do throws(UpgradeRefusal) {
            _ = try UpgradeRequest.read(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func the_request_of_the_standard_is_answered() throws {
        let bytes = Self.bytes(Self.lines)
        let (request, size) = try #require(try UpgradeRequest.read(bytes + [0x81, 0x80]))
        #expect(size == bytes.count && request.target == "/chat?x=1" && request.host == "server.example.com")
        #expect(request.origin == "http://example.com" && request.authorization == nil)
        #expect(UpgradeRequest.accept(request.key) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(
            request.response
                == Bytes(
                    ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n").utf8))
    }

    @Test func names_and_lists_are_read_as_http_does() throws {
        let bytes = Self.bytes([
            "GET / HTTP/1.1", "HOST:localhost:5225", "upgrade:  WebSocket", "connection: keep-alive, Upgrade",
            "sec-websocket-key:\tdGhlIHNhbXBsZSBub25jZQ== ", "sec-websocket-version:13",
            "Authorization: Bearer abc",
        ])
        let request = try #require(try UpgradeRequest.read(bytes)).request
        #expect(request.host == "localhost:5225" && request.key == "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(request.authorization == "Bearer abc" && request.origin == nil)
    }

    @Test func what_is_no_handshake_is_refused() {
        #expect(Self.refusal(Bytes("\u{16}\u{3}\u{1} hello".utf8)) == .badRequest, "TLS")
        #expect(Self.refusal(Bytes("POST / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)) == .method)
        #expect(Self.refusal(Bytes("GET / HTTP/1.0\r\nHost: a\r\n\r\n".utf8)) == .version)
        #expect(Self.refusal(Bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)) == .upgradeRequired)
        #expect(Self.refusal(Bytes("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n".utf8)) == .badRequest)
        #expect(Self.refusal(Bytes("GET /\r\n\r\n".utf8)) == .badRequest)
        #expect(Self.refusal(Bytes("GET  / HTTP/1.1\r\n\r\n".utf8)) == .badRequest)
        #expect(Self.refusal(Self.changed("Host")) == .badRequest)
        #expect(Self.refusal(Self.changed("Host", "Host: a", "Host: b")) == .badRequest)
        #expect(Self.refusal(Self.changed("Upgrade", "Upgrade: h2c")) == .upgradeRequired)
        #expect(Self.refusal(Self.changed("Connection", "Connection: close")) == .upgradeRequired)
        #expect(Self.refusal(Self.changed("Sec-WebSocket-Version", "Sec-WebSocket-Version: 8")) == .upgradeRequired)
        #expect(Self.refusal(Self.changed("Sec-WebSocket-Version")) == .upgradeRequired)
        #expect(Self.refusal(Self.changed("Sec-WebSocket-Key")) == .badRequest)
        #expect(Self.refusal(Self.changed("Sec-WebSocket-Key", "Sec-WebSocket-Key: YWJj")) == .badRequest)
        #expect(Self.refusal(Self.changed("x", "Content-Length: 5")) == .badRequest)
        #expect(Self.refusal(Self.changed("x", "Transfer-Encoding: chunked")) == .badRequest)
        #expect(Self.refusal(Self.changed("x", "Bad Name: 5")) == .badRequest)
        #expect(Self.refusal(Self.changed("x", "no colon")) == .badRequest)
        #expect(Self.refusal(Self.changed("x", " folded: 1")) == .badRequest)
        #expect(Self.refusal(Self.changed("x", "X: a\nY: b")) == .badRequest, "a line feed alone")
        #expect(Self.refusal(Self.changed("x", "X: a\rY: b")) == .badRequest, "a carriage return alone")
        #expect(Self.refusal(Self.changed("x", "X: a\u{0}b")) == .badRequest)
        #expect(Self.refusal(Self.changed("x", "Origin: a", "Origin: b")) == .badRequest)
    }

    @Test func a_header_has_a_limit() {
        let long = "X: " + String(repeating: "a", count: UpgradeRequest.limit)
        #expect(Self.refusal(Self.changed("x", long)) == .tooLarge)
        #expect(Self.refusal(Bytes(repeating: 0x41, count: UpgradeRequest.limit)) == .tooLarge)
    }

    @Test func every_truncation_waits_for_more() throws {
        let bytes = Self.bytes(Self.lines)
        for length in 0..<bytes.count { #expect(try UpgradeRequest.read(Bytes(bytes.prefix(length))) == nil) }
    }

    @Test func changed_bytes_do_no_harm() {
        let bytes = Self.bytes(Self.lines)
        for index in bytes.indices {
            for change in [1, 0x20, 0x80, 0xff] as [UInt8] {
                var changed = bytes
                changed[index] ^= change
                _ = Self.refusal(changed)
            }
        }
    }

    @Test func refusals_are_http() {
        #expect(
            UpgradeRefusal.forbidden.response
                == Bytes("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
        let text = String(decoding: UpgradeRefusal.upgradeRequired.response, as: UTF8.self)
        #expect(text.contains("Sec-WebSocket-Version: 13\r\n"))
    }
}
