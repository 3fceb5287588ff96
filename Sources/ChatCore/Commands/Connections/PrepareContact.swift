public import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Makes a contact of what a link shows, as a plan has it, or a group where it is the link of a business. Nothing is sent. (`/_prepare contact 1 FULL [SHORT] {...}`)
public struct PrepareContact: ChatCommand {
    public var profile: ProfileID
    /// The full link, and the short one behind a space.
    public var link: String
    public var content: ContactLinkContent

    public init(_ profile: ProfileID, link: String, _ content: ContactLinkContent) {
        self.profile = profile
        self.link = link
        self.content = content
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_prepare contact", .profile(\.profile), links, .json(\.content)) { Self($0, link: $1, $2) })

    /// One or two words, of which none begins like the JSON behind them.
    private static let links = Argument<Self, String>(
        read: { reader throws(DecodeError) in
            var words: [String] = []
            while !reader.isAtEnd, reader.next != UInt8(ascii: "{") { words.append(reader.word()) }
            guard !words.isEmpty else { throw .truncated }
            return words.joined(separator: " ")
        }, write: { $0.link })

    public func effect(of response: PreparedChat) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> PreparedChat {
        let profile = try core.lookup.profile(profile)
        let chat =
            content.isBusiness
            ? try core.groups.prepare(profile, link: link, content)
            : try core.connector.prepare(profile, link: link, content)
        return PreparedChat(profile, chat)
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
