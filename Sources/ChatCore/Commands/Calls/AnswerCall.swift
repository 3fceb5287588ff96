public import ChatProtocol

/// Answers a contact that accepted a call. (`/_call answer @1 {"rtcSession":"...","rtcIceCandidates":"..."}`)
public struct AnswerCall: ChatCommand {
    public var chat: ChatTarget
    public var session: CallSession

    public init(_ chat: ChatTarget, _ session: CallSession) {
        self.chat = chat
        self.session = session
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_call answer", .chat(\.chat), .json(\.session), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CallChange {
        try core.calls.answer(chat, session)
    }
}
