/// Notes what the program with the sound says of a call. (`/_call status @1 connecting|connected|disconnected|failed`)
public struct SetCallStatus: ChatCommand {
    public var chat: ChatTarget
    public var status: StreamStatus

    public init(_ chat: ChatTarget, _ status: StreamStatus) {
        self.chat = chat
        self.status = status
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_call status", .chat(\.chat), .word(\.status), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CallChange {
        try core.calls.setStatus(status, of: chat)
    }
}
