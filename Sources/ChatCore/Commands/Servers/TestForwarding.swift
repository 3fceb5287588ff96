import Agent
public import AgentProtocol
public import ByteCoding
public import JSONCoding
public import SMPProtocol

/// Asks the own relays that forward to contacts' relays at private addresses whether they do. (`/_test forwarding 1`)
public struct TestForwarding: ChatCommand {
    public var profile: ProfileID

    public init(_ profile: ProfileID) {
        self.profile = profile
    }

    public static let access = Access.network
    public static let syntax = Syntax(Form("/_test forwarding", .profile(\.profile), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ForwardingTestResult {
        let profile = try core.lookup.profile(profile), environment = core.context.environment
        var refusing: [ServerAddress] = []
        // A relay forwards to all private addresses or to none, so one of them is enough.
        for (proxy, destination) in try core.privateRoutes(of: profile.id) {
            let isRefused = await withCheckedContinuation { continuation in
                ForwardingTest.run(of: proxy, to: destination, in: environment) { continuation.resume(returning: $0) }
            }
            if isRefused { refusing.append(proxy.address) }
        }
        return ForwardingTestResult(
            profile: profile, refusing: refusing, sendsDirectly: environment.network.allowsFallback)
    }
}

/// The own relays that do not forward to private addresses, although contacts have relays there.
public struct ForwardingTestResult: SimpleResponse {
    public let profile: OwnProfile
    public let refusing: [ServerAddress]
    /// True if messages go directly to the relays of these contacts instead.
    public let sendsDirectly: Bool

    public static let type = "forwardingTestResult"

    init(profile: OwnProfile, refusing: [ServerAddress], sendsDirectly: Bool) {
        self.profile = profile
        self.refusing = refusing
        self.sendsDirectly = sendsDirectly
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            profile: try fields.required("user"),
            refusing: try fields.elements("refusing").map { element throws(DecodeError) in
                guard let text = element.string else { throw .invalid("refusing") }
                return try ServerAddress(text: text)
            },
            sendsDirectly: try fields.bool("sendsDirectly"))
    }

    public var fields: JSONObject {
        var fields: JSONObject = [
            "user": profile.json, "refusing": .array(refusing.map { .string($0.description) }),
        ]
        fields.set("sendsDirectly", sendsDirectly)
        return fields
    }
}
