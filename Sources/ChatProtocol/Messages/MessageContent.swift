public import JSONCoding

/// What a message says. Every kind has a text, which is what a reader without pictures shows.
public struct MessageContent: Hashable, Sendable {
    /// What there is besides the text.
    public enum Kind: Hashable, Sendable {
        case text
        case link(LinkPreview)
        /// A picture; the preview is a data URI.
        case image(preview: String)
        case video(preview: String, seconds: Int64)
        case voice(seconds: Int64)
        case file
        /// A complaint to moderators about the quoted message.
        case report(ReportReason)
        /// An invitation to a contact or a group.
        case chat(link: JSONObject)
        /// A kind of a later version, with all of its fields.
        case unknown(JSONObject)
    }

    public let kind: Kind
    public let text: String
    /// What is not known here.
    public let otherFields: JSONObject

    /// Content of a known kind. (What is unknown is written as it came, whatever `text` says.)
    public init(_ text: String, kind: Kind = .text, otherFields: JSONObject = [:]) {
        self.text = text
        self.kind = kind
        self.otherFields = otherFields
    }

    /// The text of a kind of content that is not known here and brings no text, as the official clients have it.
    static let unknownText = "unknown message type"
}

/// What a link leads to, as the sender saw it.
public struct LinkPreview: Hashable, Sendable {
    public let uri: String
    public let title: String
    public let description: String
    /// A data URI.
    public let image: String
    /// What is not known here.
    public let otherFields: JSONObject

    public init(uri: String, title: String, description: String, image: String, otherFields: JSONObject = [:]) {
        self.uri = uri
        self.title = title
        self.description = description
        self.image = image
        self.otherFields = otherFields
    }
}

/// Why a message was reported. Later versions may have other reasons than these.
public struct ReportReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let spam = ReportReason(rawValue: "spam")
    public static let content = ReportReason(rawValue: "content")
    public static let community = ReportReason(rawValue: "community")
    public static let profile = ReportReason(rawValue: "profile")
    public static let other = ReportReason(rawValue: "other")
}
