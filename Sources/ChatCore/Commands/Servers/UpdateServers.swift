public import AgentProtocol
import ByteCoding
import JSONCoding
import SMPProtocol

/// Changes servers of a profile: adds those without an id, and removes those that are marked. Others stay as they are.
/// (`/_servers 1 [{"smpServers":[...]}]`)
public struct UpdateServers: ChatCommand {
    public var profile: ProfileID
    public var changes: [ProfileServer]

    public init(_ profile: ProfileID, _ changes: [ProfileServer]) {
        self.profile = profile
        self.changes = changes
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_servers", .profile(\.profile), .changes, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.profile(profile)
        try core.store.transaction {
            for change in changes { try Self.apply(change, to: profile, in: core.store) }
            let servers = try core.store.servers(of: profile.id)
            for (index, server) in servers.enumerated() where servers[..<index].contains(where: server.collides) {
                throw ChatError.serverExists(server.address)
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

extension Argument where Command == UpdateServers, Value == [ProfileServer] {
    /// An array of `UpdatedUserOperatorServers` of the API.
    fileprivate static var changes: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var changes: [ProfileServer] = []
                for var group in try reader.objects() { changes += try ProfileServer.changes(in: &group) }
                return changes
            }, write: { JSONValue.array([OperatorServers(nil, $0.changes).json]).line })
    }
}
