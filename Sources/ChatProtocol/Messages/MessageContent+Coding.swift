public import ByteCoding
public import JSONCoding

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
