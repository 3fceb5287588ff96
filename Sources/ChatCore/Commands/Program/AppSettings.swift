public import ByteCoding
public import JSONCoding

/// Keeps settings of an app in the store. (`/_save app settings {...}`)
public struct SaveAppSettings: ChatCommand {
    public var settings: OpaqueObject

    public init(_ settings: OpaqueObject) {
        self.settings = settings
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_save app settings", .json(\.settings), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try core.store.transaction {
            try core.store.setSessionValue(AppSettings.key, JSONValue.object(settings.fields).line)
        }
        return CommandOK()
    }
}

/// Shows the settings of an app, and others where there are none. (`/_get app settings [{...}]`)
public struct ShowAppSettings: ChatCommand {
    /// What the app has without the store.
    public var defaults: OpaqueObject?

    public init(_ defaults: OpaqueObject? = nil) {
        self.defaults = defaults
    }

    public static let access = Access.read
    public static let syntax = Syntax(Form("/_get app settings", .optionalJSON(\.defaults), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> AppSettings {
        let text = try core.store.sessionValue(AppSettings.key)
        let stored = text.flatMap { try? JSONValue(decoding: Bytes($0.utf8)) }?.object ?? [:]
        return AppSettings(AppSettings.standard.merging(defaults?.fields ?? [:]).merging(stored))
    }
}

/// Settings of an app, which mean nothing here.
public struct AppSettings: SimpleResponse {
    public let settings: JSONObject

    public static let type = "appSettings"

    init(_ settings: JSONObject) {
        self.settings = settings
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        guard let object = fields.value("appSettings")?.object else { throw .invalid("appSettings") }
        settings = object
    }

    public var fields: JSONObject { ["appSettings": .object(settings)] }

    /// Where they are kept, beside the values of sessions.
    static let key = "app-settings"

    /// What the official core says for an app that never saved any, as far as it is about more than looks.
    static let standard: JSONObject = [
        "privacyEncryptLocalFiles": true, "privacyAskToApproveRelays": true, "privacyAcceptImages": true,
        "privacyLinkPreviews": true, "privacyShowChatPreviews": true, "privacySaveLastDraft": true,
        "privacyProtectScreen": false, "privacyMediaBlurRadius": 0, "notificationMode": "instant",
        "notificationPreviewMode": "message", "webrtcPolicyRelay": true, "webrtcICEServers": [],
        "confirmRemoteSessions": false, "connectRemoteViaMulticast": true, "connectRemoteViaMulticastAuto": true,
        "developerTools": false, "confirmDBUpgrades": false,
    ]
}
