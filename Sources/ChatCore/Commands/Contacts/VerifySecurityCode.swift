public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// Compares the security code with the one that the contact sees; without a code, forgets that it was compared.
/// (`/_verify code @1 [DIGITS]`, `/verify @name [DIGITS]`)
public struct VerifySecurityCode: ChatCommand {
    public var chat: ChatTarget
    /// The code that the contact sees.
    public var code: String?

    public init(_ chat: ChatTarget, _ code: String?) {
        self.chat = chat
        self.code = code
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_verify code", .ofContact(.chat(\.chat)), .optionalWords("code", \.code), make: Self.init),
        Form("/verify", .ofContact(.person(\.chat)), .optionalWords("code", \.code), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CodeVerification {
        let contact = try core.lookup.contact(chat)
        let right = try core.connector.securityCode(of: contact)
        let isRight = code.map { right.matches($0) } ?? false
        let verification = isRight ? Contact.Verification(code: right.text, verifiedAt: core.now) : nil
        // A wrong code says nothing about an earlier comparison: that is forgotten only without a code.
        if isRight || code == nil {
            try core.store.transaction { try core.store.setVerification(verification, contact.id) }
        }
        return CodeVerification(
            try core.lookup.profile(contact.profileID), try core.lookup.contact(contact.id), isRight: isRight, right)
    }
}

/// The result of comparing a security code.
public struct CodeVerification: SimpleResponse {
    public let profile: OwnProfile
    public let contact: Contact
    public let isRight: Bool
    /// The right code.
    public let code: SecurityCode

    public static let type = "connectionVerified"

    init(_ profile: OwnProfile, _ contact: Contact, isRight: Bool, _ code: SecurityCode) {
        self.profile = profile
        self.contact = contact
        self.isRight = isRight
        self.code = code
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        contact = try fields.required("contact")
        isRight = try fields.bool("verified")
        code = try fields.word("expectedCode") { try SecurityCode(text: $0) }
    }

    public var fields: JSONObject {
        [
            "user": profile.json, "contact": contact.json, "verified": .bool(isRight),
            "expectedCode": .string(code.text),
        ]
    }
}
