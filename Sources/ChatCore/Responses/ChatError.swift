public import AgentProtocol
public import ChatProtocol
public import SMPProtocol

/// Why a command was not carried out.
public enum ChatError: Error, Hashable, Sendable {
    // The command or what it names.

    /// There is no profile yet.
    case noActiveProfile
    case profileNotFound(ProfileID)
    /// A profile or a contact has this name.
    case nameTaken(String)
    /// A name that no profile can have, and perhaps one that it could.
    case invalidName(String, suggestion: String?)
    case invalidProfile
    case contactNotFound(ContactID)
    case contactNotFoundByName(String)
    /// No contact to whom a message is addressed has this name.
    case recipientNotFound(String)
    case groupNotFound(GroupID)
    case notesNotFound(NoteFolderID)
    case itemNotFound(ChatItemID)
    /// No message of the chat begins with this.
    case itemNotFoundByText(String)
    case connectionNotFound(ConnectionID)
    /// The text is no link.
    case invalidLink
    /// A link of a kind that cannot be joined here.
    case unsupportedLink
    /// The link is an invitation or the address of this profile.
    case ownLink
    /// The link is to be used incognito, and was used with the profile itself already.
    case joinedOpenly
    /// Something about connecting is not allowed, or not possible.
    case connecting(ConnectingObstacle)
    /// A registered name does not lead where it should.
    case name(NameObstacle, SimplexName)
    /// What is behind a short link is damaged, or was not put there by whoever made the link.
    case badLink
    /// The profile has no address.
    case noAddress
    /// The profile has an address already.
    case addressExists
    case requestNotFound(RequestID)
    case requestNotFoundByName(String)
    /// The profile has no server for new queues.
    case noServer
    /// Another profile of the store is a chat relay.
    case chatRelayExists
    /// The servers of the profile are those of operators whose conditions nobody accepted.
    case conditionsNotAccepted
    /// Another server of the profile has this host and port.
    case serverExists(ServerAddress)
    case serverNotFound(ServerID)
    /// A server that came with the program can be neither removed nor changed.
    case presetServer(ServerAddress)
    /// The handshake is not far enough for messages.
    case contactNotReady(String)
    /// The contact deleted this side, or the connection is lost.
    case contactNotActive(String)
    case emptyMessage
    /// A program of the user does not allow it, and ended like this.
    case vetoed(String)
    /// The connection with a contact is not in a state in which this can be done.
    case notPossible(CareAction, String)
    /// Something cannot be done with an entry.
    case notChangeable(ChatItemID, ChangeObstacle, ItemAction)
    /// A command asks for what is not supported.
    case unsupported(UnsupportedRequest)
    /// This side has blocked the contact.
    case contactBlocked(String)
    /// Messages to the contact cannot be made to disappear: one of the two sides does not allow it.
    case timersOff(String)
    /// A command names a profile that does not exist, as if it were the active one.
    case differentProfile(ProfileID, active: ProfileID)
    /// Another tag of the profile has this text or emoji.
    case tagTaken(String)
    case cursorNotFound(String)
    /// The cursor goes through another conversation, or through all.
    case cursorElsewhere(String)
    /// No call of this contact waits for an answer.
    case noCall(String)
    /// There is one call at a time, and it is with this contact.
    case callActive(String)
    /// The newest call with this contact is not at the stage that the command continues.
    case callStage(CallStage, String)
    /// The profile is the active one, and another one is there that could be.
    case profileActive(ProfileID, String)
    /// A profile cannot be hidden, shown or heard as it is asked for.
    case profilePrivacy(ProfileID, PrivacyObstacle)
    /// One of the two sides does not allow what would be sent.
    case notAllowed(Preferences.Feature, String)
    case messageTooLarge(size: Int, limit: Int)
    /// Something is not done in a group.
    case inGroup(GroupObstacle)
    /// Something is not done with a file.
    case file(FileObstacle)
    /// Something about who is in a group is not done.
    case membership(MembershipObstacle)
    /// Something is not done with a channel or a chat relay.
    case channel(ChannelObstacle)
    /// The text of a command that is none.
    case commandSyntax
    /// A command of the official core that this program does not carry out.
    case commandNotSupported
    /// The chat must be stopped first.
    case notStopped
    /// Another store stands in the place of the one that is open: the program must be started again.
    case storeChanged
    /// A key does not fit the store.
    case storeKey(StoreKeyProblem)
    /// The store was opened for reading.
    case readOnly
    /// The store was exported in order to go on elsewhere.
    case frozen(ExportMark)

    /// The other side speaks versions that this program does not.
    case incompatibleLink

    // What is below.

    /// A relay could not be used, or refused.
    case relay(RelayObstacle)
    case database(DatabaseProblem)
    /// The process that has the store open, and should have carried out the command.
    case holder(HolderProblem)
    /// A mistake of this program.
    case `internal`
}

extension ChatError {
    /// The chat is not there, or is of a profile that the caller does not know of.
    static func chatNotFound(_ reference: ChatReference) -> ChatError {
        switch reference {
        case .direct(let id): .contactNotFound(id)
        case .group(let id): .groupNotFound(id)
        case .notes(let id): .notesNotFound(id)
        }
    }
}

/// Why something about connecting is not done.
public enum ConnectingObstacle: String, CaseIterable, Hashable, Sendable {
    /// The contact was not prepared from a link.
    case notPrepared = "contact doesn't have link to connect"
    /// The connection with the prepared contact was begun.
    case begun = "contact already has connection"
    /// The short link of the address shows the profile already.
    case shownProfile = "incognito not allowed for address with short link data"
    /// The link leads to a group or a business.
    case group = "groups are not supported"
    /// The invitation was used, or is incognito or not already.
    case incognitoChange = "connectionIncognitoChangeProhibited"
    /// The invitation was used.
    case profileChange = "connectionUserChangeProhibited"
    /// The link or name is not known here, and relays are not to be asked.
    case notResolved = "notResolvedLocally"
    /// The address has no short link, to which a name could lead.
    case noShortLink = "create the address short link and add it to name"
}

/// Why a registered name is not used. The raw values are those of the reference implementation.
public enum NameObstacle: String, CaseIterable, Hashable, Sendable {
    /// It leads to no link of its kind, or to another one.
    case noLink = "noValidLink"
    /// The profile behind the link does not claim it.
    case unclaimed = "unknownDomain"
}

/// Why an entry cannot be changed, taken back, reacted to or dropped.
public enum ChangeObstacle: String, CaseIterable, Hashable, Sendable {
    /// It is no message, or the other side does not know it.
    case noMessage
    case notOwn
    case tooOld
    case forwarded
    case deleted
    /// It never reached anybody.
    case unsent
    /// It is still in the outbox.
    case queued
    case notQueued
    /// The other side does not want it.
    case notAllowed = "feature not allowed Message reactions"
    case tooMany = "too many reactions"
    case alreadyAdded = "reaction already added"
    case alreadyRemoved = "reaction already removed"
}

/// Something that is done with an entry.
public enum ItemAction: String, CaseIterable, Hashable, Sendable {
    case edit, delete, quote, forward, react, drop
}

/// What a command asks for and this program does not do, in the words of the reference implementation.
public enum UnsupportedRequest: String, CaseIterable, Hashable, Sendable {
    /// A message that is being written stands alone in its command.
    case liveTogether = "invalid multi send: live and more than one quote not supported"
    case quoteInNotes = "createNoteFolderContentItems: quotes not supported"
}

/// Why a profile cannot be hidden, shown or heard. The raw values are those of the reference implementation.
public enum PrivacyObstacle: String, CaseIterable, Hashable, Sendable {
    /// There is no other that is not hidden.
    case lastVisible = "cantHideLastUser"
    case emptyPassword = "emptyUserPassword"
    case alreadyHidden = "userAlreadyHidden"
    case notHidden = "userNotHidden"
    case alwaysMuted = "hiddenUserAlwaysMuted"
}

/// Something that is done for a connection.
public enum CareAction: String, CaseIterable, Hashable, Sendable {
    case switchQueue = "switch"
    case abortSwitch = "abort switch"
    case synchronize = "sync"
}

/// What is wrong with the process that has the store open.
public enum HolderProblem: String, CaseIterable, Hashable, Sendable {
    /// It ended, or nobody is there.
    case ended
    /// It does not answer.
    case silent
    /// It is of another version of this program.
    case otherVersion
}

/// What is wrong with a database.
public enum StoreKeyProblem: String, CaseIterable, Hashable, Sendable {
    /// There is a key, and the store is in clear.
    case notEncrypted = "errorPlaintext"
    /// There is no key, and the store is encrypted.
    case encrypted = "errorEncrypted"
    /// The key does not open the store.
    case wrong = "errorOpen"
}

public enum DatabaseProblem: String, CaseIterable, Hashable, Sendable {
    /// Another process does not let go of it.
    case busy
    case diskFull
    case disk
    case damaged
    case cannotOpen
    /// It is encrypted with another key.
    case wrongKey
    /// It is encrypted, and there was no key.
    case keyMissing
    /// There is not enough memory.
    case memory
    /// It is from a newer version of this program.
    case newer
    /// It is from an older version, or was not made completely: a command that writes to it must come first.
    case older
    /// It is from another program, or a version that never was.
    case foreign
}
