/// Adds a command that was typed to the history of sessions. (`/_line "..."`)
public struct AddLine: ChatCommand {
    public var line: String

    public init(_ line: String) {
        self.line = line
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_line", .string(\.line), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        if !line.isEmpty { try core.store.transaction { try core.store.addLine(line) } }
        return CommandOK()
    }
}
