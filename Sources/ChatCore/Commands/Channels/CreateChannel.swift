public import AgentProtocol
import ByteCoding
public import ChatProtocol

/// Makes a channel on chat relays. Waits for relays. (`/_public group 1 [incognito=on] 1,2 {"displayName":"news",...}`,
/// `/public group [incognito] relays=1,2 #name [description]`)
public struct CreateChannel: ChatCommand {
    public var profile: ProfileID?
    public var relays: [ChatRelayID]
    public var groupProfile: GroupProfile
    public var isIncognito: Bool

    public init(
        _ profile: ProfileID?, on relays: [ChatRelayID], _ groupProfile: GroupProfile, isIncognito: Bool = false
    ) {
        self.profile = profile
        self.relays = relays
        self.groupProfile = groupProfile
        self.isIncognito = isIncognito
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        [
            Form(
                "/_public group", Argument<Self, ProfileID?>.optionalNumber(\.profile), .incognito(\.isIncognito),
                .chatRelays(\.relays), .json(\.groupProfile)
            ) { Self($0, on: $2, $3, isIncognito: $1) }
        ] + [Form("/public group", .named, make: { $0 }), Form("/pg", .named, make: { $0 })])

    /// `[incognito] relays=1,2 #name [description]`, for people.
    fileprivate init(named reader: inout CommandReader) throws(DecodeError) {
        let isIncognito = reader.skip("incognito ") || reader.skip("i ")
        guard reader.skipExactly("relays", "=") else { throw .invalid("relays") }
        let relays = try reader.chatRelays()
        _ = reader.skipExactly("#")
        let name = reader.name(), description = reader.rest()
        guard !name.isEmpty else { throw .invalid("name") }
        self.init(
            nil, on: relays,
            GroupProfile(
                displayName: name, shortDescription: description.isEmpty ? nil : description,
                preferences: .newChannel),
            isIncognito: isIncognito)
    }

    public func effect(of response: ChannelRelaysChange) -> SessionEffect? {
        .visible(response.profile, .listsChanged)
    }

    public func perform(on core: isolated LocalCore) async throws -> ChannelRelaysChange {
        let profile = try core.lookup.profile(profile)
        let made = try await core.groups.createChannel(
            groupProfile, of: profile, on: relays, isIncognito: isIncognito)
        switch made {
        case .created(let group):
            return ChannelRelaysChange(
                profile,
                .created(
                    group, try core.groups.link(of: group), try core.store.groupRelays(of: group.id)))
        case .failed(let results): return ChannelRelaysChange(profile, .creationFailed(results))
        }
    }
}

extension Argument where Command == CreateChannel, Value == CreateChannel {
    /// `[incognito] relays=1,2 #name [description]`
    fileprivate static var named: Argument {
        .onlyRead { reader throws(DecodeError) in try CreateChannel(named: &reader) }
    }
}

extension Argument where Value == ProfileID? {
    /// The number of a profile, which is the active one if there is none.
    fileprivate static func optionalNumber(_ value: @escaping @Sendable (Command) -> ProfileID?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.profileID() }, write: { value($0).map { "\($0.number)" } })
    }
}

extension Argument where Value == [ChatRelayID] {
    /// `1,2`: chat relays of the profile.
    static func chatRelays(_ value: @escaping @Sendable (Command) -> [ChatRelayID]) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in try reader.chatRelays() },
            write: { command in
                let ids = value(command)
                return ids.isEmpty ? nil : ids.map { "\($0.number)" }.joined(separator: ",")
            })
    }
}

extension CommandReader {
    /// `1,2`
    fileprivate mutating func chatRelays() throws(DecodeError) -> [ChatRelayID] {
        try itemIDs().map { ChatRelayID($0.number) }
    }
}
