import Agent
import AgentProtocol
import SMPClient
import SMPProtocol
import XFTPProtocol

/// The servers that profiles use, and the choice of those for new queues.
final class Servers: Collaborator {
    let context: CoreContext

    init(_ context: CoreContext) {
        self.context = context
    }

    // MARK: - Servers for queues

    func choice(for id: ProfileID) throws -> ServerChoice {
        ServerChoice(try store.servers(of: id), try store.operators())
    }

    /// The server of a new queue.
    ///
    /// - Throws: ``ChatError/noServer``, or ``ChatError/conditionsNotAccepted`` if that would give one.
    func server(for id: ProfileID, besides others: [ServerAddress] = []) throws -> ConfiguredServer {
        let choice = try choice(for: id)
        var numbers = RandomNumbers(context.environment.random)
        if let server = choice.server(besides: others, using: &numbers) { return server }
        throw choice.needsConditions ? ChatError.conditionsNotAccepted : ChatError.noServer
    }

    /// The server of a queue that answers a link. A connection that was begun is finished even if all servers were switched
    /// off since.
    func replyServer(for id: ProfileID, besides other: ServerAddress?) throws -> ConfiguredServer? {
        if let server = try? server(for: id, besides: other.map { [$0] } ?? []) { return server }
        let servers = try store.servers(of: id)
        return (servers.first { $0.operator == nil } ?? servers.first)?.server
    }

    /// The server for a queue that replaces another: one that has none of the queues of the connection, or at least another
    /// one than has the queue now.
    func rotationServer(for id: ProfileID, used: [ServerAddress]) throws -> ConfiguredServer? {
        let choice = try choice(for: id)
        var numbers = RandomNumbers(context.environment.random)
        let best = choice.server(besides: used, using: &numbers)
        guard let best, used.contains(best.address) else { return best }
        return choice.server(besides: Array(used.prefix(1)), using: &numbers)
    }

    /// The servers that new queues may have, which can also forward messages to others.
    func used(by id: ProfileID) throws -> [ConfiguredServer] {
        try choice(for: id).servers
    }

    /// The longest address that the queue of an answer may have, to know what fits beside it.
    func longestAddress(for id: ProfileID) throws -> ServerAddress? {
        let used = try used(by: id).map(\.address)
        let possible = try used.isEmpty ? store.servers(of: id).map(\.address) : used
        return possible.max { $0.location.utf8.count < $1.location.utf8.count }
    }

    /// The relays that are asked for names, in the order in which they are.
    ///
    /// - Throws: ``ChatError/noServer``, or ``ChatError/conditionsNotAccepted`` if that would give one.
    func nameServers(for id: ProfileID) throws -> [ServerAddress] {
        let choice = try choice(for: id)
        var numbers = RandomNumbers(context.environment.random)
        let servers = choice.servers.map(\.address).shuffled(using: &numbers)
        guard servers.isEmpty else { return servers }
        throw choice.needsConditions ? ChatError.conditionsNotAccepted : ChatError.noServer
    }

    // MARK: - File relays

    /// The file relay of a new chunk, nil if there is none.
    ///
    /// - Parameter others: Those that rejected the chunk.
    func fileServer(for id: ProfileID, besides others: Set<ServerAddress> = []) throws -> ConfiguredServer? {
        let left = try usedFileServers(of: id).filter { !others.contains($0.address) }
        var numbers = RandomNumbers(context.environment.random)
        return left.randomElement(using: &numbers)
    }

    /// The file relays of a profile: its own, and those of the operators of its relays. What the user has not chosen of the
    /// latter is enabled if there is no own one.
    func fileServers(of id: ProfileID) throws -> [ProfileServer] {
        let stored = try store.fileServers(of: id)
        let usesPresets = !stored.contains { !$0.isPreset && $0.isEnabled }
        let operators = Set(try store.servers(of: id).filter(\.isPreset).compactMap(\.operator))
        let presets = ServerOperator.Tag.allCases.filter(operators.contains).flatMap(PresetServers.fileServers)
        return stored.filter { !$0.isPreset }
            + presets.map { address in
                stored.first { $0.isPreset && $0.address == address }
                    ?? ProfileServer(
                        ConfiguredServer(address: address), isPreset: true, isEnabled: usesPresets, isForFiles: true)
            }
    }

    /// The file relays on which new files of a profile are stored: those that are enabled, and whose operator may be used.
    func usedFileServers(of id: ProfileID) throws -> [ConfiguredServer] {
        let operators = Set(try choice(for: id).servers.compactMap { ServerOperator.Tag(of: $0.address) })
        return try fileServers(of: id).filter { server in
            server.isEnabled && (!server.isPreset || server.operator.map(operators.contains) == true)
        }.map(\.server)
    }

    /// The file relays that may learn the address of this machine without being approved.
    func knownFileServers(of id: ProfileID) throws -> [KnownRelay] {
        try usedFileServers(of: id).map { KnownRelay($0.address, defaultPort: XFTP.defaultPort) }
    }

    // MARK: - Servers of a profile

    /// All relays of a profile, by operator. Operators of which the profile has nothing are left out if it has relays of its
    /// own.
    func groups(of id: ProfileID) throws -> [OperatorServers] {
        let groups = OperatorServers.grouped(
            try store.servers(of: id), files: try fileServers(of: id), relays: try store.chatRelays(of: id),
            try store.operators())
        guard groups.last?.isEmpty == false else { return groups }
        return groups.filter { $0.operator == nil || !$0.isEmpty }
    }

    /// Gives a new profile the own servers of another one, and newly chosen presets if that one uses presets. Must be called
    /// within a transaction.
    ///
    /// - Parameter former: The active profile; nil for the first profile, which uses presets.
    func give(to id: ProfileID, after former: ProfileID?) throws {
        let inherited = try store.servers(of: former)
        for server in inherited where !server.isPreset { try store.insert(server, of: id) }
        for server in try store.fileServers(of: former) { try store.insertFileServer(server, of: id) }
        for relay in try former.map(store.chatRelays) ?? [] where !relay.isPreset {
            try store.insert(relay, of: id)
        }
        let usesPresets = former == nil || inherited.contains { $0.isPreset && $0.isEnabled }
        for known in try store.operators() where known.acceptance != nil {
            try addPresets(of: known.tag, to: id, isUsed: usesPresets)
        }
    }

    /// Adds the preset servers of an operator to a profile. Must be called within a transaction.
    func addPresets(of tag: ServerOperator.Tag, to id: ProfileID, isUsed: Bool) throws {
        let servers = try store.servers(of: id)
        var numbers = RandomNumbers(context.environment.random)
        for var preset in PresetServers.selection(of: tag, using: &numbers)
        where !servers.contains(where: preset.collides) {
            preset.isEnabled = preset.isEnabled && isUsed
            try store.insert(preset, of: id)
        }
        let relays = try store.chatRelays(of: id)
        for var preset in PresetServers.chatRelays(of: tag) where !relays.contains(where: preset.collides) {
            preset.isEnabled = isUsed
            try store.insert(preset, of: id)
        }
    }
}
