public import ByteCoding
public import JSONCoding
import SMPProtocol

extension OperatorServers: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.optional("operator"), try ProfileServer.changes(in: &fields))
    }

    /// `UserOperatorServers` of the API. There are no file relays yet.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("operator", `operator`)
        fields["smpServers"] = .array(servers.map(\.json))
        fields["xftpServers"] = []
        return fields
    }
}

extension ProfileServer: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let id = try fields.optionalInteger("serverId")
        self.init(
            id: id.map { ServerID($0) }, try ConfiguredServer(text: try fields.text("server")),
            isPreset: try fields.optionalBool("preset") ?? false, isEnabled: try fields.bool("enabled"))
        isDeleted = try fields.optionalBool("deleted") ?? false
    }

    /// `UserServer` of the API, with its password: whoever changes it sends it back.
    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("serverId", id?.number)
        fields.set("server", server.description)
        fields.set("preset", isPreset)
        fields.set("enabled", isEnabled)
        fields.set("deleted", isDeleted)
        return fields
    }

    /// The servers in an `UpdatedUserOperatorServers` of the API. Who their operator is follows from their hosts.
    static func changes(in fields: inout JSONFields) throws(DecodeError) -> [ProfileServer] {
        guard fields.value("xftpServers")?.array?.isEmpty != false else { throw .invalid("xftpServers") }
        guard fields.rest["smpServers"] != nil else { throw .invalid("smpServers") }
        return try fields.list("smpServers")
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
