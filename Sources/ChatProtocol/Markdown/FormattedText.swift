public import JSONCoding

/// A part of a message with one format (chat.md 6.10).
///
/// ```swift
/// FormattedText.parts(of: "this is *bold*", link: { _ in nil })  // "this is ", then "bold" in bold
/// ```
public struct FormattedText: Hashable, Sendable {
    /// The format; nil for plain text.
    public let format: TextFormat?
    /// The text, without the marks of its format.
    public let text: String

    /// Creates a part of a message.
    public init(_ format: TextFormat? = nil, _ text: String) {
        self.format = format
        self.text = text
    }

    /// `FormattedText` of the API.
    public var json: JSONValue {
        var fields: JSONObject = [:]
        fields["format"] = format?.json
        fields["text"] = .string(text)
        return .object(fields)
    }
}

/// The format of a part of a message.
public enum TextFormat: Hashable, Sendable {
    /// Text between asterisks.
    case bold
    /// Text between underscores.
    case italic
    /// Text between tildes.
    case strikeThrough
    /// Code between backticks. Marks inside have no meaning.
    case snippet
    /// Text between number signs, hidden until the reader uncovers it.
    case secret
    /// Text after `!- ` and before `!`.
    case small
    /// Text after `!1 ` and before `!`.
    case colored(TextColor)
    /// A web address.
    case uri
    /// A web address with the text to show: `[text](https://example.com)`.
    case hyperLink(showText: String, uri: String)
    /// A link to connect with, possibly with the text to show.
    case simplexLink(SimplexLink, showText: String?)
    /// A registered name.
    case simplexName(SimplexName)
    /// A command to a bot, without the slash.
    case command(String)
    /// The name of a member, without the `@` and the quotes.
    case mention(String)
    /// An e-mail address.
    case email
    /// A telephone number.
    case phone

    /// True for an address of a page, a person or a group.
    public var isLink: Bool {
        switch self {
        case .uri, .hyperLink, .simplexLink, .simplexName: true
        default: false
        }
    }

    /// `Format` of the API.
    public var json: JSONValue {
        switch self {
        case .bold: .object(["type": "bold"])
        case .italic: .object(["type": "italic"])
        case .strikeThrough: .object(["type": "strikeThrough"])
        case .snippet: .object(["type": "snippet"])
        case .secret: .object(["type": "secret"])
        case .small: .object(["type": "small"])
        case .colored(let color): .object(["type": "colored", "color": .string(color.rawValue)])
        case .uri: .object(["type": "uri"])
        case .hyperLink(let text, let uri):
            .object(["type": "hyperLink", "showText": .string(text), "linkUri": .string(uri)])
        case .simplexLink(let link, let text): TextFormat.json(link, text)
        case .simplexName(let name): .object(["type": "simplexName", "nameInfo": name.json])
        case .command(let text): .object(["type": "command", "commandStr": .string(text)])
        case .mention(let name): .object(["type": "mention", "memberName": .string(name)])
        case .email: .object(["type": "email"])
        case .phone: .object(["type": "phone"])
        }
    }

    private static func json(_ link: SimplexLink, _ text: String?) -> JSONValue {
        var fields: JSONObject = ["type": "simplexLink"]
        fields.set("showText", text)
        fields["linkType"] = .string(link.kind.rawValue)
        fields["simplexUri"] = .string(link.uri)
        fields.set("smpHosts", link.hosts)
        return .object(fields)
    }
}

/// A color of text. The raw values are those of the API.
public enum TextColor: String, CaseIterable, Sendable {
    case red, green, blue, yellow, cyan, magenta
}

/// A link in a text to an invitation or an address.
public struct SimplexLink: Hashable, Sendable {
    /// The object of a link. The raw values are those of the API.
    public enum Kind: String, Sendable {
        case contact, invitation, group, channel, relay
    }

    /// The object of the link.
    public let kind: Kind
    /// The link with the scheme `simplex:`.
    public let uri: String
    /// The hosts of its relays.
    public let hosts: [String]
    /// True if the link needs no relay to be opened. A text to show cannot hide such a long link.
    public let isFull: Bool

    /// Creates a link from its parts.
    public init(_ kind: Kind, uri: String, hosts: [String], isFull: Bool) {
        self.kind = kind
        self.uri = uri
        self.hosts = hosts
        self.isFull = isFull
    }
}
