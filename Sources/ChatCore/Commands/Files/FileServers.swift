public import ByteCoding
public import JSONCoding
public import SMPProtocol

/// Replaces the file relays of the active profile, or those that the first profile begins with; none stand for those of the
/// operators. (`/xftp xftp://...;xftp://...`, `/xftp default`)
public struct SetFileServers: ChatCommand {
    public var servers: [ConfiguredServer]

    public init(_ servers: [ConfiguredServer]) {
        self.servers = servers
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/xftp default", .fixed([], \.servers), make: Self.init),
        Form("/xftp", .addresses, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        let profile = try core.store.activeProfile()
        try core.store.transaction { try core.store.setFileServers(servers, of: profile?.id) }
        return CommandOK()
    }
}

/// Lists the file relays that the active profile uses. (`/xftp`)
public struct ListFileServers: ChatCommand {
    public init() {}

    public static let access = Access.read
    public static let syntax = Syntax(Form("/xftp", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> FileServerList {
        let profile = try core.lookup.profile(nil)
        return FileServerList(
            profile: profile,
            own: try core.store.fileServers(of: profile.id).filter { !$0.isPreset && $0.isEnabled }.map(\.server),
            used: try core.servers.usedFileServers(of: profile.id))
    }
}

/// The file relays of a profile.
public struct FileServerList: SimpleResponse {
    public let profile: OwnProfile
    /// Those that the user has added.
    public let own: [ConfiguredServer]
    /// Those on which new files are stored: the own ones or, if there are none, those of the operators.
    public let used: [ConfiguredServer]

    public static let type = "userServers"

    init(profile: OwnProfile, own: [ConfiguredServer], used: [ConfiguredServer]) {
        self.profile = profile
        self.own = own
        self.used = used
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        var own: [ConfiguredServer] = [], used: [ConfiguredServer] = []
        for value in try fields.elements("userServers") {
            for server in value.object?["xftpServers"]?.array ?? [] {
                guard var fields = server.object.map({ JSONFields($0) }) else { throw .invalid("xftpServers") }
                let address = try ConfiguredServer(text: try fields.text("server"), scheme: .xftp)
                used.append(address)
                if try !fields.bool("preset") { own.append(address) }
            }
        }
        self.own = own
        self.used = used
    }

    public var fields: JSONObject {
        let servers = used.map { server in
            JSONValue.object([
                "server": .string(server.text(scheme: .xftp)), "preset": .bool(!own.contains(server)), "enabled": true,
                "deleted": false,
            ])
        }
        return [
            "user": profile.json,
            "userServers": .array([.object(["smpServers": [], "xftpServers": .array(servers)])]),
        ]
    }
}

extension Argument where Command == SetFileServers, Value == [ConfiguredServer] {
    /// `xftp://...;xftp://...`: at least one. A password may have a semicolon.
    fileprivate static var addresses: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var text = TextReader(reader.rest()), servers: [ConfiguredServer] = []
                repeat {
                    servers.append(try ConfiguredServer(from: &text, scheme: .xftp))
                } while text.skip(";") || text.skip(" ")
                try text.finish()
                return servers
            },
            write: { command in
                command.servers.isEmpty ? nil : command.servers.map { $0.text(scheme: .xftp) }.joined(separator: ";")
            })
    }
}
