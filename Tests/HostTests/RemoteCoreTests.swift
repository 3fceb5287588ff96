import AgentProtocol
import ByteCoding
import ChatCore
import Host
import JSONCoding
import Synchronization
import SystemIO
import TestSupport
import Testing

/// The other end of a connection, in memory: it answers each line as a test wants it. On the loop's thread.
private final class ScriptedTransport: CoreTransport {
    private let loop: EventLoop
    private let greeting: Bytes?
    private let answer: (CoreRequest, ScriptedTransport) -> Void
    private var onLine: (Bytes?) -> Void = { _ in }
    private var onClose: () -> Void = {}
    private(set) var requests: [CoreRequest] = []

    init(
        _ loop: EventLoop, greeting: String? = #"{"tacit":"0.1.0","core":1}"#,
        answer: @escaping (CoreRequest, ScriptedTransport) -> Void = { _, _ in }
    ) {
        self.loop = loop
        self.greeting = greeting.map { Bytes($0.utf8) }
        self.answer = answer
    }

    func start(onLine: @escaping (Bytes?) -> Void, onClose: @escaping () -> Void) throws(SystemError) {
        (self.onLine, self.onClose) = (onLine, onClose)
        if let greeting { loop.atEndOfTurn { onLine(greeting) } }
    }

    func send(_ object: JSONObject) {
        let request = CoreRequest(decoding: object.encoded)
        requests.append(request)
        loop.atEndOfTurn { [self] in answer(request, self) }
    }

    func say(_ line: String) { onLine(Bytes(line.utf8)) }

    func close() {
        onClose()
        onClose = {}
    }
}

@Suite struct RemoteCoreTests {
    /// Runs `body` with a core that talks to a scripted process.
    private static func run<Value: Sendable>(
        greeting: String? = #"{"tacit":"0.1.0","core":1}"#, timeout: Duration = .seconds(20),
        listener: RemoteCore.Listener = RemoteCore.Listener(),
        answer: @escaping @Sendable (CoreRequest, any CoreTransport, (String) -> Void) -> Void = { _, _, _ in },
        _ body: @escaping @Sendable (RemoteCore) async throws -> Value
    ) throws -> Value {
        let loop = try EventLoop()
        let transport = ScriptedTransport(loop, greeting: greeting) { request, transport in
            answer(request, transport) { transport.say($0) }
        }
        let core = RemoteCore(transport, loop: loop)
        return try loop.run {
            try await core.open(listener, within: timeout)
            return try await body(core)
        }
    }

    @Test func a_command_goes_as_text_and_its_answer_comes_as_json() throws {
        let value = try RemoteCoreTests.run(
            answer: { request, _, say in
                guard case .command(let text, let id) = request else { return }
                #expect(text == "/_session show place")
                say(#"{"corrId":"\#(id)","result":{"type":"sessionValue","key":"place","value":"a 'b' \n c"}}"#)
            },
            { try await $0.execute(ShowSessionValue(.place)).value })
        #expect(value == "a 'b' \n c")
    }

    @Test func an_error_of_the_other_process_is_thrown_here() throws {
        #expect(throws: ChatError.cursorNotFound("x")) {
            try RemoteCoreTests.run(
                answer: { request, _, say in
                    guard case .command(_, let id) = request else { return }
                    let error = JSONValue.object(ChatError.cursorNotFound("x").fields).line
                    say(#"{"corrId":"\#(id)","error":\#(error)}"#)
                },
                { _ = try await $0.execute(ShowSessionValue(.place)) })
        }
    }

    @Test(arguments: [
        #"{"tacit":"9.0.0","core":2}"#, #"{"jsonrpc":"2.0","id":"ping","result":{}}"#, "no JSON", #"{"corrId":1}"#,
    ])
    func another_version_is_recognised(greeting: String) throws {
        #expect(throws: ChatError.holder(.otherVersion)) { try RemoteCoreTests.run(greeting: greeting) { _ in } }
    }

    @Test func an_answer_that_cannot_be_read_is_another_versions() throws {
        for answer in [#""result":{"type":"other"}"#, #""error":{"type":"unheard"}"#, #""result":{}"#] {
            #expect(throws: ChatError.holder(.otherVersion)) {
                try RemoteCoreTests.run(
                    answer: { request, _, say in
                        guard case .command(_, let id) = request else { return }
                        say(#"{"corrId":"\#(id)",\#(answer)}"#)
                    },
                    { _ = try await $0.execute(ShowSessionValue(.place)) })
            }
        }
    }

    @Test func who_says_nothing_is_given_up() throws {
        #expect(throws: ChatError.holder(.silent)) {
            try RemoteCoreTests.run(greeting: nil, timeout: .milliseconds(20)) { _ in }
        }
    }

    @Test func the_end_of_the_other_process_ends_every_request() throws {
        let ends = Mutex(0)
        #expect(throws: ChatError.holder(.ended)) {
            try RemoteCoreTests.run(
                listener: RemoteCore.Listener(onEnd: { ends.withLock { $0 += 1 } }),
                answer: { request, transport, _ in if case .command = request { transport.close() } },
                { core in
                    async let first = core.execute(ShowSessionValue(.place))
                    async let second = core.execute(ShowSessionValue(.gate))
                    do { _ = try await first } catch { #expect(error as? ChatError == .holder(.ended)) }
                    _ = try await second
                })
        }
        #expect(ends.withLock { $0 } == 1)
    }

    @Test func a_cancelled_command_is_answered_early() throws {
        let value = try RemoteCoreTests.run(
            answer: { request, _, say in
                guard case .cancel(let id) = request else { return }
                say(#"{"corrId":"\#(id)","result":{"type":"sessionValue","key":"place"}}"#)
            },
            { core in
                // A child runs on the loop too; a task of its own would wait for a thread that other tests hold.
                try await withThrowingTaskGroup { group in
                    group.addTask { try await core.execute(ShowSessionValue(.place)).value }
                    group.cancelAll()
                    return try await group.next().flatMap(\.self)
                }
            })
        #expect(value == nil)
    }

    @Test func events_and_effects_are_told_and_unknown_ones_passed_over() throws {
        let effects = Mutex<[SessionEffect]>([]), places = Mutex<[String]>([])
        try RemoteCoreTests.run(
            listener: RemoteCore.Listener(
                onEffect: { effect in effects.withLock { $0.append(effect) } },
                onVisit: { place in places.withLock { $0.append(place) } }),
            answer: { request, _, say in
                switch request {
                case .events(true):
                    say(#"{"effect":{"type":"listsChanged"}}"#)
                    say(#"{"effect":{"type":"of another version"}}"#)
                    say(#"{"event":{"type":"of another version"}}"#)
                    say(#"{"new":1}"#)
                    say(#"{"visit":"chat:c1"}"#)
                case .command(_, let id):
                    say(#"{"corrId":"\#(id)","result":{"type":"sessionValue","key":"place"}}"#)
                default: break
                }
            },
            { _ = try await $0.execute(ShowSessionValue(.place)) })
        #expect(effects.withLock { $0 } == [.listsChanged])
        #expect(places.withLock { $0 } == ["chat:c1"])
    }
}

@Suite struct CoreMessageTests {
    private static let requests: [CoreRequest] = [
        .command("/_send @1 text \"\n", id: "7"), .control(.ping, id: "1"), .control(.stop, id: "1"),
        .control(.reload, id: "1"), .control(.status, id: "1"), .control(.session, id: "1"),
        .control(.visit("chat:c1"), id: "1"), .control(.route(["TACIT_PROXY": "x"]), id: "1"), .cancel("7"),
        .events(true), .events(false),
    ]
    private static let messages: [CoreMessage] = [
        .greeting(version: 1, program: "0.1.0"), .result(["type": "x"], id: "7"), .error(["type": "y"], id: "7"),
        .event(["type": "x"]), .effect(["type": "x"]), .visit("chat:c1"),
    ]

    @Test func what_is_said_is_read() {
        for request in CoreMessageTests.requests { #expect(CoreRequest(decoding: request.json.encoded) == request) }
        for message in CoreMessageTests.messages { #expect(CoreMessage(decoding: message.json.encoded) == message) }
    }

    @Test func cut_and_changed_lines_never_trap() {
        let lines = CoreMessageTests.requests.map(\.json.encoded) + CoreMessageTests.messages.map(\.json.encoded)
        for line in lines {
            for end in line.indices {
                _ = CoreRequest(decoding: Bytes(line[..<end]))
                _ = CoreMessage(decoding: Bytes(line[..<end]))
                var changed = line
                changed[end] ^= 0x15
                _ = CoreRequest(decoding: changed)
                _ = CoreMessage(decoding: changed)
            }
        }
    }
}
