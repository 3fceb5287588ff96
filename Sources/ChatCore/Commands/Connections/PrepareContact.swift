public import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Makes a contact of what a link shows, as a plan has it, or a group where it is the link of a business. Nothing is sent.
/// (`/_prepare contact 1 FULL [SHORT] [domain=alice.simplex] {...}`)
public struct PrepareContact: ChatCommand {
    public var profile: ProfileID
    /// The full link, and the short one behind a space.
    public var link: String
    /// The domain of the name that led to the link, as a plan has it; nil for none.
    public var domain: String?
    public var content: ContactLinkContent

    public init(_ profile: ProfileID, link: String, domain: String? = nil, _ content: ContactLinkContent) {
        self.profile = profile
        self.link = link
        self.domain = domain
        self.content = content
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_prepare contact", .profile(\.profile), links, .domain(\.domain), .json(\.content)) {
            Self($0, link: $1, domain: $2, $3)
        })

    /// One or two words, of which none begins like the domain or the JSON behind them.
    private static let links = Argument<Self, String>(
        read: { reader throws(DecodeError) in
            var words: [String] = []
            while !reader.isAtEnd, reader.next != UInt8(ascii: "{"), reader.next != UInt8(ascii: "d") {
                words.append(reader.word())
            }
            guard !words.isEmpty else { throw .truncated }
            return words.joined(separator: " ")
        }, write: { $0.link })

    public func effect(of response: PreparedChat) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> PreparedChat {
        let profile = try core.lookup.profile(profile)
        let chat =
            content.isBusiness
            ? try core.groups.prepare(profile, link: link, content)
            : try core.connector.prepare(profile, link: link, content, domain.map { NameCheck($0) })
        return PreparedChat(profile, chat)
    }
}

extension Argument where Value == String? {
    /// `domain=alice.simplex`, or nothing
    static func domain(_ value: @escaping @Sendable (Command) -> String?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard reader.skipExactly("domain", "=") else { return nil }
                guard let name = SimplexName(.contact, domain: reader.word()) else { throw .invalid("domain") }
                return name.fullDomain
            }, write: { command in value(command).map { "domain=\($0)" } ?? "" })
    }
}

/// A chat with a contact or a group to which nothing was sent.
public struct PreparedChat: SimpleResponse {
    public let profile: OwnProfile
    /// The chat, with the welcome message if there is one.
    public let chat: ChatPreview

    public static let type = "newPreparedChat"

    public var fields: JSONObject { ["user": profile.json, "chat": chat.json] }

    init(_ profile: OwnProfile, _ chat: ChatPreview) {
        self.profile = profile
        self.chat = chat
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(try fields.required("user"), try fields.required("chat"))
    }
}
