import ByteCoding
import JSONCoding

/// Sets whether and for what the servers of operators are used. Conditions are not accepted that way. (`/_operators [{...}]`)
public struct UpdateOperators: ChatCommand {
    public var operators: [ServerOperator]

    public init(_ operators: [ServerOperator]) {
        self.operators = operators
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_operators", .operators, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> OperatorList {
        try core.store.transaction { for settings in operators { try core.store.update(settings) } }
        return OperatorList(try core.store.operators())
    }
}

extension Argument where Command == UpdateOperators, Value == [ServerOperator] {
    /// An array of `ServerOperator` of the API.
    fileprivate static var operators: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                var operators: [ServerOperator] = []
                for var fields in try reader.objects() { operators.append(try ServerOperator(from: &fields)) }
                return operators
            }, write: { JSONValue.array($0.operators.map(\.json)).line })
    }
}
