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

    /// Adds the preset servers of an operator to a profile.
    func addPresets(of tag: ServerOperator.Tag, to id: ProfileID, isUsed: Bool) throws {
        let servers = try store.servers(of: id)
        var numbers = RandomNumbers(environment.random)
        for var preset in PresetServers.selection(of: tag, using: &numbers)
        where !servers.contains(where: preset.collides) {
            preset.isEnabled = preset.isEnabled && isUsed
            try store.insert(preset, of: id)
        }
    }

    // MARK: - Testing

    /// Sets how long commands wait for a relay that they ask at once. For the only command of a process.
    public func limitRequests(to deadline: Duration) {
        environment.requestDeadline = deadline
    }
}
