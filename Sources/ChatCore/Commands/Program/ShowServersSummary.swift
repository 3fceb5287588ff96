public import AgentProtocol
import ByteCoding
import JSONCoding
import SMPProtocol

/// Shows sessions and subscriptions at relays, and counts of messages, which are zero: nothing is counted here.
/// (`/get servers summary 1`)
public struct ShowServersSummary: ChatCommand {
    public var profile: ProfileID

    public init(_ profile: ProfileID) {
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/get servers summary", .profile(\.profile), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> DiagnosticReport {
        let profile = try core.lookup.profile(profile), all = try core.subscriptions()
        let own = all.filter { $0.profile == profile.id }
        let known = try core.store.servers(of: profile.id).map(\.address)
        return DiagnosticReport(
            "agentServersSummary",
            [
                "user": profile.json,
                "serversSummary": .object([
                    "statsStartedAt": .string(core.now.description),
                    "allUsersSMP": ServersSummary.relays(all, known: nil),
                    "allUsersXFTP": ServersSummary.files, "allUsersNtf": ServersSummary.notifications,
                    "currentUserSMP": ServersSummary.relays(own, known: known),
                    "currentUserXFTP": ServersSummary.files, "currentUserNtf": ServersSummary.notifications,
                ]),
            ])
    }
}

/// Sets the counts of ``ShowServersSummary`` to zero, which they are. (`/reset servers stats`)
public struct ResetStatistics: ChatCommand {
    public init() {}

    public static let access = Access.write
    public static let syntax = Syntax(Form("/reset servers stats", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        CommandOK()
    }
}

/// Shows how many connections receive. (`/get subs total 1`)
public struct CountSubscriptions: ChatCommand {
    public var profile: ProfileID

    public init(_ profile: ProfileID) {
        self.profile = profile
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/get subs total", .profile(\.profile), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> DiagnosticReport {
        let profile = try core.lookup.profile(profile), all = try core.subscriptions()
        return DiagnosticReport(
            "agentSubsTotal",
            [
                "user": profile.json, "subsTotal": ServersSummary.subscriptions(all),
                "hasSession": .bool(all.contains(where: \.isActive)),
            ])
    }
}

/// The parts of `PresentedServersSummary` of the API.
private enum ServersSummary {
    static func relays(_ subscriptions: [RelaySubscription], known: [ServerAddress]?) -> JSONValue {
        var servers: [ServerAddress] = []
        for subscription in subscriptions where !servers.contains(subscription.server) {
            servers.append(subscription.server)
        }
        let isConnected = Set(subscriptions.filter(\.isActive).map(\.server))
        return .object([
            "smpTotals": .object([
                "sessions": sessions(connected: isConnected.count, connecting: servers.count - isConnected.count),
                "subs": self.subscriptions(subscriptions), "stats": zeros(relayCounters),
            ]),
            "currentlyUsedSMPServers": .array(
                servers.map { server in
                    var summary: JSONObject = ["smpServer": .string(server.description)]
                    if let known { summary["known"] = .bool(known.contains(server)) }
                    let isConnected = isConnected.contains(server)
                    summary["sessions"] = sessions(connected: isConnected ? 1 : 0, connecting: isConnected ? 0 : 1)
                    summary["subs"] = self.subscriptions(subscriptions.filter { $0.server == server })
                    summary["stats"] = zeros(relayCounters)
                    return .object(summary)
                }),
            "previouslyUsedSMPServers": [], "onlyProxiedSMPServers": [],
        ])
    }

    static var files: JSONValue {
        .object([
            "xftpTotals": .object(["sessions": sessions(connected: 0, connecting: 0), "stats": zeros(fileCounters)]),
            "currentlyUsedXFTPServers": [], "previouslyUsedXFTPServers": [],
        ])
    }

    static var notifications: JSONValue {
        .object([
            "ntfTotals": .object([
                "sessions": sessions(connected: 0, connecting: 0), "stats": zeros(notificationCounters),
            ]),
            "currentlyUsedNtfServers": [], "previouslyUsedNtfServers": [],
        ])
    }

    static func subscriptions(_ subscriptions: [RelaySubscription]) -> JSONValue {
        let active = subscriptions.filter(\.isActive).count
        return .object([
            "ssActive": .integer(Int64(active)), "ssPending": .integer(Int64(subscriptions.count - active)),
        ])
    }

    private static func sessions(connected: Int, connecting: Int) -> JSONValue {
        .object([
            "ssConnected": .integer(Int64(connected)), "ssErrors": 0, "ssConnecting": .integer(Int64(connecting)),
        ])
    }

    private static func zeros(_ names: [String]) -> JSONValue {
        var object = JSONObject()
        for name in names { object["_\(name)"] = 0 }
        return .object(object)
    }

    private static let relayCounters = [
        "sentDirect", "sentViaProxy", "sentProxied", "sentDirectAttempts", "sentViaProxyAttempts",
        "sentProxiedAttempts", "sentAuthErrs", "sentQuotaErrs", "sentExpiredErrs", "sentOtherErrs", "recvMsgs",
        "recvDuplicates", "recvCryptoErrs", "recvOtherErrs", "ackMsgs", "ackAttempts", "ackNoMsgErrs", "ackOtherErrs",
        "connCreated", "connSecured", "connCompleted", "connDeleted", "connDelAttempts", "connDelErrs",
        "connSubscribed", "connSubAttempts", "connSubIgnored", "connSubErrs", "ntfKey", "ntfKeyAttempts",
        "ntfKeyDeleted", "ntfKeyDeleteAttempts",
    ]
    private static let fileCounters = [
        "uploads", "uploadsSize", "uploadAttempts", "uploadErrs", "downloads", "downloadsSize", "downloadAttempts",
        "downloadAuthErrs", "downloadErrs", "deletions", "deleteAttempts", "deleteErrs",
    ]
    private static let notificationCounters = [
        "ntfCreated", "ntfCreateAttempts", "ntfChecked", "ntfCheckAttempts", "ntfDeleted", "ntfDelAttempts",
    ]
}
