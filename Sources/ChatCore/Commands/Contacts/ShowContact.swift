public import AgentProtocol

/// Shows the contact with a name. (`/_info 1 @name`, `/info @name`)
public struct ShowContact: ChatCommand {
    public var profile: ProfileID?
    public var name: String

    public init(_ profile: ProfileID? = nil, name: String) {
        self.profile = profile
        self.name = name
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        numbered: "info", \.profile, aliases: ["/i"], .contactName(\.name), make: Self.init)

    public func perform(on core: isolated LocalCore) async throws -> ContactInfo {
        let profile = try core.lookup.profile(profile)
        guard let contact = try core.store.contact(named: name, of: profile.id) else {
            throw ChatError.contactNotFoundByName(name)
        }
        return ContactInfo(profile, contact)
    }
}
