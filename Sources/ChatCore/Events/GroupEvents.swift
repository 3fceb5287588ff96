public import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import JSONCoding

/// An event of a group.
public protocol GroupChatEvent: ProfileEvent {
    var group: Group { get }
}

extension GroupChatEvent {
    public var chat: Chat? { .group(group) }
}

/// An invitation of a contact to a group.
public struct GroupInvitationEvent: GroupChatEvent {
    public static let type = "receivedGroupInvitation"

    public let profile: OwnProfile
    public let group: Group
    public let contact: Contact
    public let hostRole: GroupRole
    public let role: GroupRole

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json, "contact": contact.json,
            "fromMemberRole": .string(hostRole.rawValue), "memberRole": .string(role.rawValue),
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            contact: try fields.required("contact"), hostRole: try fields.groupRole("fromMemberRole"),
            role: try fields.groupRole("memberRole"))
    }

    public var trace: EventText { "\(contact) invites to \(Chat.group(group))" }
}

/// A group that the user is in now.
public struct JoinedGroupEvent: GroupChatEvent {
    public static let type = "userJoinedGroup"

    public let profile: OwnProfile
    public let group: Group
    public let host: GroupMember

    public var fields: JSONObject { ["user": profile.json, "groupInfo": group.json, "hostMember": host.json] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            host: try fields.required("hostMember"))
    }

    public var trace: EventText { "joined \(Chat.group(group))" }
}

/// A group whose host has answered the user.
public struct GroupConnectingEvent: GroupChatEvent {
    public static let type = "groupLinkConnecting"

    public let profile: OwnProfile
    public let group: Group
    public let host: GroupMember

    public var fields: JSONObject { ["user": profile.json, "groupInfo": group.json, "hostMember": host.json] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            host: try fields.required("hostMember"))
    }

    public var trace: EventText { "joining \(Chat.group(group))" }
}

/// A member that the user invited, or that joined through the link, and that is connected now.
public struct MemberJoinedEvent: GroupChatEvent {
    public static let type = "joinedGroupMember"

    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember

    public var fields: JSONObject { ["user": profile.json, "groupInfo": group.json, "member": member.json] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            member: try fields.required("member"))
    }

    public var trace: EventText { "a member joined \(Chat.group(group))" }
}

/// A request at the link of a group that is accepted.
public struct AcceptingMemberEvent: GroupChatEvent {
    public static let type = "acceptingGroupJoinRequestMember"

    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember

    public var fields: JSONObject { ["user": profile.json, "groupInfo": group.json, "member": member.json] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            member: try fields.required("member"))
    }

    public var trace: EventText { "letting a member into \(Chat.group(group))" }
}

/// A customer that asked at a business address, with the new group.
public struct AcceptingCustomerEvent: GroupChatEvent {
    public static let type = "acceptingBusinessRequest"

    public let profile: OwnProfile
    public let group: Group

    public var fields: JSONObject { ["user": profile.json, "groupInfo": group.json] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), group: try fields.required("groupInfo"))
    }

    public var trace: EventText { "making \(Chat.group(group)) for a customer" }
}

/// A request at a business address that has a group already.
public struct CustomerRepeatedEvent: GroupChatEvent {
    public static let type = "businessRequestAlreadyAccepted"

    public let profile: OwnProfile
    public let group: Group

    public var fields: JSONObject { ["user": profile.json, "groupInfo": group.json] }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(profile: try fields.required("user"), group: try fields.required("groupInfo"))
    }

    public var trace: EventText { "the customer of \(Chat.group(group)) sent its request again" }
}

/// A contact that turns out to be a business: its chat becomes a group.
public struct BusinessConnectingEvent: GroupChatEvent {
    public static let type = "businessLinkConnecting"

    public let profile: OwnProfile
    public let group: Group
    public let host: GroupMember
    /// The contact as it was, which is gone.
    public let contact: Contact

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json, "hostMember": host.json, "fromContact": contact.json,
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            host: try fields.required("hostMember"), contact: try fields.required("fromContact"))
    }

    public var trace: EventText { "connecting with the business of \(Chat.group(group))" }
}

/// A member and a contact that are the same person.
public struct MemberRecognizedEvent: GroupChatEvent {
    public static let type = "contactAndMemberAssociated"

    public let profile: OwnProfile
    /// The contact as it was.
    public let former: Contact
    public let group: Group
    public let member: GroupMember
    public let contact: Contact

    public var fields: JSONObject {
        [
            "user": profile.json, "contact": former.json, "groupInfo": group.json, "member": member.json,
            "updatedContact": contact.json,
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), former: try fields.required("contact"),
            group: try fields.required("groupInfo"), member: try fields.required("member"),
            contact: try fields.required("updatedContact"))
    }

    public var trace: EventText { "\(contact) is a member of \(Chat.group(group))" }
}

/// A member that another told of, and that is going to be connected.
public struct MemberConnectingEvent: GroupChatEvent {
    public static let type = "joinedGroupMemberConnecting"

    public let profile: OwnProfile
    public let group: Group
    public let host: GroupMember
    public let member: GroupMember

    public var fields: JSONObject {
        ["user": profile.json, "groupInfo": group.json, "hostMember": host.json, "member": member.json]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            host: try fields.required("hostMember"), member: try fields.required("member"))
    }

    public var trace: EventText { "a member is joining \(Chat.group(group))" }
}

/// A member that was introduced, and is connected now.
public struct ConnectedToMemberEvent: GroupChatEvent {
    public static let type = "connectedToGroupMember"

    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    public let contact: Contact?

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "groupInfo": group.json, "member": member.json]
        fields.set("memberContact", contact)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            member: try fields.required("member"), contact: try fields.optional("memberContact"))
    }

    public var trace: EventText { "connected with a member of \(Chat.group(group))" }
}

/// A member that a moderator let in.
public struct MemberAcceptedEvent: GroupChatEvent {
    public static let type = "memberAcceptedByOther"

    public let profile: OwnProfile
    public let group: Group
    public let acceptedBy: GroupMember
    public let member: GroupMember

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json, "acceptingMember": acceptedBy.json, "member": member.json,
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            acceptedBy: try fields.required("acceptingMember"), member: try fields.required("member"))
    }

    public var trace: EventText { "a member was let into \(Chat.group(group))" }
}

/// A member, or the user, with another role.
public struct MemberRoleEvent: GroupChatEvent {
    public static let type = "memberRole"

    public let profile: OwnProfile
    public let group: Group
    public let byMember: GroupMember
    public let member: GroupMember
    public let former: GroupRole
    public let role: GroupRole
    /// What is known of its signature; nil if it is not signed.
    public var signature: SignatureStatus?

    public var fields: JSONObject {
        var fields: JSONObject = [
            "user": profile.json, "groupInfo": group.json, "byMember": byMember.json, "member": member.json,
            "fromRole": .string(former.rawValue), "toRole": .string(role.rawValue),
        ]
        fields.set("msgSigned", signature?.rawValue)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            byMember: try fields.required("byMember"), member: try fields.required("member"),
            former: try fields.groupRole("fromRole"), role: try fields.groupRole("toRole"),
            signature: try fields.optionalWord("msgSigned", SignatureStatus.init(rawValue:)))
    }

    public var trace: EventText { "a member of \(Chat.group(group)) has another role" }
}

/// A member that a moderator blocked for all, or unblocked.
public struct MemberBlockedEvent: GroupChatEvent {
    public static let type = "memberBlockedForAll"

    public let profile: OwnProfile
    public let group: Group
    public let byMember: GroupMember
    public let member: GroupMember
    public let isBlocked: Bool
    /// What is known of its signature; nil if it is not signed.
    public var signature: SignatureStatus?

    public var fields: JSONObject {
        var fields: JSONObject = [
            "user": profile.json, "groupInfo": group.json, "byMember": byMember.json, "member": member.json,
            "blocked": .bool(isBlocked),
        ]
        fields.set("msgSigned", signature?.rawValue)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            byMember: try fields.required("byMember"), member: try fields.required("member"),
            isBlocked: try fields.bool("blocked"),
            signature: try fields.optionalWord("msgSigned", SignatureStatus.init(rawValue:)))
    }

    public var trace: EventText { "a member of \(Chat.group(group)) is \(word: isBlocked ? "blocked" : "unblocked")" }
}

/// A member that another removed.
public struct MemberRemovedEvent: GroupChatEvent {
    public static let type = "deletedMember"

    public let profile: OwnProfile
    public let group: Group
    public let byMember: GroupMember
    public let member: GroupMember
    public let withMessages: Bool
    /// What is known of its signature; nil if it is not signed.
    public var signature: SignatureStatus?

    public var fields: JSONObject {
        var fields: JSONObject = [
            "user": profile.json, "groupInfo": group.json, "byMember": byMember.json, "deletedMember": member.json,
            "withMessages": .bool(withMessages),
        ]
        fields.set("msgSigned", signature?.rawValue)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            byMember: try fields.required("byMember"), member: try fields.required("deletedMember"),
            withMessages: try fields.bool("withMessages"),
            signature: try fields.optionalWord("msgSigned", SignatureStatus.init(rawValue:)))
    }

    public var trace: EventText { "a member was removed from \(Chat.group(group))" }
}

/// A group that the user was removed from.
public struct UserRemovedEvent: GroupChatEvent {
    public static let type = "deletedMemberUser"

    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    public let withMessages: Bool
    /// What is known of its signature; nil if it is not signed.
    public var signature: SignatureStatus?

    public var fields: JSONObject {
        var fields: JSONObject = [
            "user": profile.json, "groupInfo": group.json, "member": member.json, "withMessages": .bool(withMessages),
        ]
        fields.set("msgSigned", signature?.rawValue)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            member: try fields.required("member"), withMessages: try fields.bool("withMessages"),
            signature: try fields.optionalWord("msgSigned", SignatureStatus.init(rawValue:)))
    }

    public var trace: EventText { "removed from \(Chat.group(group))" }
}

/// A member that left.
public struct MemberLeftEvent: GroupChatEvent {
    public static let type = "leftMember"

    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    /// What is known of its signature; nil if it is not signed.
    public var signature: SignatureStatus?

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "groupInfo": group.json, "member": member.json]
        fields.set("msgSigned", signature?.rawValue)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            member: try fields.required("member"),
            signature: try fields.optionalWord("msgSigned", SignatureStatus.init(rawValue:)))
    }

    public var trace: EventText { "a member left \(Chat.group(group))" }
}

/// A group that its owner deleted.
public struct GroupDeletedEvent: GroupChatEvent {
    public static let type = "groupDeleted"

    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    /// What is known of its signature; nil if it is not signed.
    public var signature: SignatureStatus?

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "groupInfo": group.json, "member": member.json]
        fields.set("msgSigned", signature?.rawValue)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            member: try fields.required("member"),
            signature: try fields.optionalWord("msgSigned", SignatureStatus.init(rawValue:)))
    }

    public var trace: EventText { "\(Chat.group(group)) was deleted" }
}

/// A group with another profile.
public struct GroupUpdatedEvent: GroupChatEvent {
    public static let type = "groupUpdated"

    public let profile: OwnProfile
    public let former: Group
    public let group: Group
    /// Who changed it; nil for the user.
    public let member: GroupMember?
    /// What is known of its signature; nil if it is not signed.
    public var signature: SignatureStatus?

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "fromGroup": former.json, "toGroup": group.json]
        fields.set("member_", member)
        fields.set("msgSigned", signature?.rawValue)
        return fields
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), former: try fields.required("fromGroup"),
            group: try fields.required("toGroup"), member: try fields.optional("member_"),
            signature: try fields.optionalWord("msgSigned", SignatureStatus.init(rawValue:)))
    }

    public var trace: EventText { "\(Chat.group(group)) has a new profile" }
}

/// A member with another profile.
public struct MemberUpdatedEvent: GroupChatEvent {
    public static let type = "groupMemberUpdated"

    public let profile: OwnProfile
    public let group: Group
    public let former: GroupMember
    public let member: GroupMember

    public var fields: JSONObject {
        ["user": profile.json, "groupInfo": group.json, "fromMember": former.json, "toMember": member.json]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            former: try fields.required("fromMember"), member: try fields.required("toMember"))
    }

    public var trace: EventText { "a member of \(Chat.group(group)) has a new profile" }
}

/// A member that wants to be a contact.
public struct ContactInvitationEvent: GroupChatEvent {
    public static let type = "newMemberContactReceivedInv"

    public let profile: OwnProfile
    public let contact: Contact
    public let group: Group
    public let member: GroupMember

    public var fields: JSONObject {
        ["user": profile.json, "contact": contact.json, "groupInfo": group.json, "member": member.json]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        Self(
            profile: try fields.required("user"), contact: try fields.required("contact"),
            group: try fields.required("groupInfo"), member: try fields.required("member"))
    }

    public var chat: Chat? { .direct(contact) }
    public var trace: EventText { "a member of \(Chat.group(group)) wants to be a contact" }
}

extension JSONFields {
    /// Takes a required role.
    mutating func groupRole(_ name: StaticText) throws(DecodeError) -> GroupRole {
        GroupRole(rawValue: try text(name))
    }
}

/// A queue of the connection with a member of a group that is being replaced.
public struct MemberQueueSwitchedEvent: GroupChatEvent {
    public static let type = "groupMemberSwitch"

    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    public let direction: QueueDirection
    public let phase: SwitchPhase
    public let condition: ConnectionCondition?

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json, "member": member.json,
            "switchProgress": QueueSwitch(direction: direction, phase: phase, condition: condition).json,
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        let progress = try QueueSwitch(in: &fields)
        return Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            member: try fields.required("member"), direction: progress.direction, phase: progress.phase,
            condition: progress.condition)
    }

    public var trace: EventText { "queue rotation with a member of \(Chat.group(group)) changed state" }
}

/// Ratchets of the user and of a member of a group that fit, or do not.
public struct MemberSynchronizedEvent: GroupChatEvent {
    public static let type = "groupMemberRatchetSync"

    public let profile: OwnProfile
    public let group: Group
    public let member: GroupMember
    public let state: RatchetSynchronization
    public let condition: ConnectionCondition?

    public var fields: JSONObject {
        [
            "user": profile.json, "groupInfo": group.json, "member": member.json,
            "ratchetSyncProgress": SynchronizationProgress(state: state, condition: condition).json,
        ]
    }

    public static func decode(_ fields: inout JSONFields) throws(DecodeError) -> Self {
        let progress = try SynchronizationProgress(in: &fields)
        return Self(
            profile: try fields.required("user"), group: try fields.required("groupInfo"),
            member: try fields.required("member"), state: progress.state, condition: progress.condition)
    }

    public var trace: EventText { "ratchet synchronisation with a member of \(Chat.group(group)) changed state" }
}
