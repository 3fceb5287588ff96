import AgentProtocol
public import ByteCoding
public import JSONCoding

/// Accepts a contact request. The relay has it when the answer comes, unless it is only queued. (`/_accept
/// [incognito=on [shown=on]] [queue=on] 3`, `/accept [incognito] NAME`)
public struct AcceptRequest: ChatCommand {
    public var request: RequestTarget
    /// True if a profile is made up for the contact.
    public var isIncognito: Bool
    /// True if a made-up profile is accepted although the short link of the address shows the real one.
    public var allowsShown: Bool
    /// True if the answer does not wait for a relay.
    public var isQueued: Bool

    public init(
        _ request: RequestTarget, isIncognito: Bool = false, allowsShown: Bool = false, isQueued: Bool = false
    ) {
        self.request = request
        self.isIncognito = isIncognito
        self.allowsShown = allowsShown
        self.isQueued = isQueued
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_accept", .incognito(\.isIncognito), shown, .queued(\.isQueued), .id(\.request), make: make),
        Form("/accept", .incognito(\.isIncognito), shown, .queued(\.isQueued), .name(\.request), make: make),
        Form("/ac", .incognito(\.isIncognito), shown, .queued(\.isQueued), .name(\.request), make: make))

    private static let shown = Argument<Self, Bool>.flag("shown", \.allowsShown)

    private static let make: @Sendable (Bool, Bool, Bool, RequestTarget) -> Self = {
        Self($3, isIncognito: $0, allowsShown: $1, isQueued: $2)
    }

    public func effect(of response: AcceptedRequest) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> AcceptedRequest {
        let request = try core.lookup.request(request)
        _ = try core.servers.server(for: request.profileID)
        if isIncognito, !allowsShown { try core.connector.checkHidden(request.profileID) }
        let contact = try core.connector.accept(request, isIncognito: isIncognito)
        return AcceptedRequest(
            profile: try core.lookup.owner(request.profileID),
            contact: isQueued ? contact : try await core.exchange.confirm(contact))
    }
}

/// The contact that an accepted request becomes.
public struct AcceptedRequest: SimpleResponse {
    public let profile: OwnProfile
    public let contact: Contact

    public static let type = "acceptingContactRequest"

    public var fields: JSONObject { ["user": profile.json, "contact": contact.json] }

    init(profile: OwnProfile, contact: Contact) {
        self.profile = profile
        self.contact = contact
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), contact: try fields.required("contact"))
    }
}

extension Argument where Value == RequestTarget {
    /// `3`: a request by number.
    static func id(_ value: @escaping @Sendable (Command) -> RequestTarget) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in .id(RequestID(try reader.integer())) },
            write: { command in if case .id(let id) = value(command) { "\(id.number)" } else { nil } })
    }

    /// `'name'`, also `name` and `@name`: a request to the active profile.
    static func name(_ value: @escaping @Sendable (Command) -> RequestTarget) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                _ = reader.skipExactly("@")
                guard !reader.isAtEnd else { throw .truncated }
                return .name(reader.name())
            },
            write: { command in
                if case .name(let name) = value(command) { CommandText.quoted(name) } else { nil }
            })
    }
}
