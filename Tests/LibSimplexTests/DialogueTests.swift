import ByteCoding
import ChatCore
import JSONCoding
import Synchronization
import SystemIO
import TestSupport
import Testing
import WebSocket

@testable import Host
@testable import LibSimplex

/// The same conversation with a store over every way that programs have: a line, a WebSocket and the C functions.
@Suite(.timeLimit(.minutes(60)), .serialized) struct DialogueTests {
    enum Way: String, CaseIterable {
        case line, webSocket, library
    }

    /// The answer to a command, without its frame.
    struct Reply: Equatable, CustomStringConvertible {
        let isError: Bool
        let body: JSONObject

        var type: String? { body["type"]?.string }
        var description: String { (isError ? "error " : "result ") + JSONValue.object(body).line }
    }

    /// A program that talks with a store, on the thread of the test.
    protocol Caller: AnyObject {
        func send(_ command: String) throws
        /// The next answer, within a few seconds.
        func reply() throws -> Reply
    }

    private static let newProfile =
        #"/_create user {"profile":{"displayName":"bot","fullName":""},"pastTimestamp":false}"#

    /// The conversation: each command with the type of its answer.
    private static let conversation: [(command: String, isError: Bool, type: String)] = [
        ("/users", false, "usersList"),
        ("/u", true, "error"),
        (newProfile, false, "activeUser"),
        ("/u", false, "activeUser"),
        ("/nothing", true, "error"),
        ("", true, "error"),
        (#"/_session set place "a 'b' \n ü""#, false, "cmdOk"),
        ("/_session show place", false, "sessionValue"),
        ("/_get chat @7 count=1", true, "errorStore"),
    ]

    @Test func a_conversation_is_the_same_over_every_way() throws {
        var bodies: [Way: [Reply]] = [:]
        for way in Way.allCases {
            try DialogueTests.withStore(way) { connect, _ in
                let caller = try connect()
                for (command, _, _) in DialogueTests.conversation {
                    try caller.send(command)
                    bodies[way, default: []].append(try caller.reply())
                }
            }
        }
        let line = try #require(bodies[.line])
        for (index, step) in DialogueTests.conversation.enumerated() {
            let reply = line[index]
            #expect(reply.isError == step.isError, "\(step.command): \(reply)")
            // What a profile has from the clock and from random numbers differs.
            guard step.type != "activeUser" else {
                for way in Way.allCases { #expect(bodies[way]?[index].type == step.type, "\(way)") }
                continue
            }
            for way in Way.allCases { #expect(bodies[way]?[index] == reply, "\(step.command) over \(way)") }
        }
        #expect(line.map(\.body).contains { $0["value"]?.string == "a 'b' \n ü" })
    }

    @Test(arguments: Way.allCases) func a_hidden_profile_belongs_to_the_caller_that_opened_it(way: Way) throws {
        try DialogueTests.withStore(way) { connect, _ in
            let caller = try connect()
            func ask(_ command: String) throws -> Reply {
                try caller.send(command)
                return try caller.reply()
            }
            _ = try ask(DialogueTests.newProfile)
            _ = try ask(DialogueTests.newProfile.replacing("bot", with: "work"))
            #expect(try !ask("/_user 1").isError)
            #expect(try !ask(#"/_hide user 2 "secret""#).isError)
            #expect(try !names(ask("/users")).contains("work"))
            #expect(try !names(ask(OpenProfile(name: "work", password: "wrong").text)).contains("work"))
            #expect(try !names(ask("/users")).contains("work"))
            #expect(try !ask(OpenProfile(name: "work", password: "secret").text).isError)
            #expect(try names(ask("/users")).contains("work"))
            // Each connection has its own; the library has one caller.
            guard way != .library else { return }
            let other = try connect()
            try other.send("/users")
            #expect(try !names(other.reply()).contains("work"))
        }
    }

    private func names(_ reply: Reply) -> String { JSONValue.object(reply.body).line }

    @Test(arguments: Way.allCases) func the_end_of_the_store_answers_the_command_in_progress(way: Way) throws {
        try DialogueTests.withStore(way) { connect, close in
            let caller = try connect()
            try caller.send(DialogueTests.newProfile)
            _ = try caller.reply()
            try caller.send("/_receive")
            // Commands of a WebSocket wait for each other; the others show that the reception does not end by itself.
            if way != .webSocket {
                try caller.send("/u")
                #expect(try caller.reply().type == "activeUser")
            }
            close()
            _ = try caller.reply()
        }
    }

    // MARK: - Stores

    /// Runs `body` with a store that answers over one way. It gets a function that connects, and one that closes the store.
    private static func withStore(
        _ way: Way, _ body: (_ connect: () throws -> any Caller, _ close: () -> Void) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        guard way != .library else {
            let library = try LibraryCaller(folder.path + "/bot")
            defer { library.close() }
            return try body({ library }, { library.close() })
        }
        let server = try Server(way, in: folder.path)
        defer { server.close() }
        try body(
            {
                let socket = try UnixSocket.connect(to: server.path, within: .seconds(20))
                try UnixSocket.stopBlocking(socket.number)
                if way == .line { return try LineCaller(socket) }
                return try WebSocketCaller(socket)
            }, { server.close() })
    }

    /// A store that is open on a thread of its own.
    private final class Server: Sendable {
        let path: String
        private let stop: BlockingResult<Bool>
        private let ended: BlockingResult<Bool>
        private let isClosed = Mutex(false)

        init(_ way: Way, in folder: String) throws {
            let path = folder + "/socket"
            self.path = path
            let started = try BlockingResult<Bool>(), stop = try BlockingResult<Bool>()
            let ended = try BlockingResult<Bool>()
            (self.stop, self.ended) = (stop, ended)
            WorkerThread.start {
                do {
                    try Server.serve(way, folder + "/store", at: path, started, stop)
                } catch {
                    Issue.record(error)
                    started.deliver(false)
                }
                ended.deliver(true)
            }
            #expect(started.wait())
        }

        private static func serve(
            _ way: Way, _ folder: String, at path: String, _ started: BlockingResult<Bool>, _ stop: BlockingResult<Bool>
        ) throws {
            let folder = StoreFolder(folder), loop = try EventLoop()
            try folder.create()
            try loop.run {
                let events = Listeners<any ChatEvent>()
                let core = try await LocalCore(
                    folder, .creating, loop: loop, network: .closed, onEvent: events.tell)
                let store = OpenStore(
                    core, folder, loop, events, HostProcess(command: "test"), network: .closed, key: nil, lock: nil)
                if way == .line {
                    let service = CoreService(store)
                    let server = try ControlServer(at: path, loop: loop) { service.serve($0) }
                    started.deliver(true)
                    await wait(for: stop, on: loop)
                    await service.settle(within: .seconds(2))
                    service.end()
                    withExtendedLifetime(server) {}
                } else {
                    let server = try APIServer(store, at: .socket(path: path), .init(), APIFilePaths(folder))
                    started.deliver(true)
                    await wait(for: stop, on: loop)
                    await server.close()
                }
                try await core.close()
            }
        }

        private static func wait(for stop: BlockingResult<Bool>, on loop: EventLoop) async {
            await withCheckedContinuation { continuation in
                loop.offload({ stop.wait() }, then: { _ in continuation.resume() })
            }
        }

        func close() {
            let isFirst = isClosed.withLock { isClosed in
                defer { isClosed = true }
                return !isClosed
            }
            guard isFirst else { return }
            stop.deliver(true)
        }

        deinit {
            close()
            _ = ended.wait()
        }
    }

    // MARK: - Callers

    private struct NoAnswer: Error {}

    /// Reads what a socket has, until `find` finds something.
    private static func read<Value>(
        _ socket: borrowing FileDescriptor, _ find: (Bytes) throws -> Value?
    ) throws -> Value {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            var bytes: Bytes = []
            do throws(SystemError) {
                bytes = try socket.read(65536)
                if bytes.isEmpty { throw SystemError("read", number: SystemError.denied) }
            } catch {
                guard error.isRetry else { throw error }
                SystemClock.pause(.milliseconds(2))
            }
            if let found = try find(bytes) { return found }
        }
        throw NoAnswer()
    }

    private final class LineCaller: Caller {
        private let socket: FileDescriptor
        private var splitter = LineSplitter()
        private var lines: [Bytes?] = []
        private var number = 0

        init(_ socket: consuming FileDescriptor) throws { self.socket = socket }

        func send(_ command: String) throws {
            number += 1
            try socket.write(CoreRequest.command(command, id: "\(number)").json.encoded + [UInt8(ascii: "\n")])
        }

        func reply() throws -> Reply {
            try DialogueTests.read(socket) { bytes -> Reply? in
                lines += splitter.lines(bytes)
                while !lines.isEmpty {
                    guard let line = lines.removeFirst() else { throw NoAnswer() }
                    switch CoreMessage(decoding: line) {
                    case .result(let body, _): return Reply(isError: false, body: body)
                    case .error(let body, _): return Reply(isError: true, body: body)
                    default: break
                    }
                }
                return nil
            }
        }
    }

    private final class WebSocketCaller: Caller {
        private let socket: FileDescriptor
        private var reader = MessageReader(.client)
        private var number = 0

        init(_ socket: consuming FileDescriptor) throws {
            self.socket = socket
            try self.socket.write(
                Bytes(
                    ("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").utf8))
            var answer: Bytes = []
            let rest = try DialogueTests.read(self.socket) { bytes -> Bytes? in
                answer += bytes
                let text = String(decoding: answer, as: UTF8.self)
                return text.contains("\r\n\r\n")
                    ? Bytes(text.split(separator: "\r\n\r\n").dropFirst().joined().utf8) : nil
            }
            reader.take(rest)
        }

        func send(_ command: String) throws {
            number += 1
            let request: JSONObject = ["corrId": .string("\(number)"), "cmd": .string(command)]
            try socket.write(Frame(.text, request.encoded).encoded(mask: [1, 2, 3, 4]))
        }

        func reply() throws -> Reply {
            try DialogueTests.read(socket) { bytes -> Reply? in
                reader.take(bytes)
                while let message = try reader.next() {
                    guard case .text(let text) = message,
                        let fields = try JSONValue(decoding: Bytes(text.utf8)).object, fields["corrId"] != nil,
                        let body = fields["resp"]?.object
                    else { continue }
                    guard body["type"]?.string == "chatCmdError" else { return Reply(isError: false, body: body) }
                    return Reply(isError: true, body: body["chatError"]?.object ?? [:])
                }
                return nil
            }
        }
    }

    /// A program that loads the library, with a thread for each command, as the official wrappers have.
    private final class LibraryCaller: Caller {
        private let controller: Controller
        private var calls: [BlockingResult<Bytes>] = []

        init(_ prefix: String) throws {
            controller = try Controller.open(
                StoreRequest(prefix: prefix, key: nil, keepsKey: false, confirmation: "yesUp")
            ).get()
        }

        func send(_ command: String) throws {
            let result = try BlockingResult<Bytes>(), controller = controller
            // The newest is awaited first: a reception goes on beside it.
            calls.append(result)
            WorkerThread.start { result.deliver(controller.send(command)) }
        }

        func reply() throws -> Reply {
            guard let answer = calls.popLast()?.wait(within: .seconds(20)),
                let fields = try JSONValue(decoding: answer).object
            else { throw NoAnswer() }
            if let body = fields["result"]?.object { return Reply(isError: false, body: body) }
            return Reply(isError: true, body: fields["error"]?.object ?? [:])
        }

        func close() { _ = controller.close() }
    }
}
