import AgentProtocol
import ChatCore
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit hook test`
enum HookTestCommand {
    static let hook = Positional<Hook>("HOOK", "Hook", .choice("HOOK"))

    static let leaf: Leaf = .init(
        Command(
            "hook test", "Run a hook with sample data", promise: "the hook exited with 0",
            store: .none, positionals: [hook],
            examples: [
                Example("tacit hook test on-message", "Test on-message with a sample message"),
                Example("tacit hook test pre-send || echo 'it would not be sent'", "Test pre-send with a sample draft"),
            ],
            exits: [1, 67, 71, 77], reports: HookTestReport.forms, topics: ["hooks"],
            discussion: """
                The exit code is 1 if the hook exited with any other code or ran for more than 30 s. The sample data has the \
                real format, with a contact @alice (c1) that need not exist. The store is not used.
                """),
        purpose: { "run the hook \($0[hook].rawValue)" }, run: run)

    @Sendable private static func run(_ invocation: Invocation) throws -> ExitCode {
        let hook = invocation[hook], folder = try HookFolder(invocation)
        let path: String
        switch folder.state(of: hook) {
        case .ready(let found): path = found
        case .missing:
            throw Reason.noHook(at: folder.path(of: hook))
        case .ignored(let fault):
            throw Reason.ignoredHook(fault, at: folder.path(of: hook))
        }
        let loop = try EventLoop()
        let running = invocation.runningHook
        let signals = try SignalWatch(EndingSignal.heeded, on: loop) { number in
            running.end()
            ProcessEnding.signal(number)
        }
        let program = HookProgram(hook: hook, path: path, environment: invocation.environment)
        let ending = try loop.run { await program.run(hook.sample, on: loop, running) }
        _ = consume signals
        try invocation.print(HookTestReport(hook: hook, ending: ending))
        return ending.isGood ? .ok : .no
    }
}

extension Hook {
    /// A call like those that it gets.
    fileprivate var sample: HookCall {
        var json = JSONObject(type: sampleType)
        var objectID: String? = "m1"
        switch self {
        case .onMessage:
            json.set("id", "m1")
            json.set("chat", "@alice")
            json.set("chat_id", "c1")
            json.set("direction", "in")
            json.set("at", "2026-09-27T09:14:03.120Z")
            json.set("kind", "text")
            json.set("text", "This is a test.")
            json.set("state", "received")
        case .onReceipt:
            json.set("id", "m1")
            json.set("chat", "@alice")
            json.set("chat_id", "c1")
            json.set("state", "delivered")
            json.set("at", "2026-09-27T09:14:03.120Z")
        case .preSend:
            json.set("chat", "@alice")
            json.set("chat_id", "c1")
            json.set("text", "This is a test.")
            objectID = nil
        case .onRequest:
            json.set("event", "request.received")
            json.set("request", "r1")
            json.set("name", "alice")
            objectID = "r1"
        case .onConnected, .onError:
            json.set("event", sampleEvent)
            json.set("chat", "@alice")
            json.set("chat_id", "c1")
            objectID = "c1"
        case .onFile:
            json.set("event", sampleEvent)
            json.set("chat", "@alice")
            json.set("chat_id", "c1")
            json.set("message", "m1")
            var file = JSONObject()
            file.set("id", "f1")
            file.set("name", "plan.pdf")
            file.set("size", 70_000)
            file.set("state", "ready")
            json["file"] = .object(file)
            objectID = "f1"
        }
        return HookCall(
            hook: rawValue, profileID: ProfileID(1), event: json.line, objectID: objectID,
            chatID: self == .onRequest ? nil : "c1")
    }

    private var sampleType: String {
        switch self {
        case .onMessage: "message"
        case .onReceipt: "send"
        case .preSend: "draft"
        case .onRequest, .onConnected, .onError, .onFile: "event"
        }
    }

    private var sampleEvent: String {
        switch self {
        case .onConnected: "contact.connected"
        case .onFile: "file.received"
        default: "contact.disabled"
        }
    }
}
