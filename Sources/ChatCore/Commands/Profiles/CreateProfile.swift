import Agent
import ByteCoding
public import ChatProtocol
import JSONCoding

/// Creates a profile, which becomes the active one. (`/_create user {"profile":{...}}`, `/create user NAME [TEXT]`,
/// `/create bot NAME [TEXT]`) A profile that is not given is made up.
public struct CreateProfile: ChatCommand {
    /// Nil for one that is made up.
    public var profile: Profile?

    public init(_ profile: Profile?) {
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_create user", .newUser, make: Self.init), Form("/create user", .nameAndText, make: Self.init),
        Form("/create bot", .botAndText, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ActiveProfile {
        let profile = profile ?? Profile.incognito(core.context.environment.random)
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
        if core.exchange.isStarted { _ = try core.profiles.openNotes(of: try core.lookup.profile(id)) }
        return ActiveProfile(try core.lookup.profile(id))
    }
}

extension Argument where Command == CreateProfile, Value == Profile? {
    /// `NewUser` of the API.
    fileprivate static var newUser: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
                return try fields.optional("profile")
            },
            write: { command in
                var fields = JSONObject()
                fields.set("profile", command.profile)
                fields["pastTimestamp"] = false
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

    /// The same of a program.
    fileprivate static var botAndText: Argument {
        .onlyRead { reader throws(DecodeError) in
            let name = reader.name(), text = reader.rest()
            return Profile(displayName: name, shortDescription: text.isEmpty ? nil : text, peerType: .bot)
        }
    }
}
