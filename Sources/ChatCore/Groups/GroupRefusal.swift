/// Why something that a member sent changes nothing (chat.md 4.1). It is written to the log.
///
/// SECURITY: a reason names no member and no text, because others choose both.
enum GroupRefusal: String, Error, Hashable, CaseIterable {
    case malformed = "a message of a member is malformed"
    case gone = "the author is not in the group"
    case role = "the role of the author is too low"
    case blocked = "the author is blocked"
    case unknownMember = "a member is unknown"
    case unchangeable = "the message cannot be changed"
    case featureOff = "the feature is off in the group"
    case forwarder = "a message was forwarded by a member that is not an admin"
    case ownName = "a message was forwarded in the name of the user"
    case unexpectedForwarder = "a message was forwarded by an admin that brought neither its author nor the user"
    case channelPost = "a post of a channel came to a group without relays"
    case signature = "the signature of a message is wrong"
    case forwardedEvent = "an event of this kind is not forwarded"
}
