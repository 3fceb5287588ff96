public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Connects with a prepared contact, perhaps with a message. The relay has it when the answer comes, unless it is only queued.
/// (`/_connect contact @4 [incognito=on] [queue=on] [text TEXT|json {...}]`)
public struct ConnectPrepared: ChatCommand {
    public var contact: ContactID
    public var isIncognito: Bool
    public var message: MessageContent?
    /// True if the answer does not wait for a relay.
    public var isQueued: Bool

    public init(
        _ contact: ContactID, isIncognito: Bool = false, message: MessageContent? = nil, isQueued: Bool = false
    ) {
        self.contact = contact
        self.isIncognito = isIncognito
        self.message = message
        self.isQueued = isQueued
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_connect contact", .contactID(\.contact), .incognito(\.isIncognito), .queued(\.isQueued),
            .content(\.message)
        ) { Self($0, isIncognito: $1, message: $3, isQueued: $2) })

    public func effect(of response: StartedContact) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> StartedContact {
        let contact = try core.lookup.contact(.reference(.direct(contact)))
        let started = try core.connector.connect(contact, message, isIncognito: isIncognito)
        return StartedContact(
            try core.lookup.profile(contact.profileID),
            isQueued ? started : try await core.exchange.confirm(started))
    }
}

/// A prepared contact whose connection was begun.
public struct StartedContact: SimpleResponse {
    public let profile: OwnProfile
    public let contact: Contact

    public static let type = "startedConnectionToContact"

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "contact": contact.json]
        fields.set("customUserProfile", contact.connection?.incognito)
        return fields
    }

    init(_ profile: OwnProfile, _ contact: Contact) {
        self.profile = profile
        self.contact = contact
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"), try fields.required("contact"))
    }
}

extension Argument where Value == ContactID {
    /// `@4`
    static func contactID(_ value: @escaping @Sendable (Command) -> ContactID) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly("@") else { throw .invalid("contact") }
                return ContactID(try reader.integer())
            }, write: { "@\(value($0).number)" })
    }
}

extension Argument where Value == MessageContent? {
    /// `json {...}` or `text TEXT` to the end, or nothing.
    static func content(_ value: @escaping @Sendable (Command) -> MessageContent?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                if reader.isAtEnd { return nil }
                if reader.skipExactly("json ") { return try MessageContent(decoding: Bytes(reader.rest().utf8)) }
                guard reader.skipExactly("text ") else { throw .invalid("content") }
                return MessageContent(reader.rest())
            }, write: { command in value(command).map { "json \($0.json.line)" } ?? "" })
    }
}
