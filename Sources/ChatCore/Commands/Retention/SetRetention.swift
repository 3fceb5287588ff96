public import AgentProtocol
import ByteCoding

/// Sets after how long messages are removed here, of a profile or of one chat.
/// (`/_ttl 1 [@4] 86400|none|default`, `/ttl [@name] day|week|month|year|none|default`)
public struct SetRetention: ChatCommand {
    public var profile: ProfileID?
    public var chat: ChatTarget?
    public var retention: Retention

    public init(_ profile: ProfileID? = nil, in chat: ChatTarget? = nil, _ retention: Retention) {
        self.profile = profile
        self.chat = chat
        self.retention = retention
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        numbered: "ttl", { $0.profile }, chat, .retention(\.retention), make: Self.init)

    /// `@12`, `#12`, `@'name'` or `#'name'`, or nothing: no other word begins with these signs.
    private static let chat = Argument<Self, ChatTarget?>(
        read: { reader throws(DecodeError) in "@#*".utf8.contains(reader.next ?? 0) ? try reader.target() : nil },
        write: { command in command.chat?.text ?? "" })

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.profile(profile)
        try core.expiry.keep(retention, of: profile, in: chat)
        return CommandOK(try core.lookup.profile(profile.id))
    }
}

extension Argument where Value == Retention {
    /// Seconds, one of the words of the official core, `none` or `default`.
    fileprivate static func retention(_ value: @escaping @Sendable (Command) -> Retention) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                switch reader.word() {
                case "none": return .unlimited
                case "default": return .standard
                case "day": return .limited(seconds: 86400)
                case "week": return .limited(seconds: 7 * 86400)
                case "month": return .limited(seconds: 30 * 86400)
                case "year": return .limited(seconds: 365 * 86400)
                case let word:
                    guard let seconds = Int64(word) else { throw .invalid("time") }
                    return .limited(seconds: seconds)
                }
            }, write: { value($0).text })
    }
}
