public import ByteCoding
public import JSONCoding

/// Sets what a contact alone is allowed; what is missing is as the profile has it. (`/_set prefs @1 {...}`)
public struct SetContactPreferences: ChatCommand {
    public var chat: ChatTarget
    /// As in messages.
    public var preferences: JSONObject

    public init(_ chat: ChatTarget, _ preferences: JSONObject) {
        self.chat = chat
        self.preferences = preferences
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_set prefs", .chat(\.chat), .object(\.preferences), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> PreferencesUpdate {
        try await core.connector.setPreferences(preferences, of: try core.lookup.contact(chat))
    }
}

/// A contact before and after something else was allowed.
public struct PreferencesUpdate: SimpleResponse {
    public let profile: OwnProfile
    public let former: Contact
    public let contact: Contact

    public static let type = "contactPrefsUpdated"

    public var fields: JSONObject {
        ["user": profile.json, "fromContact": former.json, "toContact": contact.json]
    }

    init(profile: OwnProfile, former: Contact, contact: Contact) {
        self.profile = profile
        self.former = former
        self.contact = contact
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(
            profile: try fields.required("user"), former: try fields.required("fromContact"),
            contact: try fields.required("toContact"))
    }
}

extension Argument where Value == JSONObject {
    /// A JSON object to the end of the text.
    static func object(_ value: @escaping @Sendable (Command) -> JSONObject) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard let object = try JSONValue(decoding: Bytes(reader.rest().utf8)).object else {
                    throw .invalid("object")
                }
                return object
            }, write: { value($0).line })
    }
}

extension Argument where Value == JSONObject? {
    /// A JSON object to the end of the text, or nothing.
    static func object(_ value: @escaping @Sendable (Command) -> JSONObject?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                guard !reader.isAtEnd else { return nil }
                guard let object = try JSONValue(decoding: Bytes(reader.rest().utf8)).object else {
                    throw .invalid("object")
                }
                return object
            }, write: { value($0)?.line ?? "" })
    }
}
