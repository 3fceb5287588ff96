public import ByteCoding
public import JSONCoding

/// The content of a message (chat.md 2.2). Every kind has a text, for readers without pictures.
public struct MessageContent: Hashable, Sendable {
    /// The kind of content, with its data besides the text.
    public enum Kind: Hashable, Sendable {
        /// Text only.
        case text
        /// Text with the preview of a link.
        case link(LinkPreview)
        /// A picture. The preview is a data URI.
        case image(preview: String)
        /// A video of some seconds. The preview is a data URI.
        case video(preview: String, seconds: Int64)
        /// A voice message of some seconds.
        case voice(seconds: Int64)
        /// A file.
        case file
        /// A report of the quoted message to moderators.
        case report(ReportReason)
        /// An invitation to a contact or a group.
        case chat(link: JSONObject)
        /// A kind of a later version with all its fields.
        case unknown(JSONObject)
    }

    /// The kind.
    public let kind: Kind
    /// The text; empty if there is none.
    public let text: String
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates content of a known kind. An unknown kind is written as received, without regard to `text`.
    public init(_ text: String, kind: Kind = .text, otherFields: JSONObject = [:]) {
        self.text = text
        self.kind = kind
        self.otherFields = otherFields
    }

    /// The text of unknown content without a text, as in the official clients.
    static let unknownText = "unknown message type"
}

/// The preview of a link, made by the sender.
public struct LinkPreview: Hashable, Sendable {
    /// The address of the page.
    public let uri: String
    /// The title of the page.
    public let title: String
    /// The description of the page.
    public let description: String
    /// The picture, a data URI.
    public let image: String
    /// The unknown fields, kept as received.
    public let otherFields: JSONObject

    /// Creates a link preview from its parts.
    public init(uri: String, title: String, description: String, image: String, otherFields: JSONObject = [:]) {
        self.uri = uri
        self.title = title
        self.description = description
        self.image = image
        self.otherFields = otherFields
    }
}

/// The reason of a report. Later versions may have other reasons.
public struct ReportReason: RawRepresentable, Hashable, Sendable {
    /// The name in messages.
    public let rawValue: String

    /// Creates a report reason from its parts.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Unsolicited messages.
    public static let spam = ReportReason(rawValue: "spam")
    /// Unacceptable content.
    public static let content = ReportReason(rawValue: "content")
    /// A violation of the community's rules.
    public static let community = ReportReason(rawValue: "community")
    /// An unacceptable profile.
    public static let profile = ReportReason(rawValue: "profile")
    /// Another reason.
    public static let other = ReportReason(rawValue: "other")
}

extension MessageContent: JSONObjectCodable {
    /// The `type` of the known kinds.
    private enum Tag: String {
        case text, link, image, video, voice, file, report, chat
    }

    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let whole = fields.rest
        guard let tag = Tag(rawValue: try fields.text("type")) else {
            self.init(whole["text"]?.string ?? MessageContent.unknownText, kind: .unknown(whole))
            return
        }
        let text = try fields.text("text")
        let kind = try MessageContent.kind(tag, from: &fields)
        self.init(text, kind: kind, otherFields: fields.rest)
    }

    private static func kind(_ tag: Tag, from fields: inout JSONFields) throws(DecodeError) -> Kind {
        switch tag {
        case .text: .text
        case .link: .link(try fields.required("preview"))
        case .image: .image(preview: try fields.text("image"))
        case .video: .video(preview: try fields.text("image"), seconds: try fields.integer("duration"))
        case .voice: .voice(seconds: try fields.integer("duration"))
        case .file: .file
        case .report: .report(ReportReason(rawValue: try fields.text("reason")))
        case .chat: .chat(link: try fields.object("chatLink").rest)
        }
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        if case .unknown(let whole) = kind { return whole }
        var fields = otherFields
        fields.set("type", tag?.rawValue)
        fields.set("text", text)
        switch kind {
        case .text, .file, .unknown: break
        case .link(let preview): fields.set("preview", preview)
        case .image(let preview): fields.set("image", preview)
        case .video(let preview, let seconds):
            fields.set("image", preview)
            fields.set("duration", seconds)
        case .voice(let seconds): fields.set("duration", seconds)
        case .report(let reason): fields.set("reason", reason.rawValue)
        case .chat(let link): fields["chatLink"] = .object(link)
        }
        return fields
    }

    private var tag: Tag? {
        switch kind {
        case .text: .text
        case .link: .link
        case .image: .image
        case .video: .video
        case .voice: .voice
        case .file: .file
        case .report: .report
        case .chat: .chat
        case .unknown: nil
        }
    }
}

extension LinkPreview: JSONObjectCodable {
    /// Reads the JSON form.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        uri = try fields.text("uri")
        title = try fields.text("title")
        description = try fields.text("description")
        image = try fields.text("image")
        otherFields = fields.rest
    }

    /// The fields of the JSON form.
    public var fields: JSONObject {
        otherFields.merging([
            "uri": .string(uri), "title": .string(title), "description": .string(description), "image": .string(image),
        ])
    }
}
