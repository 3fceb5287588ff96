public import ByteCoding
public import JSONCoding

extension ServerOperator: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let settings = try ServerOperator(settings: &fields)
        self.init(
            settings.tag, isEnabled: settings.isEnabled, roles: settings.roles,
            acceptance: try fields.optional("lastAcceptance"))
    }

    /// `ServerOperator` of the API.
    public var fields: JSONObject {
        var accepted: JSONObject = ["type": "required"]
        if let acceptance, acceptance.isCurrent {
            accepted = [
                "type": "accepted", "acceptedAt": .string(acceptance.time.apiText), "autoAccepted": false,
            ]
        }
        var fields: JSONObject = [
            "operatorId": .integer(tag.number), "operatorTag": .string(tag.rawValue),
            "tradeName": .string(tag.tradeName), "legalName": .string(tag.legalName),
            "serverDomains": .array(tag.domains.map { .string($0) }), "conditionsAcceptance": .object(accepted),
            "enabled": .bool(isEnabled), "smpRoles": roles.json,
            // Files go to the file relays of both operators.
            "xftpRoles": ServerRoles(storesMessages: true, forwardsMessages: true).json,
        ]
        // The official core does not tell which conditions were accepted if they are not the newest.
        fields.set("lastAcceptance", acceptance)
        return fields
    }

    /// The settings in a `ServerOperator` of the API; conditions are not accepted that way.
    init(settings fields: inout JSONFields) throws(DecodeError) {
        guard let tag = Tag(number: try fields.integer("operatorId")) else { throw .invalid("operatorId") }
        var roles = try fields.object("smpRoles")
        self.init(
            tag, isEnabled: try fields.bool("enabled"),
            roles: ServerRoles(
                storesMessages: try roles.bool("storage"), forwardsMessages: try roles.bool("proxy")))
    }

    /// Reads the operators of a `ServerOperatorConditions`: all else follows from them.
    static func conditions(from fields: inout JSONFields) throws(DecodeError) -> [ServerOperator] {
        try fields.list("serverOperators")
    }

    /// `ServerOperatorConditions` of the API.
    static func conditionsJSON(_ operators: [ServerOperator]) -> JSONValue {
        var fields: JSONObject = [
            "serverOperators": .array(operators.map(\.json)),
            "currentConditions": UsageConditions.current.json(operators),
        ]
        let enabled = operators.filter(\.isEnabled)
        let missing = enabled.filter { $0.acceptance?.isCurrent != true }
        if !missing.isEmpty {
            fields["conditionsAction"] = .object([
                "type": "review", "operators": .array(missing.map(\.json)), "showNotice": false,
            ])
        } else if !enabled.isEmpty {
            fields["conditionsAction"] = .object([
                "type": "accepted",
                "operators": .array(operators.filter { $0.acceptance?.isCurrent == true }.map(\.json)),
            ])
        }
        return .object(fields)
    }
}

extension ServerRoles {
    /// `ServerRoles` of the API.
    fileprivate var json: JSONValue {
        // All operators resolve names; this program asks for none.
        .object(["storage": .bool(storesMessages), "proxy": .bool(forwardsMessages), "names": true])
    }
}

extension ConditionsAcceptance: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(version: try fields.text("conditionsCommit"), time: try fields.timestamp("acceptedAt"))
    }

    public var fields: JSONObject {
        ["conditionsCommit": .string(version), "acceptedAt": .string(time.apiText)]
    }
}

extension UsageConditions {
    /// Reads a `UsageConditions`.
    init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(number: try fields.integer("conditionsId"), version: try fields.text("conditionsCommit"))
    }

    /// Reads the answer to `/_conditions`.
    static func answer(
        from fields: inout JSONFields
    ) throws(DecodeError) -> (conditions: UsageConditions, operators: [ServerOperator]) {
        var conditions = try fields.object("usageConditions")
        return (try UsageConditions(from: &conditions), try fields.list("serverOperators"))
    }

    /// `UsageConditions` of the API. The time is that of the first acceptance, if there was one.
    fileprivate func json(_ operators: [ServerOperator]) -> JSONValue {
        var fields: JSONObject = ["conditionsId": .integer(number), "conditionsCommit": .string(version)]
        fields.set("createdAt", acceptance(operators)?.time.apiText)
        return .object(fields)
    }

    /// The answer to `/_conditions`. The text itself is not part of this program.
    func fields(_ operators: [ServerOperator]) -> JSONObject {
        var fields: JSONObject = ["usageConditions": json(operators), "conditionsText": .string(url)]
        if acceptance(operators) != nil { fields["acceptedConditions"] = json(operators) }
        // The official core tells of the operators in another answer.
        fields["serverOperators"] = .array(operators.map(\.json))
        return fields
    }

    private func acceptance(_ operators: [ServerOperator]) -> ConditionsAcceptance? {
        operators.compactMap(\.acceptance).filter { $0.version == version }
            .min { $0.time.milliseconds < $1.time.milliseconds }
    }
}
