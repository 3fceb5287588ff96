public import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding
import SMPProtocol

/// Says what would be wrong with servers, and changes nothing. (`/_validate_servers 1 [{...}]`)
public struct ValidateServers: ChatCommand {
    public var profile: ProfileID
    public var groups: [OperatorServers]

    public init(_ profile: ProfileID, _ groups: [OperatorServers]) {
        self.profile = profile
        self.groups = groups
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_validate_servers", .profile(\.profile), .groups, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ServersValidation {
        let profile = try core.lookup.profile(profile)
        let used = groups.flatMap { group in
            group.servers.filter { !$0.isDeleted && $0.isEnabled && group.operator?.isEnabled != false }
        }
        var problems: [ServersValidation.Problem] = used.isEmpty ? [.noServers] : []
        let kept = groups.flatMap { $0.servers + $0.fileServers }.filter { !$0.isDeleted }
        for (index, server) in kept.enumerated() {
            guard let other = kept[..<index].first(where: server.collides) else { continue }
            let host = server.address.hosts.first { other.address.hosts.contains($0) }
            problems.append(.duplicate(server: server.text, host: host?.description ?? ""))
        }
        let relays = groups.flatMap(\.relays).filter { !$0.isDeleted }
        for (index, relay) in relays.enumerated()
        where relays.enumerated().contains(where: { $0 != index && relay.collides(with: $1) }) {
            problems.append(.duplicateRelay(name: relay.profile.displayName, address: relay.text))
        }
        let usesRelay = groups.contains { group in group.relays.contains(where: group.uses) }
        return ServersValidation(profile, problems, warnings: usesRelay ? [] : [.noChatRelays])
    }
}

extension Argument where Command == ValidateServers, Value == [OperatorServers] {
    /// An array of `UserOperatorServers` of the API.
    fileprivate static var groups: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var groups: [OperatorServers] = []
                for var fields in try reader.objects() { groups.append(try OperatorServers(from: &fields)) }
                return groups
            }, write: { JSONValue.array($0.groups.map(\.json)).line })
    }
}

/// What is wrong with servers.
public struct ServersValidation: SimpleResponse {
    /// `UserServersError` of the API. Without file relays only files cannot be sent.
    public enum Problem: Hashable, Sendable, JSONObjectCodable {
        case noServers
        case duplicate(server: String, host: String)
        case duplicateRelay(name: String, address: String)

        public init(from fields: inout JSONFields) throws(DecodeError) {
            switch try fields.text("type") {
            case "noServers": self = .noServers
            case "duplicateServer":
                self = .duplicate(
                    server: try fields.text("duplicateServer"), host: try fields.text("duplicateHost"))
            case "duplicateChatRelayAddress":
                self = .duplicateRelay(
                    name: try fields.text("duplicateChatRelay"), address: try fields.text("duplicateAddress"))
            default: throw .invalid("type")
            }
        }

        public var fields: JSONObject {
            switch self {
            case .duplicateRelay(let name, let address):
                [
                    "type": "duplicateChatRelayAddress", "duplicateChatRelay": .string(name),
                    "duplicateAddress": .string(address),
                ]
            case .noServers: ["type": "noServers", "protocol": "smp"]
            case .duplicate(let server, let host):
                [
                    "type": "duplicateServer", "protocol": server.hasPrefix("xftp:") ? "xftp" : "smp",
                    "duplicateServer": .string(server), "duplicateHost": .string(host),
                ]
            }
        }
    }

    /// `UserServersWarning` of the API: what does not keep a profile from being used.
    public enum Warning: String, Hashable, Sendable {
        /// The profile cannot make channels.
        case noChatRelays
    }

    public let profile: OwnProfile
    public let problems: [Problem]
    public let warnings: [Warning]

    public static let type = "userServersValidation"

    init(_ profile: OwnProfile, _ problems: [Problem], warnings: [Warning] = []) {
        self.profile = profile
        self.problems = problems
        self.warnings = warnings
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            try fields.required("user"), try fields.list("serverErrors"),
            warnings: try fields.list("serverWarnings") { warning throws(DecodeError) in
                try warning.word("type", Warning.init(rawValue:))
            })
    }

    public var fields: JSONObject {
        [
            "user": profile.json, "serverErrors": .array(problems.map(\.json)),
            "serverWarnings": .array(warnings.map { .object(["type": .string($0.rawValue)]) }),
        ]
    }
}
