public import AgentProtocol
import ByteCoding
public import ChatProtocol

/// Makes a group of what a link shows, as a plan has it. Nothing is sent.
/// (`/_prepare group 1 FULL [SHORT] [direct=off] [domain=news.simplex] {...}`)
public struct PrepareGroup: ChatCommand {
    public var profile: ProfileID
    public var link: String
    /// The domain of the name that led to the link, as a plan has it; nil for none.
    public var domain: String?
    public var content: GroupLinkContent

    public init(_ profile: ProfileID, link: String, domain: String? = nil, _ content: GroupLinkContent) {
        self.profile = profile
        self.link = link
        self.domain = domain
        self.content = content
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_prepare group", .profile(\.profile), links, .ignoredFlag("direct"), .domain(\.domain), .json(\.content)
        ) { Self($0, link: $1, domain: $3, $4) })

    /// One or two words, of which none begins like the JSON behind them.
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
        return PreparedChat(
            profile, try core.groups.prepare(profile, link: link, content, domain.map { NameCheck($0) }))
    }
}
