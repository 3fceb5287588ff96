public import ByteCoding
public import JSONCoding

/// Deletes a contact, its messages, or both. Waits for a relay. (`/_delete @1 full|entity|messages [notify=off]`)
public struct DeleteContact: ChatCommand {
    public var chat: ChatTarget
    public var deletion: ContactDeletion
    /// True if the contact is told.
    public var notifies: Bool

    public init(_ chat: ChatTarget, _ deletion: ContactDeletion, notifies: Bool) {
        self.chat = chat
        self.deletion = deletion
        self.notifies = notifies
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_delete", .chat(\.chat), mode, .flag("notify", \.notifies, byDefault: true), make: Self.init))

    private static let mode = Argument<Self, ContactDeletion>(
        read: { reader throws(DecodeError) in
            if reader.isAtEnd { return .full }
            guard let mode = ContactDeletion(rawValue: reader.word()) else { throw .invalid("mode") }
            return mode
        }, write: { $0.deletion.rawValue })

    public func effect(of response: DeletedContact) -> SessionEffect? {
        .visible(
            response.profile, deletion == .messages ? .listsChanged : .contactDeleted(response.contact.id))
    }

    public func perform(on core: isolated LocalCore) async throws -> DeletedContact {
        let chat = try core.lookup.chat(chat), profile = try core.lookup.profile(chat.profileID)
        switch deletion {
        case .messages: try core.expiry.clear(chat)
        case .full, .entity:
            try await core.connector.delete(
                try core.lookup.contact(self.chat), keepingMessages: deletion == .entity, notifies: notifies)
        }
        return DeletedContact(profile, chat.asContact)
    }
}

/// What is deleted of a contact.
public enum ContactDeletion: String, CaseIterable, Sendable {
    /// The contact and its messages.
    case full
    /// The contact; its messages stay.
    case entity
    /// The messages; the contact stays.
    case messages
}

/// A contact that was deleted, or of which the messages were.
public struct DeletedContact: SimpleResponse {
    public let profile: OwnProfile
    /// The contact as it was before.
    public let contact: Contact

    public static let type = "contactDeleted"

    init(_ profile: OwnProfile, _ contact: Contact) {
        self.profile = profile
        self.contact = contact
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        contact = try fields.required("contact")
    }

    public var fields: JSONObject { ["user": profile.json, "contact": contact.json] }
}
