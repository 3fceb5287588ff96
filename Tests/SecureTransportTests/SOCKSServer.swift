import ByteCoding
import Glibc
import SecureTransport
import SystemIO

/// A SOCKS5 proxy that leads nowhere: it notes what it is asked for, answers as it is told, and says something behind its
/// reply that only whoever it was asked to connect to would say.
final class SOCKSServer {
    static let hello = Bytes("hello".utf8)

    private let loop: EventLoop
    private var listener: Listener?
    private var connections: [Connection] = []
    /// The method that is chosen, and how a login and a request are answered; an empty answer is a hang-up.
    var method: UInt8 = 2
    var loginAnswer: Bytes = [1, 0]
    var reply: Bytes = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    /// Whether answers come byte by byte.
    var isSlow = false
    private(set) var greetings: [Bytes] = []
    private(set) var logins: [Bytes] = []
    private(set) var requests: [Bytes] = []

    init(_ loop: EventLoop) throws {
        self.loop = loop
        listener = try Listener(host: "127.0.0.1", port: 0, loop: loop) { [unowned self] number in
            connections.append(Connection(number, loop) { [unowned self] in answer($0, $1) })
        }
    }

    func proxy(_ login: SOCKSProxy.Login = .isolated) -> SOCKSProxy {
        SOCKSProxy(host: "127.0.0.1", port: listener?.port ?? 0, login: login)
    }

    private func answer(_ connection: Connection, _ message: Bytes) {
        switch connection.stage {
        case 0:
            greetings.append(message)
            connection.stage = method == 2 ? 1 : 2
            connection.say([5, method], isSlow)
        case 1:
            logins.append(message)
            connection.stage = 2
            connection.say(loginAnswer, isSlow)
        default:
            requests.append(message)
            connection.say(reply.isEmpty ? [] : reply + SOCKSServer.hello, isSlow)
        }
    }

    private final class Connection {
        var stage = 0
        private let number: Int32
        private let loop: EventLoop

        init(_ number: Int32, _ loop: EventLoop, _ handler: @escaping (Connection, Bytes) -> Void) {
            self.number = number
            self.loop = loop
            try? loop.watch(number, for: .reading) { [unowned self] _ in
                var bytes = Bytes(repeating: 0, count: 1024)
                let count = unsafe recv(number, &bytes, bytes.count, 0)
                // Each of a client's messages is small enough to arrive as one.
                if count > 0 { handler(self, Bytes(bytes.prefix(count))) } else { loop.unwatch(number) }
            }
        }

        deinit {
            loop.unwatch(number)
            close(number)
        }

        func say(_ bytes: Bytes, _ isSlow: Bool) {
            if bytes.isEmpty { shutdown(number, Int32(SHUT_RDWR)) }
            guard isSlow else {
                _ = unsafe Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                return
            }
            for (index, byte) in bytes.enumerated() {
                loop.after(.milliseconds(2 * index)) { [weak self] in
                    if let self { _ = unsafe Glibc.send(number, [byte], 1, Int32(MSG_NOSIGNAL)) }
                }
            }
        }
    }
}
