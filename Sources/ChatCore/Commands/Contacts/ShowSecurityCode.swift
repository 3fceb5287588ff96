public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Shows the security code that both sides of a contact compare. (`/_get code @1`, `/code @name`)
public struct ShowSecurityCode: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_get code", .chat(\.chat), make: Self.init), Form("/code", .person(\.chat), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ContactCode {
        let contact = try core.lookup.contact(chat)
        return ContactCode(
            try core.lookup.profile(contact.profileID), contact, try core.connector.securityCode(of: contact))
    }
}

/// The security code of a contact.
public struct ContactCode: SimpleResponse {
    public let profile: OwnProfile
    public let contact: Contact
    public let code: SecurityCode

    public static let type = "contactCode"

    init(_ profile: OwnProfile, _ contact: Contact, _ code: SecurityCode) {
        self.profile = profile
        self.contact = contact
        self.code = code
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        contact = try fields.required("contact")
        code = try fields.word("connectionCode") { try SecurityCode(text: $0) }
    }

    public var fields: JSONObject {
        ["user": profile.json, "contact": contact.json, "connectionCode": .string(code.text)]
    }
}
