import ByteCoding

extension MessageContent: JSONObjectCodable {
    /// The `type` of the kinds that are known.
    private enum Tag: String {
        case text, link, image, video, voice, file, report, chat
    }

    init(from fields: inout JSONFields) throws(DecodeError) {
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

    var fields: JSONObject {
        if case .unknown(let whole) = kind { return whole }
        var fields = otherFields
        fields["type"] = tag.map { .string($0.rawValue) }
        fields["text"] = .string(text)
        switch kind {
        case .text, .file, .unknown: break
        case .link(let preview): fields["preview"] = preview.json
        case .image(let preview): fields["image"] = .string(preview)
        case .video(let preview, let seconds):
            fields["image"] = .string(preview)
            fields["duration"] = .integer(seconds)
        case .voice(let seconds): fields["duration"] = .integer(seconds)
        case .report(let reason): fields["reason"] = .string(reason.rawValue)
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
    init(from fields: inout JSONFields) throws(DecodeError) {
        uri = try fields.text("uri")
        title = try fields.text("title")
        description = try fields.text("description")
        image = try fields.text("image")
        otherFields = fields.rest
    }

    var fields: JSONObject {
        otherFields.merging([
            "uri": .string(uri), "title": .string(title), "description": .string(description), "image": .string(image),
        ]) { $1 }
    }
}
