public import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Sets what a session shows first of a profile: one chat, or the list of all. (`/_home 1 @4`, `/_home 1 off`, `/home ...`)
public struct SetHome: ChatCommand {
    public var profile: ProfileID?
    /// Nil for the list of all chats.
    public var contact: ContactID?

    public init(_ profile: ProfileID?, _ contact: ContactID?) {
        self.profile = profile
        self.contact = contact
    }

    public static let access = Access.write
    public static let syntax = Syntax(numbered: "home", \.profile, home, make: Self.init)

    private static let home = Argument<Self, ContactID?>(
        read: { reader throws(DecodeError) in
            if !reader.isName {
                guard reader.word() == "off" else { throw .invalid("home") }
                return nil
            }
            guard case .reference(.direct(let id)) = try reader.target() else { throw .invalid("home") }
            return id
        }, write: { command in command.contact.map { "@\($0.number)" } ?? "off" })

    public func perform(on core: isolated LocalCore) async throws -> HomeChange {
        try core.profiles.setHome(contact, of: try core.lookup.profile(profile))
    }
}

/// The profile of which the home was to be set.
public enum HomeChange: ChatResponse {
    case changed(OwnProfile)
    /// It was the home before.
    case unchanged(OwnProfile)

    public var profile: OwnProfile {
        switch self {
        case .changed(let profile), .unchanged(let profile): profile
        }
    }

    public var type: String {
        switch self {
        case .changed: "home"
        case .unchanged: "userProfileNoChange"
        }
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        let profile: OwnProfile = try fields.required("user")
        switch type {
        case "home": self = .changed(profile)
        case "userProfileNoChange": self = .unchanged(profile)
        default: throw .invalid("type")
        }
    }

    public var fields: JSONObject { ["user": profile.json] }
}
