/// Enables or disables delivery receipts for all contacts of all profiles. (`/set receipts all on|off`)
public struct SetAllReceipts: ChatCommand {
    public var isOn: Bool

    public init(_ isOn: Bool) {
        self.isOn = isOn
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/set receipts all", .isOn(\.isOn), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try core.store.transaction { try core.store.setReceipts(isOn, of: nil, clearsContacts: true) }
        return CommandOK(try core.store.activeProfile())
    }
}
