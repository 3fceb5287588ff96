import ByteCoding
import Glibc
import SystemIO
import Testing
import WebSocket

@testable import Host

/// Where clients of the API connect, who may, and what becomes of their connections.
@Suite struct APIServerTests {
    @Test(arguments: [
        ("5225", "127.0.0.1", 5225), ("127.0.0.1:0", "127.0.0.1", 0), ("localhost:65535", "localhost", 65535),
        ("[::1]:80", "::1", 80), ("0.0.0.0:5225", "0.0.0.0", 5225), ("bot.example:1", "bot.example", 1),
    ])
    func addresses_are_read(text: String, host: String, port: UInt16) throws {
        let address = try #require(ListenAddress(text))
        #expect(address == .port(host: host, UInt16(port)))
        #expect(ListenAddress(address.description) == address)
    }

    @Test(arguments: [
        "", ":", ":5225", "host:", "65536", "-1", "+1", "1.5", "::1:80", "[::1]", "[::1:80", "[host]:80", "a b:1",
        "http://a:80", "[]:80", "5225 ", "１", "unix:", "unix:socket", "unix:/", "unix:/run/", "unix:/a\0b",
    ])
    func others_are_none(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test func sockets_are_named_by_their_path() throws {
        let address = try #require(ListenAddress("unix:/run/user/1000/a:b.sock"))
        #expect(address == .socket(path: "/run/user/1000/a:b.sock") && address.isLoopback && !address.isPort)
        #expect(ListenAddress(address.description) == address)
    }

    @Test func only_addresses_of_this_machine_are_loopback() {
        for text in ["1", "127.0.0.1:1", "127.9.9.9:1", "localhost:1", "[::1]:1"] {
            #expect(ListenAddress(text)?.isLoopback == true, "\(text)")
        }
        for text in ["0.0.0.0:1", "[::]:1", "192.168.0.1:1", "example.org:1", "127.0.0.1.example.org:1", "localhos:1"] {
            #expect(ListenAddress(text)?.isLoopback == false, "\(text)")
        }
    }

    // MARK: - Admission

    private func request(_ lines: String...) throws -> UpgradeRequest {
        let all =
            [
                "GET / HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
            ] + lines
        return try #require(try UpgradeRequest.read(Bytes((all.joined(separator: "\r\n") + "\r\n\r\n").utf8))).request
    }

    @Test func pages_need_permission() throws {
        let open = APIServer.Admission(origins: ["https://a.example"])
        try open.check(try request())
        try open.check(try request("Origin: https://a.example"))
        for origin in ["https://b.example", "null", "https://a.example:443", "HTTPS://A.EXAMPLE", ""] {
            #expect(throws: UpgradeRefusal.forbidden, "\(origin)") { try open.check(try request("Origin: \(origin)")) }
        }
    }

    @Test func a_token_must_be_the_one() throws {
        let admission = APIServer.Admission(token: Bytes("0123456789abcdef".utf8))
        try admission.check(try request("Authorization: Bearer 0123456789abcdef"))
        try admission.check(try request("authorization: bearer 0123456789abcdef"))
        for value in [
            "", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0", "Basic 0123456789abcdef",
            "0123456789abcdef", "Bearer 0123456789ABCDEF",
        ] {
            #expect(throws: UpgradeRefusal.unauthorized, "\(value)") {
                try admission.check(try request("Authorization: \(value)"))
            }
        }
        #expect(throws: UpgradeRefusal.unauthorized) { try admission.check(try request()) }
    }

    // MARK: - Requests

    @Test func requests_are_objects_with_two_texts() {
        #expect(APIClient.Request(#"{"corrId":"7","cmd":"/_start"}"#)?.command == "/_start")
        #expect(APIClient.Request(#"{"cmd":"","corrId":"","more":[1]}"#)?.id == "")
        for text in ["", "x", "[]", "{}", #"{"corrId":7,"cmd":"/v"}"#, #"{"corrId":"7"}"#, #"{"cmd":"/v"}"#] {
            #expect(APIClient.Request(text) == nil, "\(text)")
        }
    }

    // MARK: - Connections

    /// Both ends of a connection, the far one without a loop.
    private final class Line {
        let loop: EventLoop
        let connection: WebSocketConnection
        let far: FileDescriptor
        var texts: [String] = []
        var isOpen = false
        var isClosed = false

        init(_ limits: WebSocketConnection.Limits = .init()) throws {
            var ends: [Int32] = [0, 0]
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
            try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
            loop = try EventLoop()
            far = FileDescriptor(owning: ends[1])
            connection = WebSocketConnection(socket: ends[0], loop: loop, limits: limits) { _ in }
            try connection.start(
                onOpen: { [unowned self] in isOpen = true }, onText: { [unowned self] in texts.append($0) },
                onClose: { [unowned self] in isClosed = true })
        }

        func send(_ bytes: Bytes) throws { try far.write(bytes) }

        func open() throws {
            let key = "dGhlIHNhbXBsZSBub25jZQ=="
            try send(
                Bytes(
                    ("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\r\n").utf8))
            run { self.isOpen }
            _ = try far.read(1000)
        }

        /// Runs the loop until something is so, for a short time.
        func run(_ isDone: @escaping () -> Bool) {
            var isLate = false
            let timer = loop.after(.seconds(10)) { isLate = true }
            loop.run { isLate || isDone() }
            timer.cancel()
        }

        func read() -> Bytes { (try? far.read(1 << 20)) ?? [] }
    }

    private static func masked(_ frame: Frame) -> Bytes { frame.encoded(mask: [1, 2, 3, 4]) }

    @Test func messages_go_both_ways() throws {
        let line = try Line()
        try line.open()
        try line.send(Self.masked(Frame(.text, Bytes("hello".utf8))) + Self.masked(Frame(.ping, [7])))
        line.run { !line.texts.isEmpty }
        #expect(line.texts == ["hello"])
        #expect(line.read() == Frame(.pong, [7]).encoded())
        line.connection.send(text: Bytes("answer".utf8))
        #expect(line.read() == Frame(.text, Bytes("answer".utf8)).encoded())
        line.connection.close(.goingAway)
        #expect(line.read() == Frame(.close, [0x03, 0xe9]).encoded())
        try line.send(Self.masked(Frame(.close, [0x03, 0xe9])))
        StreamSocket.endSending(line.far.number)
        line.run { line.isClosed }
        #expect(line.isClosed)
    }

    @Test func a_client_that_does_not_read_is_given_up() throws {
        var limits = WebSocketConnection.Limits()
        limits.pending = 4 << 20
        let line = try Line(limits)
        try line.open()
        var sent = 0
        while !line.isClosed, sent < 100 {
            line.connection.send(text: Bytes(repeating: 0x61, count: 1 << 20))
            sent += 1
        }
        #expect(line.isClosed && sent < 10, "\(sent)")
    }

    @Test func a_client_that_stops_reading_is_given_up_in_time() throws {
        var limits = WebSocketConnection.Limits()
        limits.stall = .milliseconds(50)
        let line = try Line(limits)
        try line.open()
        line.connection.send(text: Bytes(repeating: 0x61, count: 4 << 20))
        #expect(!line.isClosed && line.connection.isSending)
        line.run { line.isClosed }
        #expect(line.isClosed)
    }

    @Test func a_client_that_has_gone_without_a_word_is_found() throws {
        var limits = WebSocketConnection.Limits()
        limits.idle = .milliseconds(20)
        let line = try Line(limits)
        try line.open()
        line.run { line.isClosed }
        #expect(line.isClosed)
        #expect(line.read() == Frame(.ping, []).encoded(), "it was asked")
    }

    @Test func a_handshake_has_a_deadline() throws {
        var limits = WebSocketConnection.Limits()
        limits.opening = .milliseconds(20)
        limits.closing = .milliseconds(20)
        let line = try Line(limits)
        try line.send(Bytes("GET / HT".utf8))
        line.run { line.isClosed }
        #expect(line.isClosed && !line.isOpen)
        #expect(line.read() == UpgradeRefusal.timeout.response)
    }

    @Test func a_client_that_breaks_off_in_a_pause_is_found() throws {
        let line = try Line()
        try line.open()
        line.connection.pause(true)
        _ = shutdown(line.far.number, Int32(SHUT_RDWR))
        line.run { line.isClosed }
        #expect(line.isClosed)
    }

    @Test func a_pause_keeps_messages_back() throws {
        let line = try Line()
        try line.open()
        line.connection.pause(true)
        try line.send(Self.masked(Frame(.text, Bytes("one".utf8))))
        var isOver = false
        line.loop.after(.milliseconds(50)) { isOver = true }
        line.run { isOver }
        #expect(line.texts == [])
        line.connection.pause(false)
        line.run { !line.texts.isEmpty }
        #expect(line.texts == ["one"])
    }
}
