public import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Shows what connecting through a link would mean. Waits for a relay if the link is short, and makes a short invitation
/// usable for this profile only. (`/_connect plan 1 LINK [sig={...}]`, `/connect plan LINK`)
public struct PlanConnection: ChatCommand {
    public var profile: ProfileID?
    public var link: String
    /// The proof that came with the link.
    public var proof: LinkOwnerSignature?

    public init(_ profile: ProfileID?, link: String, proof: LinkOwnerSignature? = nil) {
        self.profile = profile
        self.link = link
        self.proof = proof
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered(
            "/_connect plan", named: "/connect plan", \.profile, aliases: ["/c plan"],
            links, proof, make: { Self($0, link: $1, proof: $2) }))

    /// The link in one form or both, up to the proof.
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
                if copy.skipExactly("sig", "=") { break }
                words.append(reader.word())
            }
            guard !words.isEmpty else { throw .truncated }
            return words.joined(separator: " ")
        },
        write: { command in
            let link = command.link, words = link.split(separator: " ", omittingEmptySubsequences: false)
            let isPlain = !words.contains { $0.isEmpty || $0.hasPrefix("sig=") } && !link.hasPrefix("link=")
            return isPlain ? link : "link=\(JSONValue.string(link).line)"
        })

    private static let proof = Argument<Self, LinkOwnerSignature?>(
        read: { reader throws(DecodeError) in
            guard reader.skipExactly("sig", "=") else { return nil }
            return try LinkOwnerSignature(decoding: Bytes(reader.rest().utf8))
        }, write: { $0.proof.map { "sig=\($0.json.line)" } ?? "" })

    public func perform(on core: isolated LocalCore) async throws -> PlannedConnection {
        let profile = try core.lookup.profile(profile)
        return PlannedConnection(
            profile: profile, plan: try await core.connector.plan(profile, link: link, proof: proof))
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
