public import AgentProtocol
public import ChatProtocol
public import SMPProtocol

/// Something that a face asks of the core. Every command is answered by one ``ChatResponse`` or ``ChatError``.
///
/// A command has a text form (``ChatCommand/text``), which is the boundary to other programs. Commands that begin with `/_`
/// name things by number; the others are for people and name them by name. Where the official core has a command for the
/// same thing, text and answer are as there.
public enum ChatCommand: Hashable, Sendable {
    // Profiles.

    /// `/user`; answered by ``ChatResponse/activeProfile(_:)``.
    case showActiveProfile
    /// `/users`
    case listProfiles
    /// `/_create user {"profile":{...}}`. It becomes the active one.
    case createProfile(Profile)
    /// `/_user 1`
    case activateProfile(ProfileID)

    // Servers.

    /// `/_servers 1`, `/smp`; answered by ``ChatResponse/servers(_:_:)``.
    case listServers(ProfileID?)
    /// `/_servers 1 smp://...;smp://...`: the servers of one's own, in place of all others. `/servers smp://...`: those of
    /// the first profile, as long as there is none.
    case setServers(ProfileID?, [ConfiguredServer])
    /// `/_servers 1 [{"smpServers":[...]}]`: changes to some servers; those without an id are added.
    case updateServers(ProfileID, [ProfileServer])
    /// `/_server test 1 smp://...`, `/smp test smp://...`: makes a queue there and deletes it.
    case testServer(ProfileID?, ConfiguredServer)
    /// `/_operators`
    case listOperators
    /// `/_operators [{...}]`: whether and for what the relays of operators are used.
    case updateOperators([ServerOperator])
    /// `/_conditions`
    case showConditions
    /// `/_accept_conditions 1 1,2`: the conditions by number, and the operators. Their relays are used from then on.
    case acceptConditions([ServerOperator.Tag])

    // Connecting. Without a number the active profile is meant.

    /// `/_connect 1 [as='NAME']`, `/connect`: makes a one-time invitation. Waits for a relay.
    case invite(ProfileID?, name: String?)
    /// `/_connect 1 [as='NAME'] LINK`, `/connect LINK`: joins. The wish is on disk when the answer comes; the relay is
    /// asked later.
    case connect(ProfileID?, link: String, name: String?)

    // Contacts and chats.

    /// `/_contacts 1`, `/contacts`
    case listContacts(ProfileID?)
    /// `/_info 1 @name`, `/info @name`
    case showContact(ProfileID?, name: String)
    /// `/_get chats 1 [pcc=on] [count=20]`, `/chats`: the conversations that were active last, with their newest entries.
    case listChats(ProfileID?, includesPending: Bool, count: Int?)
    /// `/_get chat @1 count=20`, `/tail @name 20`
    case showChat(ChatTarget, ItemRange)
    /// `/_get items 1 count=20`, `/tail 20`: entries of all conversations of a profile.
    case listItems(ProfileID?, ItemRange)
    /// `/_read chat @1`, `/read @name`
    case markRead(ChatTarget)
    /// `/_read chat items @1 7,8`
    case markItemsRead(ChatTarget, [ChatItemID])

    // Messages.

    /// `/_send @1 json [{"msgContent":{...}}]` or `/_send @1 text ...`, `@name ...`. On disk and in the outbox when the
    /// answer comes.
    case send(ChatTarget, [MessageContent])

    // The network. These have no counterpart in the official core, which never stops receiving.

    /// `/_fetch timeout=60 [idle=2]`: receives what waits, tries the outbox, and stops when nothing comes for that long.
    case fetch(timeout: Duration, idle: Duration)
    /// `/_wait item 12 timeout=30`: sends what waits before an own entry and the entry.
    case waitForItem(ChatItemID, timeout: Duration)
    /// `/_wait connection 5 joined|ready timeout=30`: sends what a connection waits for; with `ready`, receives too.
    case waitForConnection(ConnectionID, ConnectionStage, timeout: Duration)

    // The program.

    /// `/_status [1]`
    case status(ProfileID?)
    /// `/version`
    case version
}

extension ChatCommand {
    /// Whether a core that was opened for reading can carry it out.
    public var isReading: Bool {
        switch self {
        case .showActiveProfile, .listProfiles, .listServers, .testServer, .listOperators, .showConditions,
            .listContacts, .showContact, .listChats, .showChat, .listItems, .status, .version:
            true
        case .createProfile, .activateProfile, .setServers, .updateServers, .updateOperators, .acceptConditions,
            .invite, .connect, .markRead, .markItemsRead, .send, .fetch, .waitForItem, .waitForConnection:
            false
        }
    }
}

/// How far a connection has come, as far as somebody waits for it.
public enum ConnectionStage: String, Hashable, Sendable {
    /// The relay of the other side has our confirmation.
    case joined
    /// Both sides can send.
    case ready
}
