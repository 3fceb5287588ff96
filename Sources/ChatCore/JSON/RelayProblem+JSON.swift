public import ByteCoding
public import JSONCoding
import SMPProtocol

extension RelayProblem: JSONObjectCodable {
    /// Reads the field `problem` of an `AgentErrorType` that this program wrote: the official types tell less.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        var problem = try fields.object("problem")
        try self.init(exact: &problem)
    }

    /// `AgentErrorType` of the API, with no relay.
    public var fields: JSONObject { fields(at: nil) }

    /// `AgentErrorType` of the API.
    func json(_ server: ServerAddress?) -> JSONValue { .object(fields(at: server)) }

    /// The fields of an `AgentErrorType` of the API.
    fileprivate func fields(at server: ServerAddress?) -> JSONObject {
        var fields = official(server)
        fields["problem"] = .object(exact)
        return fields
    }

    // MARK: - The official form

    private func official(_ server: ServerAddress?) -> JSONObject {
        let address = server?.description ?? ""
        return switch self {
        case .blocked(let reason):
            [
                "type": "SMP", "serverAddress": .string(address),
                "smpErr": .object(
                    JSONObject(dictionaryLiteral: ("type", "BLOCKED")).merging(
                        reason.map { ["blockInfo": .object(["reason": .string($0)])] } ?? [:])),
            ]
        case .authorization: RelayProblem.refusal(address, .authorization)
        case .full: RelayProblem.refusal(address, .quota)
        case .refused(let text):
            // A file relay may refuse in words of its own protocol.
            if let error = try? ProtocolError(decoding: Bytes(text.utf8)) {
                RelayProblem.refusal(address, error)
            } else {
                ["type": "SMP", "serverAddress": .string(address), "smpErr": .object(["type": .string(text)])]
            }
        case .unknownHost, .proxyRequired, .hostExcluded, .forwarderRequired:
            RelayProblem.broker(address, ["type": "HOST"])
        case .timedOut: RelayProblem.broker(address, ["type": "TIMEOUT"])
        case .unreachable, .closed, .proxyFailed, .proxyLogin, .offline:
            RelayProblem.broker(address, ["type": "NETWORK", "networkError": .object(["type": "failedError"])])
        case .wrongIdentity, .certificateNotYetValid, .certificateExpired:
            RelayProblem.broker(
                address,
                ["type": "TRANSPORT", "transportErr": .object(["type": "handshake", "handshakeErr": "IDENTITY"])])
        case .incompatible:
            RelayProblem.broker(address, ["type": "TRANSPORT", "transportErr": .object(["type": "version"])])
        case .addressesRefused(let end): RelayProblem.notice(server, until: end)
        case .forwarder(let problem): problem.official(server)
        case .unexpected: RelayProblem.broker(address, ["type": "UNEXPECTED", "respErr": ""])
        }
    }

    private static func notice(_ server: ServerAddress?, until end: Timestamp?) -> JSONObject {
        var fields: JSONObject = ["type": "NOTICE"]
        // The official type has the host only.
        fields["server"] = .string(server?.hosts.first?.description ?? "")
        fields["preset"] = .bool(server.map(PresetServers.all.contains) ?? false)
        fields["expiresAt"] = end.map { .string($0.apiText) }
        fields["serverAddress"] = .string(server?.description ?? "")
        return fields
    }

    private static func broker(_ address: String, _ error: JSONObject) -> JSONObject {
        ["type": "BROKER", "brokerAddress": .string(address), "brokerErr": .object(error)]
    }

    private static func refusal(_ address: String, _ error: ProtocolError) -> JSONObject {
        ["type": "SMP", "serverAddress": .string(address), "smpErr": .object(error.json)]
    }

    // MARK: - The exact form

    /// The problems that are told by their name alone.
    private static let named: [(name: String, problem: RelayProblem)] = [
        ("unknownHost", .unknownHost), ("timedOut", .timedOut), ("closed", .closed), ("wrongIdentity", .wrongIdentity),
        ("certificateNotYetValid", .certificateNotYetValid), ("certificateExpired", .certificateExpired),
        ("incompatible", .incompatible), ("unexpected", .unexpected), ("authorization", .authorization),
        ("full", .full), ("proxyRequired", .proxyRequired), ("offline", .offline),
        ("proxyLogin", .proxyLogin), ("hostExcluded", .hostExcluded), ("forwarderRequired", .forwarderRequired),
    ]

    private var exact: JSONObject {
        switch self {
        case .unreachable(let reason): ["type": "unreachable", "reason": .string(reason)]
        case .proxyFailed(let reason): ["type": "proxyFailed", "reason": .string(reason)]
        case .refused(let text): ["type": "refused", "reason": .string(text)]
        case .blocked(let reason):
            JSONObject(dictionaryLiteral: ("type", "blocked")).merging(
                reason.map { ["reason": .string($0)] } ?? [:])
        case .addressesRefused(let end):
            JSONObject(dictionaryLiteral: ("type", "addressesRefused")).merging(
                end.map { ["until": .string($0.description)] } ?? [:])
        case .forwarder(let problem): ["type": "forwarder", "problem": .object(problem.exact)]
        default: ["type": .string(RelayProblem.named.first { $0.problem == self }?.name ?? "")]
        }
    }

    private init(exact fields: inout JSONFields) throws(DecodeError) {
        let name = try fields.text("type")
        switch name {
        case "unreachable": self = .unreachable(try fields.text("reason"))
        case "proxyFailed": self = .proxyFailed(try fields.text("reason"))
        case "refused": self = .refused(try fields.text("reason"))
        case "blocked": self = .blocked(reason: try fields.optionalText("reason"))
        case "addressesRefused":
            self = .addressesRefused(until: try fields.optionalWord("until", Timestamp.init(text:)))
        case "forwarder":
            var inner = try fields.object("problem")
            self = .forwarder(try RelayProblem(exact: &inner))
        default:
            guard let problem = RelayProblem.named.first(where: { $0.name == name })?.problem else {
                throw .invalid("problem")
            }
            self = problem
        }
    }
}

extension RelayObstacle: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let name: StaticText = fields.rest["brokerAddress"] == nil ? "serverAddress" : "brokerAddress"
        let server = try fields.word(name, ServerAddress.init(text:))
        self.init(
            server: server, problem: try RelayProblem(from: &fields),
            isForReceiving: try fields.optionalBool("receiving") ?? false)
    }

    /// `AgentErrorType` of the API, and what could not be done.
    public var fields: JSONObject {
        var fields = problem.fields(at: server)
        if isForReceiving { fields["receiving"] = true }
        return fields
    }
}
