public import ByteCoding
public import JSONCoding

/// Deletes a contact, the messages of a chat, or both. Waits for a relay. (`/_delete @1 full|entity|messages
/// [notify=off]`, `/delete @name ...`)
public struct DeleteChat: ChatCommand {
    public var chat: ChatTarget
    public var deletion: ChatDeletion
    /// True if the contact is told.
    public var notifies: Bool

    public init(_ chat: ChatTarget, _ deletion: ChatDeletion, notifies: Bool) {
        self.chat = chat
        self.deletion = deletion
        self.notifies = notifies
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form(
            "/_delete", .chat(\.chat), mode, .flag("notify", \.notifies, byDefault: true), make: Self.init),
        Form("/delete", .person(\.chat), mode, .flag("notify", \.notifies, byDefault: true), make: Self.init),
        Form("/d", .person(\.chat), mode, .flag("notify", \.notifies, byDefault: true), make: Self.init))

    private static let mode = Argument<Self, ChatDeletion>(
        read: { reader throws(DecodeError) in
            if reader.isAtEnd || reader.startsWith("notify=") { return .full }
            guard let mode = ChatDeletion(rawValue: reader.word()) else { throw .invalid("mode") }
            return mode
        }, write: { $0.deletion.rawValue })

    public func effect(of response: DeletedChat) -> SessionEffect? {
        .visible(response.profile, deletion == .messages ? .listsChanged : .chatDeleted(response.chat.reference))
    }

    public func perform(on core: isolated LocalCore) async throws -> DeletedChat {
        let chat = try core.lookup.chat(chat), profile = try core.lookup.profile(chat.profileID)
        switch deletion {
        case .messages:
            try core.expiry.clear(chat)
            // Notes stay in the list.
            if chat.contact != nil || chat.group != nil {
                try core.store.transaction { try core.store.setDeleted(true, chat.reference) }
            }
        case .full, .entity:
            if let group = chat.group {
                try core.groups.delete(group)
                return DeletedChat(profile, chat, isGone: true)
            }
            try await core.connector.delete(
                try core.lookup.contact(self.chat), keepingMessages: deletion == .entity, notifies: notifies)
        }
        return DeletedChat(profile, try core.store.chat(chat.reference) ?? chat)
    }
}

/// The parts of a chat that are deleted.
public enum ChatDeletion: String, CaseIterable, Sendable {
    /// The contact and its messages.
    case full
    /// The contact; its messages stay.
    case entity
    /// The messages; the chat stays.
    case messages
}

/// A chat that was deleted, or of which the messages were.
public struct DeletedChat: ChatResponse {
    public let profile: OwnProfile
    /// The chat as it is now, or as it was before it was gone.
    public let chat: Chat
    /// Whether it is a group that is gone.
    public let isGone: Bool

    private static let contactType = "contactDeleted"
    private static let otherType = "chatCleared"
    private static let groupType = "groupDeletedUser"

    init(_ profile: OwnProfile, _ chat: Chat, isGone: Bool = false) {
        self.profile = profile
        self.chat = chat
        self.isGone = isGone
    }

    public var type: String {
        switch chat {
        case .direct: DeletedChat.contactType
        case .group: isGone ? DeletedChat.groupType : DeletedChat.otherType
        case .notes: DeletedChat.otherType
        }
    }

    public init(type: String, from fields: inout JSONFields) throws(DecodeError) {
        profile = try fields.required("user")
        isGone = type == DeletedChat.groupType
        switch type {
        case DeletedChat.groupType: chat = .group(try fields.required("groupInfo"))
        case DeletedChat.contactType: chat = .direct(try fields.required("contact"))
        case DeletedChat.otherType: chat = try fields.required("chatInfo")
        default: throw .invalid("type")
        }
    }

    /// As the API has it: the contact alone for one.
    public var fields: JSONObject {
        if isGone, let group = chat.group { return GroupChange(.deleted, profile, group).fields }
        guard let contact = chat.contact else { return ["user": profile.json, "chatInfo": chat.json] }
        return ["user": profile.json, "contact": contact.json]
    }
}
