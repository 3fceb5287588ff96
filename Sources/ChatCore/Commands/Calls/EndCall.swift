/// Ends a call in any state; the caller is told. (`/_call end @1`)
public struct EndCall: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_call end", .chat(\.chat), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CallChange {
        try core.calls.finish(chat, as: .ended)
    }
}
