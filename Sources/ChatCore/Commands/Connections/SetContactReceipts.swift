import ByteCoding

/// Sets whether a contact, or the members of a group, get delivery receipts, or that the setting of the profile applies.
/// (`/_receipts @1 on|off|default`, `/receipts @name on|off|default`)
public struct SetContactReceipts: ChatCommand {
    public var chat: ChatTarget
    /// Nil for the setting of the profile.
    public var isOn: Bool?

    public init(_ chat: ChatTarget, _ isOn: Bool?) {
        self.chat = chat
        self.isOn = isOn
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_receipts", .chat(\.chat), setting, make: Self.init),
        Form("/receipts", .chat(\.chat), setting, make: Self.init))

    private static let setting = Argument<Self, Bool?>(
        read: { reader throws(DecodeError) in
            switch reader.word() {
            case "on": return true
            case "off": return false
            case "default": return nil
            default: throw .invalid("switch")
            }
        }, write: { $0.isOn.map { $0 ? "on" : "off" } ?? "default" })

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        if let group = try core.lookup.chat(chat).group {
            try core.store.transaction { try core.store.setSendsReceipts(isOn, group.id) }
            return CommandOK(try core.lookup.profile(group.profileID))
        }
        let contact = try core.lookup.contact(chat)
        try core.store.transaction { try core.store.setReceipts(isOn, of: contact.id) }
        return CommandOK(try core.lookup.profile(contact.profileID))
    }
}
