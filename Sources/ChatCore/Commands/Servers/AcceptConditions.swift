import ByteCoding

/// Accepts the conditions of operators, and gives their servers to profiles that have none of them. (`/_accept_conditions 1
/// 1,2`: the conditions by number, and the operators)
public struct AcceptConditions: ChatCommand {
    public var operators: [ServerOperator.Tag]

    public init(_ operators: [ServerOperator.Tag]) {
        self.operators = operators
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_accept_conditions", .acceptance, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> OperatorList {
        try core.store.transaction {
            for tag in operators {
                try core.store.accept(.current, of: tag, at: core.now)
                for profile in try core.store.profiles() {
                    let servers = try core.store.servers(of: profile.id)
                    if servers.contains(where: { $0.isPreset && $0.operator == tag }) { continue }
                    try core.servers.addPresets(of: tag, to: profile.id, isUsed: true)
                }
            }
            try core.profiles.noteOnboarding()
        }
        return OperatorList(try core.store.operators())
    }
}

extension Argument where Command == AcceptConditions, Value == [ServerOperator.Tag] {
    /// `1 1,2`: only the conditions that this program knows can be accepted. `1 ,` names no operator.
    fileprivate static var acceptance: Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard try reader.integer(Int64.self) == UsageConditions.current.number else {
                    throw .invalid("conditions")
                }
                guard !reader.isAtEnd else { throw .truncated }
                var tags: [ServerOperator.Tag] = []
                for word in reader.rest().split(separator: ",") {
                    guard let tag = Int64(word).flatMap(ServerOperator.Tag.init(number:)) else {
                        throw .invalid("operator")
                    }
                    tags.append(tag)
                }
                return tags
            },
            write: { command in
                let numbers = command.operators.map { "\($0.number)" }.joined(separator: ",")
                return "\(UsageConditions.current.number) \(numbers.isEmpty ? "," : numbers)"
            })
    }
}
