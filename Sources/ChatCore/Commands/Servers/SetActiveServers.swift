import AgentProtocol
import ByteCoding
public import SMPProtocol

/// Replaces the own servers of the active profile; none stand for the presets. (`/smp smp://...;smp://...`, `/smp default`)
public struct SetActiveServers: ChatCommand {
    public var servers: [ConfiguredServer]

    public init(_ servers: [ConfiguredServer]) {
        self.servers = servers
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/smp default", .fixed([], \.servers), make: Self.init),
        Form("/smp", .addresses, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.lookup.profile(nil)
        return try await SetServers(profile.id, servers).perform(on: core)
    }
}

extension Argument where Command == SetActiveServers, Value == [ConfiguredServer] {
    /// `smp://...;smp://...`: at least one. A password may have a semicolon.
    fileprivate static var addresses: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var text = TextReader(reader.rest()), servers: [ConfiguredServer] = []
                repeat {
                    servers.append(try ConfiguredServer(from: &text))
                } while text.skip(";") || text.skip(" ")
                try text.finish()
                return servers
            },
            write: { command in
                command.servers.isEmpty ? nil : command.servers.map(\.description).joined(separator: ";")
            })
    }
}
