/// Why something is not done with a channel or a chat relay. The raw values are messages of a `commandError`, where they can be
/// in the words of the reference implementation.
public enum ChannelObstacle: String, CaseIterable, Hashable, Sendable {
    /// The link is the address of a chat relay, which serves channels only.
    case relayAddress = "chat relay links are not supported in this version"
    /// Two chat relays of a profile have one address.
    case repeatedRelay = "duplicate chat relay address"
    /// A chat relay that came with the program can be neither removed nor changed.
    case presetRelay = "preset chat relay"
    /// The profile does not list such a chat relay.
    case unknownRelay = "chat relay not found"
    /// The group is no channel.
    case noChannel = "group does not use relays"
    /// The channel has one of the relays already.
    case relaysPresent = "some relays are already in the group"
    /// What an address shows is no chat relay.
    case noRelayAddress = "no relay address link data"
    /// A chat relay did not answer a test.
    case testTimeout = "timeout"
    /// The connection with a chat relay could not be made, or it answered with something else.
    case testFailed = "unexpected message type"
    /// A chat relay answered without the key of its address.
    case testSignature = "invalid signature"
    /// Members come through the link of a channel.
    case invitation = "can't invite contact to channel"
    /// A card is asked of something else than a group.
    case sharing = "sharing is only supported for public groups"
    /// A card is asked of a group without a public link.
    case noPublicGroup = "not a public group"
    /// The profile of a contact claims no name.
    case noContactName = "contact has no name to verify"
    /// The profile of a channel claims no name.
    case noChannelName = "group has no name to verify"
    /// A channel keeps its link.
    case link = "channel has a link"
    /// Only the owner of a channel has its keys.
    case notOwner = "not the owner of the channel"
    /// More members have a role than a roster can list.
    case rosterFull = "too many members with roles"
}
