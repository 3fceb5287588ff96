import Agent
import AgentProtocol
public import ByteCoding
public import JSONCoding
import SMPProtocol

/// Shows the internal state of the core, for diagnosis. (`/get subs`, `/get servers summary 1`)
///
/// The numbers of connections at relays are real. Nothing is counted here about messages and attempts, and there are neither locks
/// nor workers: these are empty, or zero.
public struct ShowDiagnostics: ChatCommand {
    /// What is shown.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case subscriptions = "/get subs"
        case subscriptionDetails = "/get subs details"
        case workers = "/get workers"
        case workerDetails = "/get workers details"
        case queues = "/get queues"
        case locks = "/debug locks"
    }

    public var kind: Kind

    public init(_ kind: Kind) {
        self.kind = kind
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Kind.allCases.map { kind in Form(kind.rawValue, .fixed(kind, \.kind), make: Self.init) })

    public func perform(on core: isolated LocalCore) async throws -> DiagnosticReport {
        switch kind {
        case .subscriptions:
            let found = try core.subscriptions()
            return DiagnosticReport(
                "agentSubs",
                [
                    "activeSubs": DiagnosticReport.counts(found.filter(\.isActive)),
                    "pendingSubs": DiagnosticReport.counts(found.filter { !$0.isActive }), "removedSubs": .object([:]),
                ])
        case .subscriptionDetails:
            let found = try core.subscriptions()
            return DiagnosticReport(
                "agentSubsDetails",
                [
                    "agentSubs": .object([
                        "activeSubscriptions": DiagnosticReport.list(found.filter(\.isActive)),
                        "pendingSubscriptions": DiagnosticReport.list(found.filter { !$0.isActive }),
                        "removedSubscriptions": [],
                    ])
                ])
        case .workers:
            let none: JSONValue = .object(["numActive": 0, "numIdle": 0, "totalRestarts": 0])
            return DiagnosticReport(
                "agentWorkersSummary",
                [
                    "agentWorkersSummary": .object([
                        "smpDeliveryWorkers_": none, "asyncCmdWorkers_": none, "smpSubWorkers_": none,
                        "ntfWorkers_": none, "ntfSMPWorkers_": none, "xftpRcvWorkers_": none, "xftpSndWorkers_": none,
                        "xftpDelWorkers_": none,
                    ])
                ])
        case .workerDetails:
            return DiagnosticReport(
                "agentWorkersDetails",
                [
                    "agentWorkersDetails": .object([
                        "smpDeliveryWorkers_": .object([:]), "asyncCmdWorkers_": .object([:]), "smpSubWorkers_": [],
                        "ntfWorkers_": .object([:]), "ntfSMPWorkers_": .object([:]), "xftpRcvWorkers_": .object([:]),
                        "xftpSndWorkers_": .object([:]), "xftpDelWorkers_": .object([:]),
                    ])
                ])
        case .queues:
            return DiagnosticReport(
                "agentQueuesInfo",
                ["agentQueuesInfo": .object(["msgQInfo": .object([:]), "smpClientsQueues": .object([:])])])
        case .locks:
            return DiagnosticReport(
                "debugLocks",
                [
                    "chatEntityLocks": .object([:]),
                    "agentLocks": .object(["connLocks": .object([:]), "invLocks": .object([:]), "delLock": ""]),
                ])
        }
    }
}

/// An answer that is shown as it is, without a meaning for this program.
public struct DiagnosticReport: ChatResponse {
    public let type: String
    public let fields: JSONObject

    init(_ type: String, _ fields: JSONObject) {
        self.type = type
        self.fields = fields
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        self.init(type, fields.rest)
    }

    fileprivate static func counts(_ subscriptions: [RelaySubscription]) -> JSONValue {
        var counts = JSONObject()
        for subscription in subscriptions {
            let server = subscription.server.description
            counts[server] = .integer((counts[server]?.integer ?? 0) + 1)
        }
        return .object(counts)
    }

    fileprivate static func list(_ subscriptions: [RelaySubscription]) -> JSONValue {
        .array(
            subscriptions.map { subscription in
                .object([
                    "userId": .integer(subscription.profile.number),
                    "server": .string(subscription.server.description),
                    "rcvId": .string(subscription.connection.description),
                ])
            })
    }
}

/// A connection that receives, or should, at a relay.
struct RelaySubscription: Hashable {
    let profile: ProfileID
    let connection: ConnectionID
    let server: ServerAddress
    let isActive: Bool
}

extension LocalCore {
    /// The connections of visible profiles that receive at relays.
    func subscriptions() throws -> [RelaySubscription] {
        let agent = try agent
        let profiles = Set(try lookup.visibleProfiles().map(\.id))
        let unreachable = Set(agent.receivingObstacles(of: profiles.contains).map(\.server))
        let isReceiving = exchange.isReceiving
        return try store.livingConnections().filter { profiles.contains($0.profileID) }.flatMap { connection in
            // A connection that has just begun has no queues yet.
            let servers = (try? agent.condition(of: connection.id))?.receiveServers ?? []
            return servers.map { server in
                RelaySubscription(
                    profile: connection.profileID, connection: connection.id, server: server,
                    isActive: isReceiving && !unreachable.contains(server))
            }
        }
    }
}
