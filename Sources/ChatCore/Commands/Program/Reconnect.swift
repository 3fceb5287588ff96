public import AgentProtocol

/// Opens all sessions with relays again. (`/reconnect`, `/reconnect 1 smp://...`)
public struct Reconnect: ChatCommand {
    /// The profile and the relay that are meant; nil for all. One session is never opened without the others.
    public var profile: ProfileID?
    public var server: String?

    public init(_ profile: ProfileID? = nil, server: String? = nil) {
        self.profile = profile
        self.server = server
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/reconnect", .optionalProfile(\.profile), .rest(\.server), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.profile(profile)
        try core.exchange.reconnect()
        return CommandOK(self.profile == nil ? nil : profile)
    }
}

/// Asks the relays for waiting messages of all connections again. (`/_resubscribe all`)
public struct Resubscribe: ChatCommand {
    public init() {}

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_resubscribe all", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try core.exchange.resubscribe()
        return CommandOK()
    }
}
