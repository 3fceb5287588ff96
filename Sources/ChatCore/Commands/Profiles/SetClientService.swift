public import AgentProtocol
import ByteCoding
import ChatProtocol

/// Sets whether a profile uses a client service. The chat is stopped meanwhile. (`/set client service 1:NAME on|off`)
///
/// The setting is kept and told. This program subscribes to each queue alone.
public struct SetClientService: ChatCommand {
    public var profile: ProfileID
    /// The display name of the profile, which has to fit.
    public var name: String
    public var isOn: Bool

    public init(_ profile: ProfileID, name: String, _ isOn: Bool) {
        self.profile = profile
        self.name = name
        self.isOn = isOn
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/set client service", .numberedName, .isOn(\.isOn), make: { Self($0.id, name: $0.name, $1) }))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        guard !core.exchange.isRunning else { throw ChatError.notStopped }
        let profile = try core.lookup.profile(profile)
        guard profile.profile.displayName == name else { throw ChatError.profileNotFound(profile.id) }
        try core.store.transaction { try core.store.setUsesService(isOn, of: profile.id) }
        return CommandOK(try core.lookup.profile(profile.id))
    }
}

/// A profile by its number and its name.
struct NumberedProfile: Sendable {
    let id: ProfileID
    let name: String
}

extension Argument where Command == SetClientService, Value == NumberedProfile {
    /// `1:NAME`
    fileprivate static var numberedName: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                let id = try reader.profileID()
                try reader.expect(":")
                return NumberedProfile(id: id, name: reader.name())
            },
            write: { "\($0.profile.number):\(CommandText.quoted($0.name))" })
    }
}

extension ChatStore {
    func setUsesService(_ isOn: Bool, of id: ProfileID) throws {
        try setSessionValue("service-\(id.number)", isOn ? "on" : nil)
    }
}
