/// Ends the sessions with relays until ``ActivateChat``, without stopping the chat. (`/_app suspend 5000000`)
public struct SuspendChat: ChatCommand {
    /// The microseconds in which what is being sent may be finished. Everything is on disk at any time, so none are taken.
    public var timeout: Int64

    public init(timeout: Int64) {
        self.timeout = timeout
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_app suspend", .integer(\.timeout), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try core.exchange.suspend()
        core.tell(ChatSuspendedEvent())
        return CommandOK()
    }
}

/// Resumes after ``SuspendChat``. (`/_app activate [restore=on]`)
public struct ActivateChat: ChatCommand {
    /// True if what was interrupted goes on.
    public var restores: Bool

    public init(restores: Bool = true) {
        self.restores = restores
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_app activate", .flag("restore", \.restores, byDefault: true), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try core.exchange.activate()
        return CommandOK()
    }
}
