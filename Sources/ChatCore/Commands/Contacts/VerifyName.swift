public import ByteCoding
public import JSONCoding

/// Verifies the name that a contact or a channel claims: it must lead to the link that was used, and the owner of the link must
/// have signed the claim, where it has a signature. (`/_verify domain @1`, `/_verify domain #1`)
public struct VerifyName: ChatCommand {
    public var chat: ChatTarget

    public init(_ chat: ChatTarget) {
        self.chat = chat
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_verify domain", .chat(\.chat), make: { Self($0) }))

    public func effect(of response: NameVerification) -> SessionEffect? { .visible(response.profile, .listsChanged) }

    public func perform(on core: isolated LocalCore) async throws -> NameVerification {
        switch try core.lookup.chat(chat) {
        case .direct(let contact):
            let failure = try await core.connector.verifyName(of: contact)
            return NameVerification(
                try core.lookup.profile(contact.profileID), .contact(try core.lookup.contact(contact.id)), failure)
        case .group(let group):
            let failure = try await core.connector.verifyName(of: group)
            return NameVerification(
                try core.lookup.profile(group.profileID), .group(try core.lookup.group(group.id)), failure)
        case .notes: throw ChatError.commandSyntax
        }
    }
}

/// The result of verifying the name of a contact or a channel.
public struct NameVerification: ChatResponse {
    public enum Owner: Hashable, Sendable {
        case contact(Contact)
        case group(Group)
    }

    public let profile: OwnProfile
    public let owner: Owner
    /// Why it is not verified; nil if it is.
    public let failure: NameFailure?

    init(_ profile: OwnProfile, _ owner: Owner, _ failure: NameFailure?) {
        self.profile = profile
        self.owner = owner
        self.failure = failure
    }

    public var type: String {
        switch owner {
        case .contact: "contactDomainVerified"
        case .group: "groupDomainVerified"
        }
    }

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json]
        switch owner {
        case .contact(let contact): fields["contact"] = contact.json
        case .group(let group): fields["groupInfo"] = group.json
        }
        fields.set("verificationFailure", failure?.rawValue)
        return fields
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        owner =
            switch type {
            case "contactDomainVerified": .contact(try fields.required("contact"))
            case "groupDomainVerified": .group(try fields.required("groupInfo"))
            default: throw .invalid("type")
            }
        failure = try fields.optionalWord("verificationFailure", NameFailure.init(rawValue:))
    }
}
