public import ByteCoding
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

extension MessageContent: JSONObjectCodable {
    /// The `type` of the kinds that are known.
    private enum Tag: String {
        case text, link, image, video, voice, file, report, chat
    }

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
    public init(from fields: inout JSONFields) throws(DecodeError) {
        uri = try fields.text("uri")
        title = try fields.text("title")
        description = try fields.text("description")
        image = try fields.text("image")
        otherFields = fields.rest
    }

    public var fields: JSONObject {
        otherFields.merging([
            "uri": .string(uri), "title": .string(title), "description": .string(description), "image": .string(image),
        ])
    }
}
