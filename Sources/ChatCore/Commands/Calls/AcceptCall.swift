public import ChatProtocol

/// Accepts a call, with the description of streams that another program made.
/// (`/_call offer @1 {"callType":{...},"rtcSession":{...}}`)
public struct AcceptCall: ChatCommand {
    public var chat: ChatTarget
    public var offer: CallOffer

    public init(_ chat: ChatTarget, _ offer: CallOffer) {
        self.chat = chat
        self.offer = offer
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_call offer", .chat(\.chat), .json(\.offer), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CallChange {
        try core.calls.accept(chat, offer)
    }
}
