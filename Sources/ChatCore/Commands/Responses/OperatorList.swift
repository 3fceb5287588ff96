public import ByteCoding
public import JSONCoding

/// The operators of preset servers.
public struct OperatorList: SimpleResponse {
    public let operators: [ServerOperator]

    public static let type = "serverOperatorConditions"

    public var fields: JSONObject { ["conditions": ServerOperator.conditionsJSON(operators)] }

    init(_ operators: [ServerOperator]) {
        self.operators = operators
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        var conditions = try fields.object("conditions")
        self.init(try ServerOperator.conditions(from: &conditions))
    }
}
