public import ByteCoding
public import JSONCoding

/// Shows the conditions of the operators of preset servers. (`/_conditions`)
public struct ShowConditions: ChatCommand {
    public init() {}

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_conditions", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CurrentConditions {
        CurrentConditions(.current, try core.store.operators())
    }
}

/// The newest conditions, and the operators that ask for them.
public struct CurrentConditions: SimpleResponse {
    public let conditions: UsageConditions
    public let operators: [ServerOperator]

    public static let type = "usageConditions"

    public var fields: JSONObject { conditions.fields(operators) }

    init(_ conditions: UsageConditions, _ operators: [ServerOperator]) {
        self.conditions = conditions
        self.operators = operators
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        let (conditions, operators) = try UsageConditions.answer(from: &fields)
        self.init(conditions, operators)
    }
}
