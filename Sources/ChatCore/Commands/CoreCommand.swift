public import AgentProtocol
public import ByteCoding
public import ChatProtocol
public import SMPProtocol

/// Something that a face asks of the core. Every command is answered by one ``CoreResponse`` or ``ChatError``.
///
/// A command has a text form (``CoreCommand/text``), which is the boundary to other programs. Commands that begin with `/_`
/// name things by number; the others are for people and name them by name. Where the official core has a command for the
/// same thing, text and answer are as there.
public enum CoreCommand: Hashable, Sendable {
    // Profiles.

    /// `/user`; answered by ``CoreResponse/activeProfile(_:)``.
    case showActiveProfile
    /// `/users`
    case listProfiles
    /// `/_create user {"profile":{...}}`. It becomes the active one.
    case createProfile(Profile)
    /// `/_user 1`
    case activateProfile(ProfileID)
    /// `/_mute user 1`, `/_unmute user 1`
    case muteProfile(ProfileID, Bool)
    /// `/_hide user 1 "PASSWORD"`: it is there only for who knows the password from then on. Not the active one.
    case hideProfile(ProfileID, password: String)
    /// `/_unhide user 1 "PASSWORD"`
    case unhideProfile(ProfileID, password: String)
    /// `/_open user ["NAME","PASSWORD"]`: the hidden profile, for ``LocalCore/withOpened(_:_:)``; none if one of the two is wrong.
    case openProfile(name: String, password: String)
    /// `/_delete user 1 del_smp=on`: with all that belongs to it. Waits for a relay.
    case deleteProfile(ProfileID)
    /// `/_profile 1 {...}`: what a profile says about its owner. Contacts are told, and what own links show follows.
    case updateProfile(ProfileID, Profile)
    /// `/p NAME [TEXT]`, `/profile NAME [TEXT]`: the name and the words about the owner of the active profile.
    case describeProfile(name: String, text: String?)

    // Servers.

    /// `/_servers 1`, `/smp`; answered by ``CoreResponse/servers(_:_:)``.
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

    /// `/_connect 1 [incognito=on] [as='NAME']`, `/connect [incognito]`: makes a one-time invitation. Waits for a relay.
    /// Incognito, a profile is made up for this connection, and the other side never hears of the own one.
    case invite(ProfileID?, name: String?, isIncognito: Bool = false)
    /// `/_connect 1 [incognito=on] [as='NAME'] LINK`, `/connect [incognito] LINK`: joins. The wish is on disk when the
    /// answer comes; the relay is asked later.
    case connect(ProfileID?, link: String, name: String?, isIncognito: Bool = false)
    /// `/_connect plan 1 LINK`, `/connect plan LINK`: what connecting would mean. Waits for a relay if the link is short, and
    /// makes a short invitation usable for this profile only.
    case planConnection(ProfileID?, link: String)
    /// `/_invitations 1`, `/invitations`: connections that are with nobody yet.
    case listInvitations(ProfileID?)
    /// `/_delete :5`: gives up a connection that is with nobody yet.
    case deleteConnection(ConnectionID)

    // The address of a profile, and the requests that come to it.

    /// `/_address 1`, `/address`. Waits for a relay.
    case createAddress(ProfileID?)
    /// `/_show_address 1`, `/show_address`
    case showAddress(ProfileID?)
    /// `/_short_link_address 1`, `/short_link_address`: gives an address that has none a short link. Waits for a relay.
    case addShortLink(ProfileID?)
    /// `/_rotate_address 1`, `/rotate_address`: a new address in place of the old one. Waits for a relay.
    case rotateAddress(ProfileID?)
    /// `/_delete_address 1`, `/delete_address`
    case deleteAddress(ProfileID?)
    /// `/_address_settings 1 {"autoAccept":{...},"autoReply":{...}}`, `/auto_accept on [TEXT]`, `/auto_accept off`
    case setAddress(ProfileID?, AddressSettings)
    /// `/_requests 1`, `/requests`
    case listRequests(ProfileID?)
    /// `/_accept [incognito=on] 3`, `/accept [incognito] NAME`. It is on disk when the answer comes; the relay is asked later.
    case accept(RequestTarget, isIncognito: Bool = false)
    /// `/_reject 3`, `/reject NAME`
    case reject(RequestTarget)

    // Contacts and chats.

    /// `/_contacts 1`, `/contacts`
    case listContacts(ProfileID?)
    /// `/_info 1 @name`, `/info @name`
    case showContact(ProfileID?, name: String)
    /// `/_notes 1`, `/notes`: the conversation of a profile with itself, if there is one.
    case showNotes(ProfileID?)
    /// `/_open_notes 1`, `/open_notes`: the same, and makes it if there is none.
    case openNotes(ProfileID?)
    /// `/_get chats 1 [pcc=on] [count=20]`, `/chats`: the conversations that were active last, with their newest entries.
    case listChats(ProfileID?, includesPending: Bool, count: Int?)
    /// `/_get chat @1 count=20`, `/tail @name 20`
    case showChat(ChatTarget, ItemRange)
    /// `/_get items 1 count=20`, `/tail 20`: entries of all conversations of a profile.
    case listItems(ProfileID?, ItemRange)
    /// `/_rename @1 'NAME'`: the name of a contact here.
    case renameContact(ChatTarget, name: String)
    /// `/_settings @1 {"enableNtfs":"none"}`, `/mute @name`, `/unmute @name`
    case setMuted(ChatTarget, Bool)
    /// `/_block @1 on|off`: whether what comes from a contact is thrown away.
    case setBlocked(ChatTarget, Bool)
    /// `/_delete @1 full|entity|messages [notify=off]`. Waits for a relay.
    case deleteContact(ChatTarget, ContactDeletion, notifies: Bool)
    /// `/_get code @1`, `/code @name`
    case showCode(ChatTarget)
    /// `/_verify code @1 [DIGITS]`, `/verify @name [DIGITS]`: compares the code; without digits forgets that it was compared.
    case verify(ChatTarget, String?)
    /// `/_pq @1 on`, `/pq @name off`: post-quantum keys for a contact.
    case setPostQuantum(ChatTarget, Bool)
    /// `/_read chat @1`, `/read @name`
    case markRead(ChatTarget)
    /// `/_read chat items @1 7,8`
    case markItemsRead(ChatTarget, [ChatItemID])

    // The care of connections.

    /// `/_set receipts contacts 1 on|off [clear_overrides=on]`, `/set receipts contacts on|off`: whether contacts are told
    /// that their messages arrived. Settings of single contacts stay unless they are to be cleared.
    case setReceipts(ProfileID?, Bool, clearsContacts: Bool)
    /// `/set receipts all on|off`: the same for all profiles, with all of their contacts.
    case setAllReceipts(Bool)
    /// `/_receipts @1 on|off|default`, `/receipts @name on|off|default`
    case setContactReceipts(ChatTarget, Bool?)
    /// `/_switch @1`, `/switch @name`: begins to move the own queue to another relay.
    case switchQueue(ChatTarget)
    /// `/_abort switch @1`, `/abort switch @name`
    case abortSwitch(ChatTarget)
    /// `/_sync @1 [force=on]`, `/sync @name [force=on]`: asks for a new ratchet.
    case synchronize(ChatTarget, force: Bool)

    // Messages.

    /// `/_send @1 [once='KEY'] [ttl=60] [split=on] json [{"quotedItemId":7,"msgContent":{...}}]` or `/_send @1 text ...`,
    /// `@name ...`.
    /// On disk and in the outbox when the answer comes. With a key that was used within 30 days nothing is sent. All
    /// messages of a command have the same time to live, in seconds. With `split=on` texts that are too long are sent in parts.
    case send(ChatTarget, [ComposedMessage], once: String?)
    /// `/_forward @1 @2 7,8`: passes messages of the second conversation on in the first.
    case forward(to: ChatTarget, from: ChatTarget, [ChatItemID])
    /// `/_update item @1 7 json {"msgContent":{...},"mentions":{}}` or `text ...`: changes what an own message says.
    case editItem(ChatTarget, ChatItemID, MessageContent)
    /// `/_delete item @1 7,8 broadcast|internal`: takes messages back, or removes them here.
    case deleteItems(ChatTarget, [ChatItemID], DeletionMode)
    /// `/_reaction @1 7 on|off {"type":"emoji","emoji":"..."}`
    case react(ChatTarget, ChatItemID, Reaction, isAdded: Bool)
    /// `/_item 7`: one entry.
    case showItem(ChatItemID)
    /// `/_search 1 [@4] [after=12] [since=TIME] [until=TIME] [unread=on] [first|last=20] [WORDS]`: entries of a profile.
    case findItems(ProfileID?, ItemQuery)

    // Cursors: how far programs have read. The official core has none.

    /// `/_cursors 1`, `/cursors`
    case listCursors(ProfileID?)
    /// `/_cursor 1 'NAME' [@4] start|end|past 12|to 12|nowhere|failed 12`: puts a cursor somewhere; with a number,
    /// only one that goes through this conversation. `failed` leaves it where it is, and counts a failure.
    case moveCursor(ProfileID?, name: String, in: ContactID?, CursorMove)
    /// `/_delete_cursor 1 'NAME'`
    case deleteCursor(ProfileID?, name: String)

    // How long messages are kept.

    /// `/_ttl 1 [@4] 86400|none|default`, `/ttl [@name] day|week|month|year|none|default`: after how long messages are
    /// removed here, of a profile or of one conversation.
    case setRetention(ProfileID?, ChatTarget?, Retention)
    /// `/_get ttl 1`, `/get ttl`
    case showRetention(ProfileID?)
    /// `/_expiry @4 86400|none`: after how long own messages to a contact disappear unless they say something else. The
    /// official core has that in the preferences of contacts.
    case setExpiry(ChatTarget, Int64?)
    /// `/_purge 1 [@4] before=TIME [dry=on]`: removes messages that are older, or counts them. The official core has none.
    case purge(ProfileID?, in: ContactID?, before: Timestamp, isDry: Bool)

    // The outbox.

    /// `/_outbox 1`, `/outbox`
    case listOutbox(ProfileID?)
    /// `/_flush timeout=30`: tries everything in the outbox of all profiles once, without receiving.
    case flush(timeout: Duration)
    /// `/_drop item 7`: takes an own message out of the outbox and forgets it. The contact learns that one is missing.
    case dropItem(ChatItemID)

    // The network. These have no counterpart in the official core, which never stops receiving.

    /// `/_fetch timeout=60 [idle=2]`: receives what waits, tries the outbox, and stops when nothing comes for that long.
    case fetch(timeout: Duration, idle: Duration)
    /// `/_receive [timeout=60]`: receives, sends what is in the outbox, and tries again what fails, until time is up or the
    /// task is cancelled.
    case receive(timeout: Duration?)
    /// `/_deliver @1 timeout=30`: sends what waits for a contact.
    case deliver(ChatTarget, timeout: Duration)
    /// `/_wait item 12 timeout=30`: sends what waits before an own entry and the entry.
    case waitForItem(ChatItemID, timeout: Duration)
    /// `/_wait delivery 12 timeout=30`: sends an own entry and receives until the contact says that it has it.
    case waitForDelivery(ChatItemID, timeout: Duration)
    /// `/_wait connection 5 joined|ready timeout=30`: sends what a connection waits for; with `ready`, receives too.
    case waitForConnection(ConnectionID, ConnectionStage, timeout: Duration)

    /// Calls.
    case call(CallCommand)
    /// What sessions remember.
    case session(SessionCommand)

    // The program.

    /// `/_status [1]`
    case status(ProfileID?)
    /// `/version`
    case version
}

extension CoreCommand {
    /// Whether it speaks with relays although it only reads the store.
    public var usesNetwork: Bool {
        if case .testServer = self { true } else { false }
    }

    /// Whether a core that was opened for reading can carry it out.
    public var isReading: Bool {
        switch self {
        case .showActiveProfile, .listProfiles, .listServers, .testServer, .listOperators, .showConditions,
            .listContacts, .showContact, .showNotes, .listChats, .showChat, .listItems, .listInvitations, .showAddress,
            .listRequests, .status, .version, .openProfile, .showItem, .findItems, .listCursors, .listOutbox,
            .showRetention:
            true
        case .session(let command): command.isReading
        case .call(let command): command.isReading
        case .createProfile, .activateProfile, .updateProfile, .describeProfile, .addShortLink, .setServers,
            .updateServers, .updateOperators, .acceptConditions,
            .setPostQuantum, .openNotes, .invite, .connect, .markRead, .markItemsRead, .send, .fetch, .waitForItem,
            .waitForConnection, .planConnection, .deleteConnection, .createAddress, .rotateAddress, .deleteAddress,
            .setAddress, .accept, .reject, .waitForDelivery, .setReceipts, .setAllReceipts, .setContactReceipts,
            .switchQueue, .abortSwitch, .synchronize, .forward, .editItem, .deleteItems, .react, .moveCursor,
            .deleteCursor, .flush, .dropItem, .renameContact, .setMuted, .setBlocked, .deleteContact, .showCode,
            .verify, .setRetention, .setExpiry, .purge, .muteProfile, .hideProfile, .unhideProfile, .deleteProfile,
            .receive, .deliver:
            false
        }
    }
}

extension CoreCommand {
    /// Sends plain contents.
    public static func send(_ chat: ChatTarget, _ contents: [MessageContent]) -> CoreCommand {
        .send(chat, contents.map { ComposedMessage($0) }, once: nil)
    }
}
