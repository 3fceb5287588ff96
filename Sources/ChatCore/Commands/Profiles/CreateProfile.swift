import ByteCoding
public import ChatProtocol
import JSONCoding

/// Creates a profile, which becomes the active one. (`/_create user {"profile":{...}}`, `/create user NAME [TEXT]`)
public struct CreateProfile: ChatCommand {
    public var profile: Profile

    public init(_ profile: Profile) {
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_create user", .newUser, make: Self.init), Form("/create user", .nameAndText, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ActiveProfile {
        try core.profiles.check(profile)
        let id = try core.store.transaction {
            guard try core.store.profile(named: profile.displayName) == nil else {
                throw ChatError.nameTaken(profile.displayName)
            }
            let id = try core.store.insertProfile(profile, at: core.now)
            try core.servers.give(to: id, after: try core.store.activeProfile()?.id)
            try core.store.activate(id)
            try core.profiles.noteOnboarding()
            return id
        }
        return ActiveProfile(try core.lookup.profile(id))
    }
}

extension Argument where Command == CreateProfile, Value == Profile {
    /// `NewUser` of the API.
    fileprivate static var newUser: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
                return try fields.required("profile")
            },
            write: { command in
                let fields: JSONObject = ["profile": command.profile.json, "pastTimestamp": false]
                return fields.line
            })
    }

    /// A name, and perhaps a text about the owner.
    fileprivate static var nameAndText: Argument {
        .onlyRead { reader throws(DecodeError) in
            let name = reader.name(), text = reader.rest()
            return Profile(displayName: name, shortDescription: text.isEmpty ? nil : text)
        }
    }
}
