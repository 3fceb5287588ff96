import ByteCoding
import CryptoCore
import Glibc
import SecureTransport
import SystemIO
import TestSupport
import Testing

/// Connections that are left to a proxy, over real sockets on loopback.
@Suite(.timeLimit(.minutes(60))) struct SOCKSDialerTests {
    private enum Result: Equatable {
        /// What the other end of the connection says first.
        case connected(Bytes)
        case failed(ConnectionError)
    }

    private static func dial(
        _ host: String, through proxy: SOCKSProxy, _ loop: EventLoop, deadline: Duration = .seconds(20)
    ) -> Result? {
        var result: Result?
        var socket: Int32?
        let dialer = Dialer(host: host, port: 5223, through: proxy, deadline: deadline, loop: loop) {
            switch consume $0 {
            case .success(let descriptor): socket = descriptor.release()
            case .failure(let error): result = .failed(error)
            }
        }
        var isLate = false
        let timer = loop.after(.seconds(30)) { isLate = true }
        loop.run { isLate || result != nil || socket != nil }
        if let number = socket {
            var bytes: Bytes = []
            try? loop.watch(number, for: .reading) { _ in
                var part = Bytes(repeating: 0, count: 100)
                let count = unsafe recv(number, &part, part.count, 0)
                bytes += part.prefix(max(0, count))
            }
            loop.run { isLate || bytes.count >= SOCKSServer.hello.count }
            loop.unwatch(number)
            close(number)
            result = .connected(bytes)
        }
        timer.cancel()
        dialer.cancel()
        return result
    }

    @Test(arguments: [true, false])
    func namesGoToTheProxyAsTheyAre(isSlow: Bool) throws {
        let loop = try EventLoop(), server = try SOCKSServer(loop)
        server.isSlow = isSlow
        // Names that no name server knows: to look them up would fail.
        for host in ["relay.invalid", "abcdefgh.onion"] {
            #expect(Self.dial(host, through: server.proxy(), loop) == .connected(SOCKSServer.hello))
            #expect(server.requests.last == [5, 1, 0, 3, UInt8(host.utf8.count)] + Bytes(host.utf8) + [0x14, 0x67])
        }
        #expect(Self.dial("192.0.2.1", through: server.proxy(), loop) == .connected(SOCKSServer.hello))
        #expect(server.requests.last == [5, 1, 0, 1, 192, 0, 2, 1, 0x14, 0x67])
        #expect(Self.dial("2001:db8::1", through: server.proxy(), loop) == .connected(SOCKSServer.hello))
        #expect(
            server.requests.last
                == [5, 1, 0, 4, 0x20, 1, 0xd, 0xb8] + Bytes(repeating: 0, count: 11) + [1, 0x14, 0x67])
    }

    @Test func everyConnectionHasItsOwnUser() throws {
        let loop = try EventLoop(), server = try SOCKSServer(loop)
        for _ in 0..<5 { _ = Self.dial("relay.invalid", through: server.proxy(), loop) }
        #expect(server.logins.count == 5)
        #expect(Set(server.logins.map { $0.prefix(33) }).count == 5)
        #expect(server.logins.allSatisfy { $0.count == 67 && $0[0] == 1 && $0[1] == 32 })
        // A proxy that knows no users is asked without one.
        server.method = 0
        #expect(Self.dial("relay.invalid", through: server.proxy(), loop) == .connected(SOCKSServer.hello))
        #expect(server.logins.count == 5)
        #expect(server.greetings.allSatisfy { $0 == [5, 2, 2, 0] })
    }

    @Test func aUserThatIsGivenIsUsed() throws {
        let loop = try EventLoop(), server = try SOCKSServer(loop)
        let proxy = server.proxy(.password(user: "me", password: "word"))
        #expect(Self.dial("relay.invalid", through: proxy, loop) == .connected(SOCKSServer.hello))
        #expect(server.logins == [[1, 2] + Bytes("me".utf8) + [4] + Bytes("word".utf8)])
        server.method = 0
        #expect(Self.dial("relay.invalid", through: server.proxy(.anonymous), loop) == .connected(SOCKSServer.hello))
        #expect(server.greetings.last == [5, 1, 0])
    }

    @Test func everyErrorIsAValue() throws {
        let loop = try EventLoop(), server = try SOCKSServer(loop)
        func failure() -> Result? { Self.dial("relay.invalid", through: server.proxy(), loop) }
        for refusal in SOCKSError.Refusal.allCases {
            server.reply = [5, refusal.rawValue, 0, 1, 0, 0, 0, 0, 0, 0]
            #expect(failure() == .failed(.proxy(.refused(refusal))))
        }
        server.reply = [5, 0xf0]
        #expect(failure() == .failed(.proxy(.refused(.generalFailure))))
        server.reply = []
        #expect(failure() == .failed(.proxy(.closed)))
        server.loginAnswer = [1, 1]
        #expect(failure() == .failed(.proxy(.wrongPassword)))
        server.method = 0xff
        #expect(failure() == .failed(.proxy(.noCommonMethod)))
        server.method = 1
        #expect(failure() == .failed(.proxy(.invalidAnswer)))
    }

    @Test func missing_proxy_is_unreachable() throws {
        let loop = try EventLoop()
        let listener = try Listener(host: "127.0.0.1", port: 0, loop: loop) { close($0) }
        let closing = SOCKSProxy(host: "127.0.0.1", port: listener.port)
        guard case .failed(.proxy(let error)) = Self.dial("relay.invalid", through: closing, loop) else {
            return #expect(Bool(false), "a proxy that hangs up made a connection")
        }
        // What the system calls it depends on who is faster.
        #expect(error == .closed || error != .unknownHost)
        let nowhere = SOCKSProxy(host: "proxy.invalid", port: 1080)
        guard case .failed(.proxy) = Self.dial("127.0.0.1", through: nowhere, loop) else {
            return #expect(Bool(false), "a connection was made without its proxy")
        }
    }

    @Test func aProxyThatSaysNothingMissesTheDeadline() throws {
        let loop = try EventLoop()
        var accepted: [Int32] = []
        let listener = try Listener(host: "127.0.0.1", port: 0, loop: loop) { accepted.append($0) }
        let silent = SOCKSProxy(host: "127.0.0.1", port: listener.port)
        let result = Self.dial("relay.invalid", through: silent, loop, deadline: .milliseconds(100))
        #expect(result == .failed(.timedOut(.connecting)))
        for number in accepted { close(number) }
    }

    @Test func oversized_name_is_rejected() throws {
        let loop = try EventLoop(), server = try SOCKSServer(loop)
        for host in ["", String(repeating: "a", count: 256)] {
            #expect(Self.dial(host, through: server.proxy(), loop) == .failed(.unknownHost))
        }
        #expect(server.greetings.isEmpty)
    }
}
