public import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Shows what connecting through a link or a name would mean. Waits for a relay if the link is short, and makes a short
/// invitation usable for this profile only. (`/_connect plan 1 LINK [resolve=on|off|never] [sig={...}]`, `/connect plan LINK`)
public struct PlanConnection: ChatCommand {
    /// Whether relays are asked.
    public enum Resolution: String, CaseIterable, Sendable {
        /// Also for a channel that is known here, which follows its link.
        case known = "on"
        /// Only for what is not known here.
        case unknown = "off"
        case never

        /// Reads the mode, also in the words of later versions of the official core.
        init?(word: String) {
            switch word {
            case "on", "allGroups": self = .known
            case "off", "unknown": self = .unknown
            case "never": self = .never
            default: return nil
            }
        }
    }

    public var profile: ProfileID?
    /// The link, or a name that leads to it.
    public var link: String
    public var resolution: Resolution
    /// The proof that came with the link.
    public var proof: LinkOwnerSignature?

    public init(
        _ profile: ProfileID?, link: String, _ resolution: Resolution = .unknown, proof: LinkOwnerSignature? = nil
    ) {
        self.profile = profile
        self.link = link
        self.resolution = resolution
        self.proof = proof
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered(
            "/_connect plan", named: "/connect plan", \.profile, aliases: ["/c plan"],
            links, resolution, proof, make: { Self($0, link: $1, $2, proof: $3) }))

    /// The link in one form or both, up to the options.
    private static let links = Argument<Self, String>(
        read: { reader throws(DecodeError) in
            var copy = reader
            if copy.skipExactly("link", "="), let text = (try? JSONValue(decoding: Bytes(copy.rest().utf8)))?.string {
                reader = copy
                return text
            }
            var words: [String] = []
            while !reader.isAtEnd {
                copy = reader
                if copy.skipExactly("sig", "=") || copy.skipExactly("resolve", "=") { break }
                words.append(reader.word())
            }
            guard !words.isEmpty else { throw .truncated }
            return words.joined(separator: " ")
        },
        write: { command in
            let link = command.link, words = link.split(separator: " ", omittingEmptySubsequences: false)
            let isPlain =
                !words.contains { $0.isEmpty || $0.hasPrefix("sig=") || $0.hasPrefix("resolve=") }
                && !link.hasPrefix("link=")
            return isPlain ? link : "link=\(JSONValue.string(link).line)"
        })

    private static let resolution = Argument<Self, Resolution>(
        read: { reader throws(DecodeError) in
            guard reader.skipExactly("resolve", "=") else { return .unknown }
            guard let resolution = Resolution(word: reader.word()) else { throw .invalid("resolve") }
            return resolution
        }, write: { $0.resolution == .unknown ? "" : "resolve=\($0.resolution.rawValue)" })

    private static let proof = Argument<Self, LinkOwnerSignature?>(
        read: { reader throws(DecodeError) in
            guard reader.skipExactly("sig", "=") else { return nil }
            return try LinkOwnerSignature(decoding: Bytes(reader.rest().utf8))
        }, write: { $0.proof.map { "sig=\($0.json.line)" } ?? "" })

    public func perform(on core: isolated LocalCore) async throws -> PlannedConnection {
        let profile = try core.lookup.profile(profile)
        var plan = try await core.connector.plan(profile, link: link, proof: proof, isLocal: resolution == .never)
        if resolution == .known, case .knownGroup(let group) = plan.state, group.isChannel {
            let refreshed = try await core.groups.refresh(group)
            plan = plan.with(.knownGroup(refreshed))
            plan.isGroupUpdated = refreshed.profile != group.profile
        }
        return PlannedConnection(profile: profile, plan: plan)
    }
}

/// What connecting through a link would mean.
public struct PlannedConnection: SimpleResponse {
    public let profile: OwnProfile
    public let plan: ConnectionPlan

    public static let type = "connectionPlan"

    public var fields: JSONObject {
        ["user": profile.json, "connLink": plan.link.json, "connectionPlan": plan.json]
    }

    init(profile: OwnProfile, plan: ConnectionPlan) {
        self.profile = profile
        self.plan = plan
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), plan: try fields.required("connectionPlan"))
    }
}
