public import AgentProtocol
public import ByteCoding
import ChatProtocol
public import JSONCoding

/// Sets what happens with the requests at the address of a profile. (`/_address_settings 1 {"autoAccept":{...},
/// "businessAddress":true,"autoReply":{...}}`, `/auto_accept on [business|incognito=off] [text TEXT|json {...}|TEXT]`, `/auto_accept off`)
public struct SetAddress: ChatCommand {
    public var profile: ProfileID?
    public var settings: AddressSettings

    public init(_ profile: ProfileID?, _ settings: AddressSettings) {
        self.profile = profile
        self.settings = settings
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form.numbered(
            "/_address_settings", named: "/address_settings", \.profile,
            Argument<Self, AddressSettings>.json(\.settings), make: Self.init)
            + Form.numbered(
                "/_auto_accept", named: "/auto_accept", \.profile, Argument<Self, AddressSettings>.autoAccept,
                make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> UpdatedAddress {
        let profile = try core.lookup.profile(profile)
        return UpdatedAddress(profile: profile, address: try await core.connector.setAddress(settings, of: profile))
    }
}

/// An address with other settings.
public struct UpdatedAddress: SimpleResponse {
    public let profile: OwnProfile
    public let address: Address

    public static let type = "userContactLinkUpdated"

    public var fields: JSONObject { ["user": profile.json, "contactLink": address.json] }

    init(profile: OwnProfile, address: Address) {
        self.profile = profile
        self.address = address
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.init(profile: try fields.required("user"), address: try fields.required("contactLink"))
    }
}

extension Argument where Command == SetAddress, Value == AddressSettings {
    /// `on`, perhaps with a welcome, or `off`
    fileprivate static var autoAccept: Argument {
        .onlyRead { reader throws(DecodeError) in
            guard try reader.isOn() else { return AddressSettings() }
            // SECURITY: as in the JSON form.
            if reader.skipExactly("incognito", "="), try reader.isOn() { throw .invalid("incognito") }
            var settings = AddressSettings(accepts: true), rest = reader
            if rest.word() == "business" { (settings.isBusiness, reader) = (true, rest) }
            if reader.skipExactly("json ") {
                settings.welcome = try MessageContent(decoding: Bytes(reader.rest().utf8))
                return settings
            }
            _ = reader.skipExactly("text ")
            let welcome = reader.rest()
            if !welcome.isEmpty { settings.welcome = MessageContent(welcome) }
            return settings
        }
    }
}

extension AddressSettings: JSONObjectCodable {
    /// `AddressSettings` of the API.
    public init(from fields: inout JSONFields) throws(DecodeError) {
        let acceptance = fields.value("autoAccept")?.object
        // SECURITY: whoever wants to stay unknown must not be made known because this program cannot do it.
        guard acceptance?["acceptIncognito"]?.bool != true else { throw .invalid("acceptIncognito") }
        isBusiness = try fields.optionalBool("businessAddress") ?? false
        accepts = acceptance != nil
        welcome = try fields.optional("autoReply")
    }

    /// `AddressSettings` of the API.
    public var fields: JSONObject {
        var fields: JSONObject = ["businessAddress": .bool(isBusiness)]
        if accepts { fields["autoAccept"] = .object(["acceptIncognito": false]) }
        fields["autoReply"] = welcome?.json
        return fields
    }
}
