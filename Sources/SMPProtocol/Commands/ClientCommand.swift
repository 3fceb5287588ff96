public import ByteCoding
public import CryptoCore

/// A command of a client to a relay, named after its tag (smp-agent.md 5.1 to 5.4).
public enum ClientCommand: Hashable, Sendable {
    // Commands of the recipient of a queue.

    /// Creates a queue. The response is IDS.
    case new(NewQueue)
    /// Subscribes this connection to a queue. The response is SOK, OK or the first message.
    case sub
    /// Sets the key of the sender.
    case key(AuthorizationKey)
    /// Replaces the recipient's keys with one or more new keys.
    case rkey([AuthorizationKey])
    /// Creates or changes the link of the queue.
    case lset(linkID: EntityID, LinkBlobs)
    /// Deletes the link of the queue.
    case ldel
    /// Creates notification credentials. The response is NID.
    case nkey(NotifierKeys)
    /// Deletes the notification credentials.
    case ndel
    /// Requests one message without subscribing.
    case get
    /// Acknowledges a message, which the relay then deletes.
    case ack(messageID: EntityID)
    /// Suspends the queue: the relay rejects further messages.
    case off
    /// Deletes the queue.
    case del
    /// Requests the state of the queue. The response is INFO.
    case que
    /// Subscribes to all queues of a service. The service's own list of its queues is nil below version 19. The response
    /// is SOKS.
    case subs(ServiceQueues?)

    // Commands of the sender, the holder of a link, or a notifier.

    /// Secures the queue with the sender's key.
    case skey(AuthorizationKey)
    /// Sends a message.
    case send(MessageFlags, body: Bytes)
    /// Keeps the connection open. The response is PONG.
    case ping
    /// Secures the queue of an invitation link and requests its blobs. The response is LNK.
    case lkey(AuthorizationKey)
    /// Requests the blobs of a contact link. The response is LNK.
    case lget
    /// Subscribes to the notifications of a queue.
    case nsub
    /// Subscribes to the notifications of all queues of a service. The service's own list of its notifiers is nil below
    /// version 19. The response is SOKS.
    case nsubs(ServiceQueues?)
    /// Requests the record of a name. The response is RNAME.
    case rslv(SimplexDomain)

    // Commands for proxying.

    /// Requests a session with another relay. The response is PKEY.
    case prxy(ServerAddress, password: ServerPassword?)
    /// Forwards a command from the client to the proxy. The response is PRES.
    case pfwd(version: UInt16, key: X25519.PublicKey, encrypted: Bytes)
    /// Forwards a command from the proxy to the relay. The response is RRES.
    case rfwd(encrypted: Bytes)

    /// The tag before the parameters.
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
        case .rslv: .rslv
        case .prxy: .prxy
        case .pfwd: .pfwd
        case .rfwd: .rfwd
        }
    }
}

/// The tags of ``ClientCommand`` and their rules for transmissions (smp-agent.md 4.5).
public enum CommandTag: String, CaseIterable, Sendable {
    /// Creates a queue.
    case new = "NEW"
    /// Subscribes this connection to a queue.
    case sub = "SUB"
    /// Sets the key of the sender.
    case key = "KEY"
    /// Replaces the recipient's keys with one or more new keys.
    case rkey = "RKEY"
    /// Creates or changes the link of the queue.
    case lset = "LSET"
    /// Deletes the link of the queue.
    case ldel = "LDEL"
    /// Creates notification credentials.
    case nkey = "NKEY"
    /// Deletes the notification credentials.
    case ndel = "NDEL"
    /// Requests one message without subscribing.
    case get = "GET"
    /// Acknowledges a message, which the relay then deletes.
    case ack = "ACK"
    /// Suspends the queue: the relay rejects further messages.
    case off = "OFF"
    /// Deletes the queue.
    case del = "DEL"
    /// Requests the state of the queue.
    case que = "QUE"
    /// Subscribes to all queues of a service.
    case subs = "SUBS"
    /// Secures the queue with the sender's key.
    case skey = "SKEY"
    /// Sends a message.
    case send = "SEND"
    /// Keeps the connection open.
    case ping = "PING"
    /// Secures the queue of an invitation link and requests its blobs.
    case lkey = "LKEY"
    /// Requests the blobs of a contact link.
    case lget = "LGET"
    /// Subscribes to the notifications of a queue.
    case nsub = "NSUB"
    /// Subscribes to the notifications of all queues of a service.
    case nsubs = "NSUBS"
    /// Requests the record of a name.
    case rslv = "RSLV"
    /// Requests a session with another relay.
    case prxy = "PRXY"
    /// Forwards a command from the client to the proxy.
    case pfwd = "PFWD"
    /// Forwards a command from the proxy to the relay.
    case rfwd = "RFWD"

    /// The first version that has the command. Commands without parameters are read in all versions.
    public var firstVersion: UInt16 {
        switch self {
        case .prxy, .pfwd, .rfwd: SMP.proxying
        case .skey: SMP.senderKeys
        case .rkey, .lset, .ldel, .lkey, .lget: SMP.shortLinks
        case .subs, .nsubs: SMP.serviceCertificates
        case .rslv: SMP.names
        case .new, .sub, .key, .nkey, .ndel, .get, .ack, .off, .del, .que, .send, .ping, .nsub: SMP.versions.min
        }
    }

    /// The role of the services that may send the command; nil for all.
    public var serviceRole: ServiceHello.Role? {
        switch self {
        case .ping: nil
        case .nsub, .nsubs: .notifier
        case .rfwd: .proxy
        case .new, .sub, .subs, .key, .rkey, .lset, .ldel, .nkey, .ndel, .get, .ack, .off, .del, .que, .skey, .send,
            .lkey, .lget, .rslv, .prxy, .pfwd:
            .messaging
        }
    }

    /// True if the command associates a queue with the service of its session, which signs it too.
    public var associatesService: Bool {
        switch self {
        case .new, .sub, .nsub: true
        default: false
        }
    }

    /// Checks that the transmission has the authorization and entity id that the command requires, and no other.
    ///
    /// A relay makes this check before it verifies the authorization.
    ///
    /// - Throws: The ``CommandError`` of the response.
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
        case .ping, .prxy, .rfwd, .rslv:
            guard !isAuthorized, !hasEntity else { throw .hasAuthorization }
        default:
            guard isAuthorized, hasEntity else { throw .noAuthorization }
        }
    }
}

extension ClientCommand {
    /// Returns the command in the form of this session version. Fields that the version lacks are left out.
    public func encoded(version: UInt16) -> Bytes {
        var writer = ByteWriter()
        writer.ascii(tag.rawValue)
        if hasParameters(version: version) {
            writer.character(" ")
            encodeParameters(into: &writer, version: version)
        }
        return writer.bytes
    }

    private func hasParameters(version: UInt16) -> Bool {
        switch self {
        case .sub, .ldel, .ndel, .get, .off, .del, .que, .ping, .lget, .nsub: false
        case .subs, .nsubs: version >= SMP.messagingServices
        default: true
        }
    }

    private func encodeParameters(into writer: inout ByteWriter, version: UInt16) {
        switch self {
        case .new(let queue): queue.encode(into: &writer, version: version)
        case .key(let key), .skey(let key), .lkey(let key): writer.value(key)
        case .rkey(let keys): writer.list(keys)
        case .lset(let linkID, let blobs):
            writer.value(linkID)
            writer.value(blobs)
        case .nkey(let keys): writer.value(keys)
        case .ack(let messageID): writer.value(messageID)
        case .send(let flags, let body):
            flags.encode(into: &writer)
            writer.raw(body)
        case .prxy(let address, let password):
            writer.value(address)
            writer.optional(password)
        case .pfwd(let version, let key, let encrypted):
            writer.uint16(version)
            writer.value(key)
            writer.raw(encrypted)
        case .rfwd(let encrypted): writer.raw(encrypted)
        case .subs(let queues), .nsubs(let queues): writer.value(queues ?? .none)
        case .rslv(let domain): writer.ascii(domain.description)
        case .sub, .ldel, .ndel, .get, .off, .del, .que, .ping, .lget, .nsub: break
        }
    }

    /// Reads a command of a session of this version.
    ///
    /// - Throws: ``CommandError/unknown`` for an unknown tag, ``CommandError/syntax`` for invalid or excess parameters.
    public init(decoding bytes: Bytes, version: UInt16) throws(CommandError) {
        guard let (tag, parameters) = TaggedBytes.split(bytes, CommandTag.self) else { throw .unknown }
        do throws(DecodeError) {
            self = try ClientCommand.decode(tag, parameters, version: version)
        } catch {
            throw .syntax
        }
    }

    private static func decode(
        _ tag: CommandTag, _ parameters: Bytes?, version: UInt16
    ) throws(DecodeError) -> ClientCommand {
        if let command = withoutParameters(tag, version: version) {
            guard parameters == nil else { throw .trailing }
            return command
        }
        guard let parameters else { throw .truncated }
        var reader = ByteReader(parameters)
        let command: ClientCommand
        switch tag {
        case .new: command = .new(try NewQueue(from: &reader, version: version))
        case .key: command = .key(try reader.value())
        case .skey: command = .skey(try reader.value())
        case .lkey: command = .lkey(try reader.value())
        case .rkey: command = .rkey(try reader.nonEmptyList())
        case .lset: command = .lset(linkID: try reader.value(), try reader.value())
        case .nkey: command = .nkey(try reader.value())
        case .ack: command = .ack(messageID: try reader.value())
        case .send: command = .send(try MessageFlags.read(from: &reader), body: reader.rest())
        case .prxy: command = .prxy(try reader.value(), password: try reader.optional())
        case .pfwd:
            command = .pfwd(version: try reader.uint16(), key: try reader.value(), encrypted: reader.rest())
        case .rfwd: command = .rfwd(encrypted: reader.rest())
        case .subs: command = .subs(try reader.value())
        case .nsubs: command = .nsubs(try reader.value())
        case .rslv:
            guard let text = String(validating: reader.rest(), as: UTF8.self) else { throw .invalid("domain") }
            command = .rslv(try SimplexDomain(text: text))
        default: throw .invalid("command")
        }
        try reader.finish()
        return command
    }

    private static func withoutParameters(_ tag: CommandTag, version: UInt16) -> ClientCommand? {
        switch tag {
        case .sub: .sub
        case .ldel: .ldel
        case .ndel: .ndel
        case .get: .get
        case .off: .off
        case .del: .del
        case .que: .que
        case .subs where version < SMP.messagingServices: .subs(nil)
        case .ping: .ping
        case .lget: .lget
        case .nsub: .nsub
        case .nsubs where version < SMP.messagingServices: .nsubs(nil)
        default: nil
        }
    }
}

/// A parser of a tag up to the first space and the bytes behind the space.
public enum TaggedBytes {
    /// Returns nil for an unknown tag. The parameters are nil if there is no space.
    public static func split<Tag: RawRepresentable<String>>(_ bytes: Bytes, _ type: Tag.Type) -> (Tag, Bytes?)? {
        let space = bytes.firstIndex(of: UInt8(ascii: " "))
        let name = String(decoding: bytes[..<(space ?? bytes.endIndex)], as: UTF8.self)
        guard let tag = Tag(rawValue: name) else { return nil }
        return (tag, space.map { Bytes(bytes[($0 + 1)...]) })
    }
}
