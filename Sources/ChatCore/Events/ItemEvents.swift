public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// New entries of conversations: messages, and notices of the conversation itself.
public struct NewItemsEvent: ProfileEvent {
    public static let type = "newChatItems"

    public let profile: OwnProfile
    public let items: [LocatedItem]

    public var fields: JSONObject { ["user": profile.json, "chatItems": .array(items.map(\.json))] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), items: try fields.list("chatItems"))
    }

    public var chat: Chat? { items.first?.chat }
    public var hooks: [HookTrigger] {
        items.compactMap { located in
            guard located.item.direction == .received else { return nil }
            if located.item.content.isMessage { return HookTrigger(.onMessage, .item(located)) }
            return located.item.content.isProblem ? HookTrigger(.onError, .item(located)) : nil
        }
    }
    public var trace: EventText { "new: \(items)" }
    public var effect: SessionEffect? { visibleItems.isEmpty ? nil : .newItems(visibleItems) }

    /// Those that people see.
    public var visibleItems: [LocatedItem] { items.filter(\.item.content.isForPeople) }
}

/// Own messages that have come further, or failed.
public struct ItemsUpdatedEvent: ProfileEvent {
    public static let type = "chatItemsStatusesUpdated"

    public let profile: OwnProfile
    public let items: [LocatedItem]

    public var fields: JSONObject { ["user": profile.json, "chatItems": .array(items.map(\.json))] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), items: try fields.list("chatItems"))
    }

    public var chat: Chat? { items.first?.chat }
    public var hooks: [HookTrigger] {
        items.compactMap { located in
            if located.item.status.isConfirmed { return HookTrigger(.onReceipt, .delivery(located)) }
            return located.item.status.hasFailed ? HookTrigger(.onError, .delivery(located)) : nil
        }
    }
    public var trace: EventText { "new states: \(items)" }
    public var effect: SessionEffect? { .itemsUpdated(items) }
}

/// A message that its author changed.
public struct ItemUpdatedEvent: ProfileEvent {
    public static let type = "chatItemUpdated"
    public static let slugs = ["message.edited"]

    public let profile: OwnProfile
    public let item: LocatedItem

    public var fields: JSONObject { ["user": profile.json, "chatItem": item.json] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), item: try fields.required("chatItem"))
    }

    public var chat: Chat? { item.chat }
    public var notice: EventNotice? {
        // A call that goes on has reports of its own.
        guard item.item.content.isMessage else { return nil }
        let text = item.item.content.plainText
        return EventNotice(
            "message.edited", item, by: item.item.group?.author, "edited \(item.item.id): \(untrusted: text)",
            changedText: text)
    }
    public var trace: EventText { "edited: \([item])" }
    public var effect: SessionEffect? { .itemChanged(item) }
}

/// Messages that their author took back, or that have expired.
public struct ItemsDeletedEvent: ProfileEvent {
    public static let type = "chatItemsDeleted"
    public static let slugs = ["message.deleted", "message.expired"]

    public let profile: OwnProfile
    public let items: [DeletedItem]

    public var fields: JSONObject {
        let fields: JSONObject = ["user": profile.json]
        return fields.merging(DeletedItem.fields(items, byUser: items.contains(where: \.hasExpired)))
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), items: try fields.list("chatItemDeletions"))
    }

    public var chat: Chat? { items.first?.before.chat }
    public var notice: EventNotice? {
        guard let first = items.first else { return nil }
        let id = first.before.item.id
        return first.hasExpired
            ? EventNotice("message.expired", first.before, "message \(id) expired and was deleted")
            : EventNotice(
                "message.deleted", first.before,
                by: first.after?.item.group?.moderator ?? first.before.item.group?.author,
                "deleted \(id)")
    }
    public var trace: EventText { "\(items.count) deleted" }
    public var effect: SessionEffect? { .deleted(items) }
}

/// Reports that a moderator settled, which are archived together.
public struct GroupItemsDeletedEvent: ProfileEvent {
    public static let type = "groupChatItemsDeleted"

    public let profile: OwnProfile
    public let group: Group
    public let items: [ChatItemID]
    public let isByUser: Bool
    /// The member that did it; nil for the user.
    public let member: GroupMember?

    public var fields: JSONObject {
        var fields: JSONObject = [
            "user": profile.json, "groupInfo": group.json,
            "chatItemIDs": .array(items.map { .integer($0.number) }), "byUser": .bool(isByUser),
        ]
        fields.set("member_", member)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            items: try fields.integers("chatItemIDs").map { ChatItemID($0) }, isByUser: try fields.bool("byUser"),
            member: try fields.optional("member_"))
    }

    public var chat: Chat? { .group(group) }
    public var trace: EventText { "\(items.count) deleted in a group" }
    public var effect: SessionEffect? { .listsChanged }
}

/// An emoji that a contact gave a message, or took away from one.
public struct ItemReactionEvent: ProfileEvent {
    public static let type = "chatItemReaction"
    public static let slugs = ["reaction.added", "reaction.removed"]

    public let profile: OwnProfile
    public let item: LocatedItem
    public let reaction: Reaction
    public let isAdded: Bool
    public let time: Timestamp
    /// The member of a group that did it.
    public var member: GroupMember?

    public var fields: JSONObject {
        let fields: JSONObject = ["user": profile.json]
        return fields.merging(item.json(reaction, .received, by: member, isAdded: isAdded, at: time))
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        let profile: OwnProfile = try fields.required("user")
        let read = try LocatedItem.reaction(from: &fields)
        return Self(
            profile: profile, item: read.item, reaction: read.reaction, isAdded: read.isAdded, time: read.time,
            member: read.member)
    }

    public var chat: Chat? { item.chat }
    public var notice: EventNotice? {
        let id = item.item.id
        return isAdded
            ? EventNotice(
                "reaction.added", item, by: member, "reacted to \(id) with \(word: reaction.text)", reaction: reaction)
            : EventNotice(
                "reaction.removed", item, by: member, "removed \(word: reaction.text) from \(id)", reaction: reaction)
    }
    public var trace: EventText { "reaction \(word: isAdded ? "added to" : "removed from") \([item])" }
    public var effect: SessionEffect? { .itemChanged(item) }
}

extension ChatItem.Content {
    /// True for a message; false for a notice of the conversation itself.
    public var isMessage: Bool {
        if case .message = self { true } else { false }
    }

    /// True for a notice of something that is wrong and does not pass by itself.
    fileprivate var isProblem: Bool {
        switch self {
        case .integrity, .undecryptable, .securityCodeChanged, .queueRefused: true
        case .message, .contactDeleted, .queueSwitch, .synchronization, .call, .profileUpdated, .feature, .preference,
            .encryption, .banner, .groupInvitation, .groupEvent, .groupFeature, .groupEncryption, .contactInvitation,
            .moderated, .blocked, .groupFeatureRejected:
            false
        }
    }
}

extension ChatItem.Status {
    /// True if the contact has confirmed that the message came.
    public var isConfirmed: Bool {
        if case .sendReceived = self { true } else { false }
    }

    /// True if the message will not be sent.
    fileprivate var hasFailed: Bool {
        switch self {
        case .sendErrorAuthorization, .sendError: true
        case .sendNew, .sendWarning, .sendSent, .sendSentPartly, .sendUnconfirmed, .sendReceived, .sendReceivedPartly,
            .receivedNew, .receivedRead:
            false
        }
    }
}
