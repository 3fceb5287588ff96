public import AgentProtocol
import ByteCoding
public import SMPProtocol

/// Replaces the own servers of a profile. Presets are not used beside them. Without a profile it sets the servers that the
/// first profile begins with. (`/_servers 1 smp://...;smp://...`, `/servers smp://...`)
public struct SetServers: ChatCommand {
    public var profile: ProfileID?
    public var servers: [ConfiguredServer]

    public init(_ profile: ProfileID?, _ servers: [ConfiguredServer]) {
        self.profile = profile
        self.servers = servers
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered("/_servers", named: "/servers", \.profile, .addresses, make: Self.init)
            + [Form("/servers", .noAddresses, make: { Self(nil, $0) })])

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try profile.map { try core.lookup.profile($0) }
        try core.store.transaction {
            for var known in try core.store.servers(of: self.profile) {
                if !known.isPreset, let id = known.id {
                    try core.store.removeServer(id)
                } else if !servers.isEmpty {
                    known.isEnabled = false
                    try core.store.update(known)
                }
            }
            for server in servers { try core.store.insert(ProfileServer(server), of: self.profile) }
            try core.profiles.noteOnboarding()
        }
        return CommandOK(profile)
    }
}

extension Argument where Command == SetServers, Value == [ConfiguredServer] {
    /// `smp://...;smp://...`, or `;` for none. A password may have a semicolon.
    fileprivate static var addresses: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard !reader.isAtEnd else { throw .truncated }
                var text = TextReader(reader.rest()), servers: [ConfiguredServer] = []
                while !text.isAtEnd {
                    if text.skip(";") { continue }
                    servers.append(try ConfiguredServer(from: &text))
                    guard text.isAtEnd || text.next == UInt8(ascii: ";") else { throw .trailing }
                }
                return servers
            },
            write: { command in
                command.servers.isEmpty ? ";" : command.servers.map(\.description).joined(separator: ";")
            })
    }

    /// Nothing, which people may write for none.
    fileprivate static var noAddresses: Argument {
        .onlyRead { _ throws(DecodeError) in [] }
    }
}
