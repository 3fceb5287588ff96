public import ByteCoding
public import JSONCoding
import SMPProtocol

extension OperatorServers: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let known: ServerOperator? = try fields.optional("operator")
        let servers = try ProfileServer.changes(in: &fields)
        self.init(
            known, servers.filter { !$0.isForFiles }, files: servers.filter(\.isForFiles),
            relays: try fields.list("chatRelays"))
    }

    /// `UserOperatorServers` of the API.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("operator", `operator`)
        fields["smpServers"] = .array(servers.map(\.json))
        fields["xftpServers"] = .array(fileServers.map(\.json))
        fields["chatRelays"] = .array(relays.map(\.json))
        return fields
    }
}

extension ProfileServer: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let id = try fields.optionalInteger("serverId"), text = try fields.text("server")
        let isForFiles = text.hasPrefix("xftp:")
        self.init(
            id: id.map { ServerID($0) }, try ConfiguredServer(text: text, scheme: isForFiles ? .xftp : .smp),
            isPreset: try fields.optionalBool("preset") ?? false, isEnabled: try fields.bool("enabled"),
            isForFiles: isForFiles)
        isDeleted = try fields.optionalBool("deleted") ?? false
    }

    /// `UserServer` of the API, with its password: whoever changes it sends it back.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("serverId", id?.number)
        fields.set("server", text)
        fields.set("preset", isPreset)
        fields.set("enabled", isEnabled)
        fields.set("deleted", isDeleted)
        return fields
    }

    /// The servers in an `UpdatedUserOperatorServers` of the API. Who their operator is follows from their hosts.
    static func changes(in fields: inout JSONFields) throws(DecodeError) -> [ProfileServer] {
        guard ["smpServers", "xftpServers", "chatRelays"].contains(where: { fields.rest[$0] != nil }) else {
            throw .invalid("smpServers")
        }
        let servers: [ProfileServer] = fields.rest["smpServers"] == nil ? [] : try fields.list("smpServers")
        guard servers.allSatisfy({ !$0.isForFiles }) else { throw .invalid("smpServers") }
        let files: [ProfileServer] = fields.rest["xftpServers"] == nil ? [] : try fields.list("xftpServers")
        guard files.allSatisfy(\.isForFiles) else { throw .invalid("xftpServers") }
        return servers + files
    }
}

extension ServerTestFailure {
    /// `ProtocolTestFailure` of the API, which has fewer steps, and the step by its own name.
    func json(_ server: ServerAddress) -> JSONValue {
        let known =
            switch step {
            case .resolve, .connect, .tls, .handshake: "connect"
            case .create: "createQueue"
            case .secure: "secureQueue"
            case .delete: "deleteQueue"
            case .createFile: "createFile"
            case .uploadFile: "uploadFile"
            case .downloadFile: "downloadFile"
            case .compareFile: "compareFile"
            case .deleteFile: "deleteFile"
            }
        return .object([
            "testStep": .string(known), "testError": problem.json(server), "exactStep": .string(step.rawValue),
        ])
    }

    /// Reads a `ProtocolTestFailure`.
    init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.word("exactStep", Step.init(rawValue:)), try fields.required("testError"))
    }
}
