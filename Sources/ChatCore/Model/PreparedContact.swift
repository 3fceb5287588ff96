public import ChatProtocol

/// The link of a contact that is shown before anything is sent to it, and the ids of what both sides may have before they are
/// connected.
public struct PreparedContact: Hashable, Sendable {
    /// The link to connect with.
    public let link: LinkText
    /// True for a one-time invitation, false for an address.
    public let isInvitation: Bool
    /// The id of the welcome message; nil if the link shows none.
    public let welcomeID: SharedMessageID?
    /// The id of the message in the request; nil if there is none yet.
    public var requestID: SharedMessageID?
    /// The last check of the name that the contact claims; nil if none was checked.
    public var name: NameCheck?
}
