public import ChatProtocol

/// Calls a contact, for a program with sound. (`/_call invite @1 {"media":"audio","capabilities":{"encryption":true}}`, `/call @name`)
public struct InviteToCall: ChatCommand {
    public var chat: ChatTarget
    public var type: CallType

    public init(_ chat: ChatTarget, _ type: CallType) {
        self.chat = chat
        self.type = type
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_call invite", .chat(\.chat), .json(\.type), make: Self.init),
        Form("/call", .person(\.chat), .fixed(CallType(.video, canEncrypt: true), \.type), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try core.calls.invite(chat, type)
    }
}
