/// The permanent id of a relay of an own channel.
public struct GroupRelayID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// A relay of a channel that the user made.
public struct GroupRelay: Hashable, Sendable {
    public let id: GroupRelayID
    /// The relay as a member of the channel.
    public let memberID: GroupMemberID
    /// The chat relay that the user chose.
    public let relay: ChatRelay
    public let status: RelayStatus
    /// The short link of the relay for the channel; nil before it has accepted.
    public let link: String?
    /// The domain on which the relay shows channels.
    public let webDomain: String?

    init(
        _ id: GroupRelayID, _ memberID: GroupMemberID, _ relay: ChatRelay, _ status: RelayStatus, link: String? = nil,
        webDomain: String? = nil
    ) {
        self.id = id
        self.memberID = memberID
        self.relay = relay
        self.status = status
        self.link = link
        self.webDomain = webDomain
    }
}

/// What became of a relay that was to be added to a channel.
public struct AddedRelay: Hashable, Sendable {
    public let relay: ChatRelay
    /// Why it cannot be used; nil if it can.
    public let error: ChatError?

    init(_ relay: ChatRelay, _ error: ChatError?) {
        self.relay = relay
        self.error = error
    }
}
