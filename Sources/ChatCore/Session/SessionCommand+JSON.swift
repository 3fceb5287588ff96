public import ByteCoding
public import JSONCoding

extension Draft: JSONObjectCodable {
    public init(from fields: inout JSONFields) throws(DecodeError) {
        text = try fields.text("text")
        answers = try fields.optionalInteger("answers").map { ChatItemID($0) }
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["text": .string(text)]
        fields.set("answers", answers?.number)
        return fields
    }
}

extension SessionResponse {
    /// The word for it in JSON.
    var type: String {
        switch self {
        case .value: "sessionValue"
        case .draft: "draft"
        case .lines: "sessionLines"
        case .unread: "unread"
        case .home: "home"
        case .onboarding: "onboarding"
        }
    }

    /// The fields besides the type.
    var fields: JSONObject {
        var fields = JSONObject()
        switch self {
        case .value(let key, let value):
            fields.set("key", key.rawValue)
            fields.set("value", value)
        case .draft(let contact, let draft):
            fields.set("contact", contact)
            fields.set("draft", draft)
        case .lines(let lines): fields.set("lines", lines)
        case .unread(let report): fields = report.fields
        case .home(let profile): fields["user"] = profile.json
        case .onboarding(let stage): fields.set("stage", stage.rawValue)
        }
        return fields
    }
}
