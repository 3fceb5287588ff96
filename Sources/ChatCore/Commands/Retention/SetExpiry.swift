import ByteCoding

/// Sets after how many seconds own messages to a chat disappear unless they say something else. (`/_expiry @4 86400|none`; the
/// official core has that in the preferences of contacts)
public struct SetExpiry: ChatCommand {
    public var chat: ChatTarget
    /// Nil for never.
    public var seconds: Int64?

    public init(_ chat: ChatTarget, _ seconds: Int64?) {
        self.chat = chat
        self.seconds = seconds
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_expiry", .chat(\.chat), .seconds(\.seconds), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ChatInfo {
        let chat = try core.lookup.chat(chat)
        if let seconds {
            guard seconds > 0 else { throw ChatError.commandSyntax }
            try core.expiry.checkTTL(seconds, in: chat)
        }
        try core.store.transaction { try core.store.setExpiry(seconds, of: chat.reference) }
        return ChatInfo(profile: try core.lookup.profile(chat.profileID), chat: try core.lookup.chat(chat.reference))
    }
}

extension Argument where Value == Int64? {
    /// `60` or `none`
    fileprivate static func seconds(_ value: @escaping @Sendable (Command) -> Int64?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.skip("none") ? nil : reader.integer() },
            write: { command in value(command).map { "\($0)" } ?? "none" })
    }
}
