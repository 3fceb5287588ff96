public import ChatProtocol

/// Something that happened in a group, as an entry of its conversation. The author of the entry is the member that did it.
public enum GroupNotice: Hashable, Sendable {
    /// The member that something was done with.
    public struct Subject: Hashable, Sendable {
        public let id: GroupMemberID
        /// What the member said about itself then.
        public let profile: Profile

        public init(id: GroupMemberID, profile: Profile) {
            self.id = id
            self.profile = profile
        }
    }

    case memberAdded(Subject)
    case memberConnected
    /// A moderator let a member in.
    case memberAccepted(Subject)
    /// A moderator let the user in.
    case userAccepted
    case memberLeft
    case memberRole(Subject, GroupRole)
    /// A moderator blocked a member for all, or unblocked it.
    case memberBlocked(Subject, Bool)
    case userRole(GroupRole)
    case memberRemoved(Subject)
    case userRemoved
    case groupDeleted
    case groupUpdated(GroupProfile)
    /// The member came through the group link of the user.
    case joinedByLink
    /// The member made a contact of the user.
    case memberCreatedContact
    case memberUpdated(from: Profile, to: Profile)
    /// The member waits for the moderators.
    case memberPending
    case userLeft
    /// The user waits for the moderators.
    case userPending
    /// A message of the member had a wrong signature, and was refused.
    case badSignature
}

extension GroupNotice.Subject {
    init(_ member: GroupMember) {
        self.init(id: member.id, profile: member.profile)
    }
}

/// An invitation to a group, as an entry of a conversation with a contact.
public struct GroupInvitationNotice: Hashable, Sendable {
    public enum Status: String, CaseIterable, Sendable {
        case pending
        case accepted
        case rejected
        case expired
    }

    public let groupID: GroupID
    /// The invited member.
    public let memberID: GroupMemberID
    /// The local name of the group, or of the invited member where the user invited it.
    public let name: String
    public let profile: GroupProfile
    public var status: Status
    public let role: GroupRole

    public init(
        groupID: GroupID, memberID: GroupMemberID, name: String, profile: GroupProfile, status: Status, role: GroupRole
    ) {
        self.groupID = groupID
        self.memberID = memberID
        self.name = name
        self.profile = profile
        self.status = status
        self.role = role
    }
}
