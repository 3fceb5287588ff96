/// Stores a text that sessions keep, or removes it. (`/_session set place "..."`, `/_session remove place`)
public struct SetSessionValue: ChatCommand {
    public var key: SessionKey
    /// Nil to remove it.
    public var value: String?

    public init(_ key: SessionKey, _ value: String?) {
        self.key = key
        self.value = value
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_session set", .word(\.key), .string(\.value), make: Self.init),
        Form("/_session remove", .word(\.key), .absent(\.value), make: Self.init))

    public func effect(of response: CommandOK) -> SessionEffect? {
        key == .gate ? .gateChanged : nil
    }

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try core.store.transaction {
            try core.store.setSessionValue(key.rawValue, value)
            if key == .notifyMode, value != nil { try core.profiles.noteDecision() }
        }
        return CommandOK()
    }
}
