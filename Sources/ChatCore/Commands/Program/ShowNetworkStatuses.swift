import AgentProtocol
import ByteCoding
import JSONCoding

/// Shows which connections receive. (`/_network_statuses`)
public struct ShowNetworkStatuses: ChatCommand {
    public init() {}

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_network_statuses", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> DiagnosticReport {
        var seen: Set<String> = [], statuses: [JSONValue] = []
        for subscription in try core.subscriptions()
        where seen.insert(subscription.connection.description).inserted {
            let status: JSONObject = ["type": subscription.isActive ? "connected" : "disconnected"]
            statuses.append(
                .object([
                    "agentConnId": .string(subscription.connection.description), "networkStatus": .object(status),
                ]))
        }
        return DiagnosticReport("networkStatuses", ["networkStatuses": .array(statuses)])
    }
}
