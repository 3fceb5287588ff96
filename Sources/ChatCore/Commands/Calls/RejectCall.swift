/// Declines a call; the caller is told. (`/_call reject @1`)
public struct RejectCall: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_call reject", .chat(\.chat), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CallChange {
        try core.calls.finish(chat, as: .rejected)
    }
}
