public import SMPProtocol

/// A company that runs relays for everybody, and what the user lets it do.
public struct ServerOperator: Hashable, Sendable {
    /// The operators that this program knows.
    public enum Tag: String, CaseIterable, Hashable, Sendable {
        case simplex, flux
    }

    public let tag: Tag
    /// Whether its relays are used at all.
    public var isEnabled: Bool
    /// What its relays are used for.
    public var roles: ServerRoles
    /// The conditions that the user accepted last; nil if none.
    public let acceptance: ConditionsAcceptance?

    /// Without settings of the user: enabled, with the roles of its preset.
    public init(
        _ tag: Tag, isEnabled: Bool = true, roles: ServerRoles? = nil, acceptance: ConditionsAcceptance? = nil
    ) {
        self.tag = tag
        self.isEnabled = isEnabled
        self.roles = roles ?? tag.presetRoles
        self.acceptance = acceptance
    }

    /// Whether new queues may be made on its relays. Conditions that changed since they were accepted do not end that.
    public var mayHoldQueues: Bool { isEnabled && roles.storesMessages && acceptance != nil }
}

/// What servers are used for.
public struct ServerRoles: Hashable, Sendable {
    /// Own queues are made there.
    public var storesMessages: Bool
    /// Messages to other relays are sent through it.
    public var forwardsMessages: Bool

    public init(storesMessages: Bool, forwardsMessages: Bool) {
        self.storesMessages = storesMessages
        self.forwardsMessages = forwardsMessages
    }
}

extension ServerOperator.Tag {
    /// How the API names it.
    public var number: Int64 {
        switch self {
        case .simplex: 1
        case .flux: 2
        }
    }

    /// The operator with a number.
    public init?(number: Int64) {
        guard let tag = ServerOperator.Tag.allCases.first(where: { $0.number == number }) else { return nil }
        self = tag
    }

    /// The name that people know.
    public var tradeName: String {
        switch self {
        case .simplex: "SimpleX Chat"
        case .flux: "Flux"
        }
    }

    /// The name of the company.
    public var legalName: String {
        switch self {
        case .simplex: "SimpleX Chat Ltd"
        case .flux: "InFlux Technologies Limited"
        }
    }

    /// The domains whose hosts belong to it.
    public var domains: [String] {
        switch self {
        case .simplex: ["simplex.im"]
        case .flux: ["simplexonflux.com"]
        }
    }

    /// Both hold queues: then the two queues of a conversation can be with two companies, and neither sees both ends.
    var presetRoles: ServerRoles { ServerRoles(storesMessages: true, forwardsMessages: true) }

    /// The operator of a server, if it is a known one.
    public init?(of address: ServerAddress) {
        let names = address.hosts.compactMap { if case .domain(let name) = $0 { name.lowercased() } else { nil } }
        let owner = ServerOperator.Tag.allCases.first { tag in
            tag.domains.contains { domain in names.contains { $0 == domain || $0.hasSuffix(".\(domain)") } }
        }
        guard let owner else { return nil }
        self = owner
    }
}
