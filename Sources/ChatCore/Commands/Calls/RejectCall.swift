/// Declines a call. (`/_call reject @1 [tell=on]`)
public struct RejectCall: ChatCommand {
    public var chat: ChatTarget
    /// Whether the caller is told. Programs of the official core never tell: their callers wait until they give up.
    public var tells: Bool

    public init(_ chat: ChatTarget, tells: Bool = true) {
        self.chat = chat
        self.tells = tells
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_call reject", .chat(\.chat), .flag("tell", \.tells)) {
            Self($0, tells: $1)
        })

    public func perform(on core: isolated LocalCore) async throws -> CallChange {
        try core.calls.finish(chat, as: .rejected, tells: tells)
    }
}
