import Agent
import AgentProtocol
import SMPProtocol

extension LocalCore {
    // MARK: - Choosing

    func choice(for id: ProfileID) throws -> ServerChoice {
        ServerChoice(try store.servers(of: id), try store.operators())
    }

    /// The server of a new queue.
    func chooseServer(for id: ProfileID, besides others: [ServerAddress] = []) throws -> ConfiguredServer {
        let choice = try choice(for: id)
        var numbers = RandomNumbers(environment.random)
        if let server = choice.server(besides: others, using: &numbers) { return server }
        throw choice.needsConditions ? ChatError.conditionsNotAccepted : ChatError.noServer
    }

    /// The server of a queue that answers a link. A connection that was begun is finished even if all servers were switched
    /// off since.
    func chooseReplyServer(for id: ProfileID, besides other: ServerAddress?) throws -> ConfiguredServer? {
        if let server = try? chooseServer(for: id, besides: other.map { [$0] } ?? []) { return server }
        let servers = try store.servers(of: id)
        return (servers.first { $0.operator == nil } ?? servers.first)?.server
    }

    /// The servers that new queues may have, which can also forward messages to others.
    func usedServers(of id: ProfileID) throws -> [ConfiguredServer] {
        try choice(for: id).servers
    }

    /// The longest address that the queue of an answer may have, to know what fits beside it.
    func longestServer(of id: ProfileID) throws -> ServerAddress? {
        let used = try choice(for: id).servers.map(\.address)
        let possible = try used.isEmpty ? store.servers(of: id).map(\.address) : used
        return possible.max { $0.location.utf8.count < $1.location.utf8.count }
    }

    // MARK: - The servers of a profile

    func listServers(_ profile: OwnProfile) throws -> CoreResponse {
        .servers(profile, OperatorServers.grouped(try store.servers(of: profile.id), try store.operators()))
    }

    /// Replaces the servers of one's own. Presets are not used beside them any more.
    func setServers(_ servers: [ConfiguredServer], of id: ProfileID?) throws -> CoreResponse {
        let profile = try id.map { try self.profile($0) }
        try store.transaction {
            for var known in try store.servers(of: id) {
                if !known.isPreset, let id = known.id {
                    try store.removeServer(id)
                } else if !servers.isEmpty {
                    known.isEnabled = false
                    try store.update(known)
                }
            }
            for server in servers { try store.insert(ProfileServer(server), of: id) }
            try noteOnboarding()
        }
        return .commandOK(profile)
    }

    /// Changes servers, adds those without an id, and removes what is marked. Those that are not named stay as they are.
    func updateServers(_ changes: [ProfileServer], of profile: OwnProfile) throws -> CoreResponse {
        try store.transaction {
            for change in changes { try apply(change, to: profile) }
            let servers = try store.servers(of: profile.id)
            for (index, server) in servers.enumerated() where servers[..<index].contains(where: server.collides) {
                throw ChatError.serverExists(server.address)
            }
            try noteOnboarding()
        }
        return .commandOK(profile)
    }

    private func apply(_ change: ProfileServer, to profile: OwnProfile) throws {
        let servers = try store.servers(of: profile.id)
        guard let id = change.id else {
            guard !servers.contains(where: change.collides) else { throw ChatError.serverExists(change.address) }
            if !change.isDeleted {
                try store.insert(ProfileServer(change.server, isEnabled: change.isEnabled), of: profile.id)
            }
            return
        }
        guard let known = servers.first(where: { $0.id == id }) else { throw ChatError.serverNotFound(id) }
        // What came with the program can be switched off; without it nobody could switch it on again.
        guard !known.isPreset || (!change.isDeleted && change.server == known.server) else {
            throw ChatError.presetServer(known.address)
        }
        if change.isDeleted { try store.removeServer(id) } else { try store.update(change) }
    }

    /// What a new profile begins with: the servers of one's own that the active profile has, and presets if those are used.
    /// The presets are chosen anew.
    func giveServers(to id: ProfileID, after former: ProfileID?) throws {
        let inherited = try store.servers(of: former)
        for server in inherited where !server.isPreset { try store.insert(server, of: id) }
        let usesPresets = former == nil || inherited.contains { $0.isPreset && $0.isEnabled }
        for known in try store.operators() where known.acceptance != nil {
            try addPresets(of: known.tag, to: id, isUsed: usesPresets)
        }
    }

    private func addPresets(of tag: ServerOperator.Tag, to id: ProfileID, isUsed: Bool) throws {
        let servers = try store.servers(of: id)
        var numbers = RandomNumbers(environment.random)
        for var preset in PresetServers.selection(of: tag, using: &numbers)
        where !servers.contains(where: preset.collides) {
            preset.isEnabled = preset.isEnabled && isUsed
            try store.insert(preset, of: id)
        }
    }

    // MARK: - Operators

    func updateOperators(_ operators: [ServerOperator]) throws -> CoreResponse {
        try store.transaction { for settings in operators { try store.update(settings) } }
        return .operators(try store.operators())
    }

    /// Notes that the user accepts the conditions, and gives the relays of the operators to profiles without them.
    func acceptConditions(of tags: [ServerOperator.Tag]) throws -> CoreResponse {
        try store.transaction {
            for tag in tags {
                try store.accept(.current, of: tag, at: now)
                for profile in try store.profiles() {
                    let servers = try store.servers(of: profile.id)
                    if servers.contains(where: { $0.isPreset && $0.operator == tag }) { continue }
                    try addPresets(of: tag, to: profile.id, isUsed: true)
                }
            }
            try noteOnboarding()
        }
        return .operators(try store.operators())
    }

    // MARK: - Testing

    /// Sets how long commands wait for a relay that they ask at once. For the only command of a process.
    public func limitRequests(to deadline: Duration) {
        environment.requestDeadline = deadline
    }

    func testServer(_ server: ConfiguredServer, as profile: OwnProfile) async -> CoreResponse {
        let failure: ServerTestFailure? = await withCheckedContinuation { continuation in
            ServerTest.run(of: server, in: environment) { continuation.resume(returning: $0) }
        }
        return .serverTested(profile, server, failure)
    }
}
