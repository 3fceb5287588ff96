import Agent
import ByteCoding
public import ChatProtocol
import JSONCoding

/// Creates a profile, which becomes the active one. (`/_create user {"profile":{...}}`, `/create user NAME [TEXT]`,
/// `/create bot NAME [TEXT]`, `/create chat relay user NAME [TEXT]`) A profile that is not given is made up.
public struct CreateProfile: ChatCommand {
    /// Nil for one that is made up.
    public var profile: Profile?
    /// The setting of a client service, see ``SetClientService``.
    public var usesService: Bool

    /// True for a profile that passes on what is written in channels. A store has at most one.
    public var isChatRelay: Bool

    public init(_ profile: Profile?, usesService: Bool = false, isChatRelay: Bool = false) {
        self.profile = profile
        self.usesService = usesService
        self.isChatRelay = isChatRelay
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_create user", .newUser, make: Self.init), Form("/create user", .nameAndText, make: Self.init),
        Form("/create bot", .botAndText, make: Self.init),
        Form("/create chat relay user", .relayAndText, make: Self.init))

    private init(_ created: NewProfile) {
        self.init(created.profile, usesService: created.usesService, isChatRelay: created.isChatRelay)
    }

    public func perform(on core: isolated LocalCore) async throws -> ActiveProfile {
        let profile = profile ?? Profile.incognito(core.context.environment.random)
        try core.profiles.check(profile)
        let id = try core.store.transaction {
            if isChatRelay, try core.store.chatRelay() != nil { throw ChatError.chatRelayExists }
            var name = profile.displayName
            if try core.store.profile(named: name) != nil {
                // A relay has the name under which others know it, whatever the other profiles of the store are called.
                guard isChatRelay else { throw ChatError.nameTaken(name) }
                name = try core.store.freeProfileName(name)
            }
            let id = try core.store.insertProfile(profile, named: name, at: core.now)
            try core.servers.give(to: id, after: try core.store.activeProfile()?.id)
            try core.store.activate(id)
            if usesService { try core.store.setUsesService(true, of: id) }
            if isChatRelay { try core.store.setChatRelay(id) }
            try core.profiles.noteOnboarding()
            return id
        }
        if core.exchange.isStarted { _ = try core.profiles.openNotes(of: try core.lookup.profile(id)) }
        return ActiveProfile(try core.lookup.profile(id))
    }
}

/// `NewUser` of the API.
private struct NewProfile: Sendable {
    var profile: Profile?
    var usesService = false
    var isChatRelay = false
}

extension Argument where Command == CreateProfile, Value == NewProfile {
    /// JSON.
    fileprivate static var newUser: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var fields = try JSONFields(decoding: Bytes(reader.rest().utf8))
                return NewProfile(
                    profile: try fields.optional("profile"),
                    usesService: try fields.optionalBool("clientService") ?? false,
                    isChatRelay: try fields.optionalBool("userChatRelay") ?? false)
            },
            write: { command in
                var fields = JSONObject()
                fields.set("profile", command.profile)
                fields["pastTimestamp"] = false
                if command.isChatRelay { fields["userChatRelay"] = true }
                if command.usesService { fields["clientService"] = true }
                return fields.line
            })
    }

    /// A name, and perhaps a text about the owner.
    fileprivate static var nameAndText: Argument {
        .onlyRead { reader throws(DecodeError) in
            let name = reader.name()
            var text = reader.rest(), usesService = false
            for (end, isOn) in [("service=on", true), ("service=off", false)]
            where text == end || text.hasSuffix(" \(end)") {
                text = String(text.dropLast(end.count))
                while text.last == " " { text.removeLast() }
                usesService = isOn
            }
            return NewProfile(
                profile: Profile(displayName: name, shortDescription: text.isEmpty ? nil : text),
                usesService: usesService)
        }
    }

    /// The same of a chat relay.
    fileprivate static var relayAndText: Argument {
        .onlyRead { reader throws(DecodeError) in
            let name = reader.name(), text = reader.rest()
            return NewProfile(
                profile: Profile(displayName: name, shortDescription: text.isEmpty ? nil : text), isChatRelay: true)
        }
    }

    /// The same of a program, with `files=on|off` and `service=on|off` before it.
    fileprivate static var botAndText: Argument {
        .onlyRead { reader throws(DecodeError) in
            let allowsFiles = reader.skipExactly("files", "=") ? try reader.isOn() : false
            let usesService = reader.skipExactly("service", "=") ? try reader.isOn() : false
            let name = reader.name(), text = reader.rest()
            var profile = Profile(displayName: name, shortDescription: text.isEmpty ? nil : text, peerType: .bot)
            if !allowsFiles { profile.preferences = .object(["files": .object(["allow": "no"])]) }
            return NewProfile(profile: profile, usesService: usesService)
        }
    }
}
