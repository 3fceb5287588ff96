/// Lists the operators of preset servers, and what the user lets them do. (`/_operators`)
public struct ListOperators: ChatCommand {
    public init() {}

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_operators", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> OperatorList {
        OperatorList(try core.store.operators())
    }
}
