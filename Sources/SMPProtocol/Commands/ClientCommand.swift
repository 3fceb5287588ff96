public import ByteCoding
public import CryptoCore

/// What a client asks of a relay. The cases are named after the tags of the protocol.
public enum ClientCommand: Hashable, Sendable {
    // By the recipient of a queue.

    /// Creates a queue; answered by IDS.
    case new(NewQueue)
    /// Subscribes this connection to a queue; answered by SOK, OK or the first message.
    case sub
    /// Sets the key of the sender.
    case key(AuthorizationKey)
    /// Replaces the recipient's keys (at least one).
    case rkey([AuthorizationKey])
    /// Creates or changes a link to the queue.
    case lset(linkID: EntityID, LinkBlobs)
    case ldel
    /// Creates notification credentials; answered by NID.
    case nkey(NotifierKeys)
    case ndel
    /// Asks for one message without subscribing.
    case get
    /// Acknowledges a message, which the relay then deletes.
    case ack(messageID: EntityID)
    /// Refuses further messages.
    case off
    case del
    /// Asks for the state of a queue; answered by INFO.
    case que
    /// Subscribes all queues of a service.
    case subs

    // By the sender, the holder of a link, a notifier.

    /// Sets the key of the sender, by the sender.
    case skey(AuthorizationKey)
    case send(MessageFlags, body: Bytes)
    case ping
    /// Secures the queue of an invitation link and asks for its blobs; answered by LNK.
    case lkey(AuthorizationKey)
    /// Asks for the blobs of a contact link; answered by LNK.
    case lget
    /// Subscribes to notifications.
    case nsub
    case nsubs

    // About proxying.

    /// Asks for a session with another relay; answered by PKEY.
    case prxy(ServerAddress, password: ServerPassword?)
    /// Forwards a command, from the client to the proxy; answered by PRES.
    case pfwd(version: UInt16, key: X25519.PublicKey, encrypted: Bytes)
    /// Forwards a command, from the proxy to the relay; answered by RRES.
    case rfwd(encrypted: Bytes)

    /// The tag in front of the parameters.
    public var tag: CommandTag {
        switch self {
        case .new: .new
        case .sub: .sub
        case .key: .key
        case .rkey: .rkey
        case .lset: .lset
        case .ldel: .ldel
        case .nkey: .nkey
        case .ndel: .ndel
        case .get: .get
        case .ack: .ack
        case .off: .off
        case .del: .del
        case .que: .que
        case .subs: .subs
        case .skey: .skey
        case .send: .send
        case .ping: .ping
        case .lkey: .lkey
        case .lget: .lget
        case .nsub: .nsub
        case .nsubs: .nsubs
        case .prxy: .prxy
        case .pfwd: .pfwd
        case .rfwd: .rfwd
        }
    }
}

/// The tags of client commands and what they require of a transmission.
public enum CommandTag: String, CaseIterable, Sendable {
    case new = "NEW"
    case sub = "SUB"
    case key = "KEY"
    case rkey = "RKEY"
    case lset = "LSET"
    case ldel = "LDEL"
    case nkey = "NKEY"
    case ndel = "NDEL"
    case get = "GET"
    case ack = "ACK"
    case off = "OFF"
    case del = "DEL"
    case que = "QUE"
    case subs = "SUBS"
    case skey = "SKEY"
    case send = "SEND"
    case ping = "PING"
    case lkey = "LKEY"
    case lget = "LGET"
    case nsub = "NSUB"
    case nsubs = "NSUBS"
    case prxy = "PRXY"
    case pfwd = "PFWD"
    case rfwd = "RFWD"

    /// The first version that has the command. Commands without parameters can be read in any version.
    public var firstVersion: UInt16 {
        switch self {
        case .prxy, .pfwd, .rfwd: SMP.proxying
        case .skey: SMP.senderKeys
        case .rkey, .lset, .ldel, .lkey, .lget: SMP.shortLinks
        case .subs, .nsubs: SMP.serviceCertificates
        case .new, .sub, .key, .nkey, .ndel, .get, .ack, .off, .del, .que, .send, .ping, .nsub: SMP.versions.min
        }
    }

    /// Checks that authorization and entity id are there, or are not, as the command requires.
    ///
    /// A relay makes this check before it looks at the authorization itself.
    public func checkCredentials(isAuthorized: Bool, hasEntity: Bool) throws(CommandError) {
        switch self {
        case .new:
            guard isAuthorized else { throw .noAuthorization }
            guard !hasEntity else { throw .hasAuthorization }
        case .send:
            guard hasEntity else { throw .noEntity }
        case .lget, .pfwd:
            guard hasEntity else { throw .noEntity }
            guard !isAuthorized else { throw .hasAuthorization }
        case .ping, .prxy, .rfwd:
            guard !isAuthorized, !hasEntity else { throw .hasAuthorization }
        default:
            guard isAuthorized, hasEntity else { throw .noAuthorization }
        }
    }
}
