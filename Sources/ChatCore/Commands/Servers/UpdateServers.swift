public import AgentProtocol
import ByteCoding
import JSONCoding
import SMPProtocol

/// Changes servers of a profile: adds those without an id, and removes those that are marked. Others stay as they are.
/// (`/_servers 1 [{"smpServers":[...],"xftpServers":[...],"chatRelays":[...]}]`)
public struct UpdateServers: ChatCommand {
    public var profile: ProfileID
    public var changes: [ProfileServer]
    /// The changes of chat relays.
    public var relays: [ChatRelay]

    public init(_ profile: ProfileID, _ changes: [ProfileServer], relays: [ChatRelay] = []) {
        self.profile = profile
        self.changes = changes
        self.relays = relays
    }

    private init(_ profile: ProfileID, _ changes: ServerChanges) {
        self.init(profile, changes.servers, relays: changes.relays)
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_servers", .profile(\.profile), .changes, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.profile(profile)
        try core.store.transaction {
            for change in changes where !change.isForFiles { try Self.apply(change, to: profile, in: core.store) }
            // Own ones first: they decide about relays of operators of which nothing was chosen.
            for isPreset in [false, true] {
                for change in changes where change.isForFiles && change.isPreset == isPreset {
                    try Self.applyForFiles(change, to: profile, in: core)
                }
            }
            let servers = try core.store.servers(of: profile.id)
            for (index, server) in servers.enumerated() where servers[..<index].contains(where: server.collides) {
                throw ChatError.serverExists(server.address)
            }
            for change in relays.filter(\.isDeleted) + relays.filter({ !$0.isDeleted }) {
                try Self.apply(change, to: profile, in: core.store)
            }
            try core.profiles.noteOnboarding()
        }
        return CommandOK(profile)
    }

    private static func apply(_ change: ProfileServer, to profile: OwnProfile, in store: ChatStore) throws {
        let servers = try store.servers(of: profile.id)
        guard let id = change.id else {
            guard !servers.contains(where: change.collides) else { throw ChatError.serverExists(change.address) }
            if !change.isDeleted {
                try store.insert(ProfileServer(change.server, isEnabled: change.isEnabled), of: profile.id)
            }
            return
        }
        guard let known = servers.first(where: { $0.id == id }) else { throw ChatError.serverNotFound(id) }
        // A preset can be switched off. If it were removed, the user could not switch it on again.
        guard !known.isPreset || (!change.isDeleted && change.server == known.server) else {
            throw ChatError.presetServer(known.address)
        }
        if change.isDeleted { try store.removeServer(id) } else { try store.update(change) }
    }
}

extension UpdateServers {
    private static func apply(_ change: ChatRelay, to profile: OwnProfile, in store: ChatStore) throws {
        let relays = try store.chatRelays(of: profile.id)
        guard let id = change.id else {
            guard !change.isDeleted else { return }
            guard !relays.contains(where: change.collides) else { throw ChatError.channel(.repeatedRelay) }
            return try store.insert(
                ChatRelay(
                    change.address, change.profile, domains: change.domains, isTested: change.isTested,
                    isEnabled: change.isEnabled), of: profile.id)
        }
        guard let known = relays.first(where: { $0.id == id }) else { throw ChatError.channel(.unknownRelay) }
        // A preset can be switched off. If it were removed, the user could not switch it on again.
        guard change.collides(with: known), !known.isPreset || !change.isDeleted else {
            throw ChatError.channel(known.isPreset ? .presetRelay : .unknownRelay)
        }
        try change.isDeleted ? store.removeChatRelay(id) : store.update(change)
    }

    private static func applyForFiles(
        _ change: ProfileServer, to profile: OwnProfile, in core: isolated LocalCore
    ) throws {
        let servers = try core.servers.fileServers(of: profile.id), store = core.store
        // Those of operators have an id only after they were changed.
        let preset = servers.first {
            $0.isPreset && ($0.address == change.address || $0.id != nil && $0.id == change.id)
        }
        if let preset {
            guard !change.isDeleted, change.server == preset.server else {
                throw ChatError.presetServer(preset.address)
            }
            var chosen = preset
            chosen.isEnabled = change.isEnabled
            guard chosen != preset || preset.id != nil else { return }
            return try preset.id == nil
                ? store.insertFileServer(chosen, of: profile.id) : store.updateFileServer(chosen)
        }
        guard let id = change.id else {
            guard !servers.contains(where: change.collides) else { throw ChatError.serverExists(change.address) }
            guard !change.isDeleted else { return }
            return try store.insertFileServer(
                ProfileServer(change.server, isEnabled: change.isEnabled, isForFiles: true), of: profile.id)
        }
        guard servers.contains(where: { $0.id == id }) else { throw ChatError.serverNotFound(id) }
        guard !servers.contains(where: { $0.id != id && change.collides(with: $0) }) else {
            throw ChatError.serverExists(change.address)
        }
        try change.isDeleted ? store.removeFileServer(id) : store.updateFileServer(change)
    }
}

/// The changes in an array of `UpdatedUserOperatorServers` of the API.
private struct ServerChanges: Sendable {
    var servers: [ProfileServer] = []
    var relays: [ChatRelay] = []
}

extension Argument where Command == UpdateServers, Value == ServerChanges {
    /// An array of `UpdatedUserOperatorServers` of the API.
    fileprivate static var changes: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var changes = ServerChanges()
                for var group in try reader.objects() {
                    changes.servers += try ProfileServer.changes(in: &group)
                    changes.relays += try group.list("chatRelays")
                }
                return changes
            },
            write: { command in
                let files = command.changes.filter(\.isForFiles), others = command.changes.filter { !$0.isForFiles }
                let changes = OperatorServers(nil, others, files: files, relays: command.relays)
                return JSONValue.array([changes.json]).line
            })
    }
}
