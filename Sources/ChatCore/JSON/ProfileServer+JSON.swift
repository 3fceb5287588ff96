import ByteCoding
import JSONCoding
import SMPProtocol

extension OperatorServers {
    /// `UserOperatorServers` of the API. There are no file relays yet.
    var json: JSONValue {
        var fields = JSONObject()
        fields["operator"] = `operator`?.json
        fields["smpServers"] = .array(servers.map(\.json))
        fields["xftpServers"] = []
        return .object(fields)
    }
}

extension ProfileServer {
    /// `UserServer` of the API, with its password: whoever changes it sends it back.
    fileprivate var json: JSONValue {
        var fields = JSONObject()
        fields.set("serverId", id?.number)
        fields.set("server", server.description)
        fields.set("preset", isPreset)
        fields.set("enabled", isEnabled)
        fields.set("deleted", isDeleted)
        return .object(fields)
    }

    /// The servers in an `UpdatedUserOperatorServers` of the API. Who their operator is follows from their hosts.
    static func changes(in fields: inout JSONFields) throws(DecodeError) -> [ProfileServer] {
        guard fields.value("xftpServers")?.array?.isEmpty != false else { throw .invalid("xftpServers") }
        guard let servers = fields.value("smpServers")?.array else { throw .invalid("smpServers") }
        return try servers.map { server throws(DecodeError) in
            guard let object = server.object else { throw .invalid("server") }
            var fields = JSONFields(object)
            let id = try fields.optionalInteger("serverId")
            var change = ProfileServer(
                id: id.map(ServerID.init), try ConfiguredServer(text: try fields.text("server")),
                isPreset: try fields.optionalBool("preset") ?? false, isEnabled: try fields.bool("enabled"))
            change.isDeleted = try fields.optionalBool("deleted") ?? false
            return change
        }
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
}
