/// Why something that a member sent changes nothing (chat.md 4.1). It is written to the log.
///
/// SECURITY: a reason names no member and no text, because others choose both.
package enum GroupRefusal: String, Error, Hashable, CaseIterable, Sendable {
    case malformed = "a message of a member is malformed"
    case gone = "the author is not in the group"
    case role = "the role of the author is too low"
    case category = "the author has no such part in the group"
    case blocked = "the author is blocked"
    case unknownMember = "a member is unknown"
    case subject = "an event names a member that it cannot be about"
    case inviter = "an event names a member that its author did not invite"
    case unchangeable = "the message cannot be changed"
    case scope = "an event names another conversation than its message"
    case featureOff = "the feature is off in the group"
    case forwarder = "a message was forwarded by a member that is not an admin"
    case ownName = "a message was forwarded in the name of the user"
    case ownCopy = "a message of the user came back"
    case unexpectedForwarder = "a message was forwarded by an admin that brought neither its author nor the user"
    case noChannel = "an event of channels came to a group without relays"
    case channelPost = "a post of a channel came to a group without relays"
    case unverifiedChange = "a change of a signed message is not verified"
    case signature = "the signature of a message is wrong"
    case forwardedEvent = "an event of this kind is not forwarded"
    case connected = "an event was forwarded in the name of a connected member"
    case unexpected = "members do not send events of this kind as messages"
    case tooManyMembers = "the group has too many members"
    /// The user left, or is not in the group yet.
    case notMember = "the user is not in the group"
    /// A member is told of twice, which happens where two ways lead to the user.
    case knownMember = "a member is known already"

    /// False if it happens among honest members, so that the log does not name it.
    package var isReported: Bool {
        self != .notMember && self != .knownMember && self != .noChannel && self != .ownCopy
    }
}
