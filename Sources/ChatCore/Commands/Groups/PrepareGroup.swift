public import AgentProtocol
import ByteCoding
public import ChatProtocol

/// Makes a group of what a link shows, as a plan has it. Nothing is sent. (`/_prepare group 1 FULL [SHORT] {...}`)
public struct PrepareGroup: ChatCommand {
    public var profile: ProfileID
    public var link: String
    public var content: GroupLinkContent

    public init(_ profile: ProfileID, link: String, _ content: GroupLinkContent) {
        self.profile = profile
        self.link = link
        self.content = content
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_prepare group", .profile(\.profile), links, .ignoredFlag("direct"), .json(\.content)) {
            Self($0, link: $1, $3)
        })

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
        return PreparedChat(profile, try core.groups.prepare(profile, link: link, content))
    }
}
