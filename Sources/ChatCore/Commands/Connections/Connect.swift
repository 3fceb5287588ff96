public import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

/// Joins through a link. The relay has the message of this side when the answer comes, unless the connection is only queued.
/// (`/_connect 1 [incognito=on] [queue=on] [as='NAME'] LINK [SHORT]`, `/connect [incognito] LINK`)
///
/// The same link again continues the connection of an invitation, and repeats a request to an address that was not answered.
///
/// Written for people, it looks first at what the link means, which waits for a relay if the link is short, and joins only
/// where that is what they expect; else it answers with the plan. So it does for a name in the place of the link:
/// `/connect @alice.simplex`.
public struct Connect: ChatCommand {
    public var profile: ProfileID?
    public var link: String
    /// The name that the contact is going to have here.
    public var name: String?
    public var isIncognito: Bool
    /// True if it joins only where that is what a person expects.
    public var plansFirst: Bool
    /// True if the answer does not wait for a relay.
    public var isQueued: Bool

    public init(
        _ profile: ProfileID?, link: String, name: String?, isIncognito: Bool = false, plansFirst: Bool = false,
        isQueued: Bool = false
    ) {
        self.profile = profile
        self.link = link
        self.name = name
        self.isIncognito = isIncognito
        self.plansFirst = plansFirst
        self.isQueued = isQueued
    }

    public static let access = Access.write
    public static let syntax = Syntax([
        Form(
            "/_connect", .profile(\.profile), .incognito(\.isIncognito), .queued(\.isQueued),
            .flag("plan", \.plansFirst), requestedName, pastedLink, make: make),
        Form(
            "/connect", .absent(\.profile), .incognito(\.isIncognito), .queued(\.isQueued), plan, requestedName,
            pastedLink, make: make),
        Form(
            "/c", .absent(\.profile), .incognito(\.isIncognito), .queued(\.isQueued), plan, requestedName, pastedLink,
            make: make),
    ])
    private static let requestedName = Argument<Self, String?>.name("as", \.name)
    private static let plan = Argument<Self, Bool>.flag("plan", \.plansFirst, byDefault: true)
    private static let pastedLink = Argument<Self, String>.words(
        "link", besides: ["incognito", "i ", "queue=", "as=", "plan", "contact ", "group "], \.link)

    private static let make: @Sendable (ProfileID?, Bool, Bool, Bool, String?, String) -> Self = {
        Self($0, link: $5, name: $4, isIncognito: $1, plansFirst: $3, isQueued: $2)
    }

    public func effect(of response: StartedConnection) -> SessionEffect? {
        .visible(response.profile, .listsChanged)
    }

    public func perform(on core: isolated LocalCore) async throws -> StartedConnection {
        let profile = try core.lookup.profile(profile)
        var link = link
        if plansFirst || !SimplexName.named(by: link).isEmpty {
            let plan = try await core.connector.plan(profile, link: link)
            guard plan.mayProceed else { return StartedConnection(profile, .planned(plan)) }
            link = [plan.link.full, plan.link.short].compactMap(\.self).joined(separator: " ")
            let verified = plan.verifiedName.map { NameCheck($0.fullDomain) }
            if let content = plan.channel {
                var change = try await core.groups.joinChannel(
                    profile, link: link, content, verified, isIncognito: isIncognito)
                if !isQueued { change.relays = try await core.exchange.confirm(change.relays) }
                return StartedConnection(profile, .joining(change))
            }
            if let verified, let content = plan.content, !content.isBusiness {
                let started = try core.connector.connect(
                    profile, link: link, content, verified, as: name, isIncognito: isIncognito)
                return StartedConnection(profile, .begun(isQueued ? started : try await core.exchange.confirm(started)))
            }
        }
        let isGroup = try core.connector.pasted(link).link.isGroup
        let started =
            isGroup
            ? try core.groups.connect(profile, link: link, isIncognito: isIncognito)
            : try core.connector.connect(profile, link: link, name: name, isIncognito: isIncognito)
        guard !isQueued, started.isBegun, let connection = started.connection else { return started }
        try await core.exchange.confirm(connection.id)
        return try started.updated(core.lookup.connection(connection.id))
    }
}

/// A connection that this side has begun through a link, or why it did not.
public struct StartedConnection: ChatResponse {
    public enum Outcome: Hashable, Sendable {
        /// The owner of the invitation is being told who joins.
        case confirmed(ContactConnection)
        /// The owner of the address is being asked.
        case requested(ContactConnection)
        /// The link leads to a contact, through this connection.
        case known(Contact, ContactConnection)
        /// Nothing was begun, because the link has this state.
        case planned(ConnectionPlan)
        /// The relays of a channel are being asked.
        case joining(GroupChange)
        /// The owner of a name is being asked.
        case begun(Contact)
    }

    public let profile: OwnProfile
    public let outcome: Outcome

    init(_ profile: OwnProfile, _ outcome: Outcome) {
        self.profile = profile
        self.outcome = outcome
    }

    /// True if this side says something on a connection.
    fileprivate var isBegun: Bool {
        switch outcome {
        case .confirmed, .requested: true
        case .known, .planned, .joining, .begun: false
        }
    }

    /// The same start with the present state of the connection.
    fileprivate func updated(_ connection: ContactConnection) -> StartedConnection {
        switch outcome {
        case .confirmed: StartedConnection(profile, .confirmed(connection))
        case .requested: StartedConnection(profile, .requested(connection))
        case .known, .planned, .joining, .begun: self
        }
    }

    /// The connection through the link; nil if none was begun.
    public var connection: ContactConnection? {
        switch outcome {
        case .confirmed(let connection), .requested(let connection), .known(_, let connection): connection
        case .begun(let contact): contact.connection
        case .planned, .joining: nil
        }
    }

    public var type: String {
        switch outcome {
        case .confirmed: "sentConfirmation"
        case .requested: "sentInvitation"
        case .known: "contactAlreadyExists"
        case .planned: PlannedConnection.type
        case .joining(let change): change.type
        case .begun: StartedContact.type
        }
    }

    public var fields: JSONObject {
        switch outcome {
        case .confirmed(let connection), .requested(let connection):
            var fields: JSONObject = ["user": profile.json, "connection": connection.json]
            fields.set("customUserProfile", connection.incognito)
            return fields
        case .known(let contact, let connection):
            return ["user": profile.json, "contact": contact.json, "connection": connection.json]
        case .planned(let plan): return PlannedConnection(profile: profile, plan: plan).fields
        case .joining(let change): return change.fields
        case .begun(let contact): return StartedContact(profile, contact).fields
        }
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        switch type {
        case "sentConfirmation":
            self.init(try fields.required("user"), .confirmed(try fields.required("connection")))
        case "sentInvitation":
            self.init(try fields.required("user"), .requested(try fields.required("connection")))
        case "contactAlreadyExists":
            self.init(
                try fields.required("user"),
                .known(try fields.required("contact"), try fields.required("connection")))
        case PlannedConnection.type:
            let planned = try PlannedConnection(from: &fields)
            self.init(planned.profile, .planned(planned.plan))
        case GroupChange.Kind.connecting.rawValue:
            let change = try GroupChange(type: type, from: &fields)
            self.init(change.profile, .joining(change))
        case StartedContact.type:
            let started = try StartedContact(from: &fields)
            self.init(started.profile, .begun(started.contact))
        default: throw .invalid("type")
        }
    }
}
