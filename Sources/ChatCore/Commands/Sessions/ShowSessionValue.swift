public import ByteCoding
public import JSONCoding

/// Shows a text that sessions keep. (`/_session show place`)
public struct ShowSessionValue: ChatCommand {
    public var key: SessionKey

    public init(_ key: SessionKey) {
        self.key = key
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_session show", .word(\.key), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> SessionValue {
        SessionValue(key: key, value: try core.store.sessionValue(key.rawValue))
    }
}

/// A text that sessions keep, if there is one.
public struct SessionValue: SimpleResponse {
    public let key: SessionKey
    public let value: String?

    public static let type = "sessionValue"

    public var fields: JSONObject {
        var fields = JSONObject()
        fields.set("key", key.rawValue)
        fields.set("value", value)
        return fields
    }

    init(key: SessionKey, value: String?) {
        self.key = key
        self.value = value
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        guard let key = SessionKey(rawValue: try fields.text("key")) else { throw .invalid("key") }
        self.init(key: key, value: try fields.optionalText("value"))
    }
}
