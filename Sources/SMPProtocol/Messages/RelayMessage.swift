public import ByteCoding
public import CryptoCore
import JSONCoding

/// A message of a relay: a response to a command, or an event (smp-agent.md 5.5). The cases have the names of their
/// tags.
public enum RelayMessage: Hashable, Sendable {
    /// The ids of a new queue.
    case ids(QueueIDs)
    /// The records of a link, and the sender id of its queue.
    case lnk(senderID: EntityID, LinkBlobs)
    /// Confirms a subscription, from version 16. Earlier versions use OK.
    case sok(serviceID: EntityID?)
    /// Confirms the subscription to all queues of a service, with the relay's list of them. Below version 19 the list
    /// has a count only.
    case soks(ServiceQueues)
    /// The end of the messages that were waiting in the queues of a service, after SOKS.
    case alls
    /// A message, encrypted for the recipient (``ReceivedBody``).
    case msg(EncryptedMessage)
    /// The ids and key of a notifier.
    case nid(NotifierIDs)
    /// A notification with encrypted metadata.
    case nmsg(nonce: Nonce, encrypted: Bytes)
    /// The session of a proxy with another relay.
    case pkey(ProxiedSession)
    /// A forwarded response, from the proxy to the client.
    case pres(encrypted: Bytes)
    /// A forwarded response, from the relay to the proxy.
    case rres(encrypted: Bytes)
    /// The end of a subscription: another connection subscribed to the queue.
    case end
    /// The end of a service's subscriptions: another connection of the service subscribed to its queues.
    case ends(ServiceQueues)
    /// The deletion of the queue. Before version 10, END.
    case deld
    /// The state of a queue.
    case info(QueueState)
    /// Success without a result.
    case ok
    /// The failure of a command.
    case err(ProtocolError)
    /// The response to PING.
    case pong
    /// The record of a name.
    case rname(NameRecord)

    /// The tag before the parameters.
    public var tag: MessageTag {
        switch self {
        case .ids: .ids
        case .lnk: .lnk
        case .sok: .sok
        case .soks: .soks
        case .alls: .alls
        case .msg: .msg
        case .nid: .nid
        case .nmsg: .nmsg
        case .pkey: .pkey
        case .pres: .pres
        case .rres: .rres
        case .end: .end
        case .ends: .ends
        case .deld: .deld
        case .info: .info
        case .ok: .ok
        case .err: .err
        case .pong: .pong
        case .rname: .rname
        }
    }
}

/// The tags of ``RelayMessage`` and their rules for transmissions.
public enum MessageTag: String, CaseIterable, Sendable {
    /// The ids of a new queue.
    case ids = "IDS"
    /// The records of a link, and the sender id of its queue.
    case lnk = "LNK"
    /// Confirms a subscription, from version 16.
    case sok = "SOK"
    /// Confirms the subscription to all queues of a service.
    case soks = "SOKS"
    /// The end of the messages that were waiting in the queues of a service.
    case alls = "ALLS"
    /// A message, encrypted for the recipient (``ReceivedBody``).
    case msg = "MSG"
    /// The ids and key of a notifier.
    case nid = "NID"
    /// A notification with encrypted metadata.
    case nmsg = "NMSG"
    /// The session of a proxy with another relay.
    case pkey = "PKEY"
    /// A forwarded response, from the proxy to the client.
    case pres = "PRES"
    /// A forwarded response, from the relay to the proxy.
    case rres = "RRES"
    /// The end of a subscription: another connection subscribed to the queue.
    case end = "END"
    /// The end of a service's subscriptions.
    case ends = "ENDS"
    /// The deletion of the queue.
    case deld = "DELD"
    /// The state of a queue.
    case info = "INFO"
    /// Success without a result.
    case ok = "OK"
    /// The failure of a command.
    case err = "ERR"
    /// The response to PING.
    case pong = "PONG"
    /// The record of a name.
    case rname = "RNAME"

    /// Checks that the transmission has an entity id if and only if the message requires one.
    ///
    /// - Throws: ``CommandError``.
    public func checkEntity(isPresent: Bool) throws(CommandError) {
        switch self {
        case .err: break
        case .ids, .pkey, .pong, .rres, .alls, .rname:
            guard !isPresent else { throw .hasAuthorization }
        default:
            guard isPresent else { throw .noEntity }
        }
    }
}

/// A message as the relay delivers it. Its id is also the nonce of its encryption.
public struct EncryptedMessage: Hashable, Sendable {
    /// The id of the message, also the nonce.
    public let messageID: EntityID
    /// The encrypted ``ReceivedBody``.
    public let encrypted: Bytes

    /// Creates an encrypted message from its parts.
    public init(messageID: EntityID, encrypted: Bytes) {
        self.messageID = messageID
        self.encrypted = encrypted
    }
}

/// The id of a notifier, and the relay's key for its metadata.
public struct NotifierIDs: Hashable, Sendable, ByteCodable {
    /// The id of the notifier.
    public let notifierID: EntityID
    /// The relay's key for the agreement with ``NotifierKeys/dhKey``.
    public let dhKey: X25519.PublicKey

    /// Creates a notifier i ds from its parts.
    public init(notifierID: EntityID, dhKey: X25519.PublicKey) {
        self.notifierID = notifierID
        self.dhKey = dhKey
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        notifierID = try reader.value()
        dhKey = try reader.value()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(notifierID)
        writer.value(dhKey)
    }
}

/// The parameters of IDS (smp-agent.md 5.2).
public struct QueueIDs: Hashable, Sendable {
    /// The id for the recipient's commands.
    public let recipientID: EntityID
    /// The id for the sender's commands.
    public let senderID: EntityID
    /// The relay's key for the agreement with ``NewQueue/dhKey``.
    public let dhKey: X25519.PublicKey
    /// The mode of the queue.
    public let mode: QueueMode?
    /// The id of the link.
    public let linkID: EntityID?
    /// The id of the service that is subscribed.
    public let serviceID: EntityID?
    /// The id and key of the notifier.
    public let notifier: NotifierIDs?

    /// Creates a queue i ds from its parts.
    public init(
        recipientID: EntityID, senderID: EntityID, dhKey: X25519.PublicKey, mode: QueueMode?,
        linkID: EntityID? = nil, serviceID: EntityID? = nil, notifier: NotifierIDs? = nil
    ) {
        self.recipientID = recipientID
        self.senderID = senderID
        self.dhKey = dhKey
        self.mode = mode
        self.linkID = linkID
        self.serviceID = serviceID
        self.notifier = notifier
    }

    init(from reader: inout ByteReader, version: UInt16) throws(DecodeError) {
        recipientID = try reader.value()
        senderID = try reader.value()
        dhKey = try reader.value()
        if version >= SMP.shortLinks {
            mode = try reader.optional { reader throws(DecodeError) in try QueueMode.read(from: &reader) }
            linkID = try reader.optional()
        } else {
            mode = version >= SMP.senderKeys ? (try reader.bool() ? .messaging : .contact) : nil
            linkID = nil
        }
        serviceID = version >= SMP.serviceCertificates ? try reader.optional() : nil
        notifier = version >= SMP.notifierInNew ? try reader.optional() : nil
    }

    func encode(into writer: inout ByteWriter, version: UInt16) {
        writer.value(recipientID)
        writer.value(senderID)
        writer.value(dhKey)
        if version >= SMP.shortLinks {
            writer.optional(mode) { $0.character($1.letter) }
            writer.optional(linkID)
        } else if version >= SMP.senderKeys {
            writer.bool(mode == .messaging)
        }
        if version >= SMP.serviceCertificates { writer.optional(serviceID) }
        if version >= SMP.notifierInNew { writer.optional(notifier) }
    }
}

extension RelayMessage {
    /// Returns the message in the form of this session version. An older message replaces one that the version lacks.
    public func encoded(version: UInt16) -> Bytes {
        var writer = ByteWriter()
        let message = translated(to: version)
        writer.ascii(message.tag.rawValue)
        if message.hasParameters {
            writer.character(" ")
            message.encodeParameters(into: &writer, version: version)
        }
        return writer.bytes
    }

    private func translated(to version: UInt16) -> RelayMessage {
        switch self {
        case .sok where version < SMP.serviceCertificates: .ok
        case .deld where version < SMP.deletedEvent: .end
        case .err(let error): .err(error.translated(to: version))
        default: self
        }
    }

    private var hasParameters: Bool {
        switch self {
        case .end, .deld, .ok, .pong, .alls: false
        default: true
        }
    }

    private func encodeParameters(into writer: inout ByteWriter, version: UInt16) {
        switch self {
        case .ids(let ids): ids.encode(into: &writer, version: version)
        case .lnk(let senderID, let blobs):
            writer.value(senderID)
            writer.value(blobs)
        case .sok(let serviceID): writer.optional(serviceID)
        case .soks(let queues), .ends(let queues):
            if version >= SMP.messagingServices { writer.value(queues) } else { writer.int64(queues.count) }
        case .msg(let message):
            writer.value(message.messageID)
            writer.raw(message.encrypted)
        case .nid(let ids): writer.value(ids)
        case .nmsg(let nonce, let encrypted):
            writer.value(nonce)
            writer.shortBytes(encrypted)
        case .pkey(let session): writer.value(session)
        case .pres(let encrypted), .rres(let encrypted): writer.raw(encrypted)
        case .info(let state): writer.raw(state.encoded)
        case .err(let error): writer.value(error)
        case .rname(let record): writer.raw(Bytes(record.json.line.utf8))
        case .end, .deld, .ok, .pong, .alls: break
        }
    }

    /// Reads a message of a session of this version.
    ///
    /// - Throws: ``CommandError/unknown`` or ``CommandError/syntax``.
    public init(decoding bytes: Bytes, version: UInt16) throws(CommandError) {
        guard let (tag, parameters) = TaggedBytes.split(bytes, MessageTag.self) else { throw .unknown }
        do throws(DecodeError) {
            self = try RelayMessage.decode(tag, parameters, version: version)
        } catch {
            throw .syntax
        }
    }

    private static func decode(
        _ tag: MessageTag, _ parameters: Bytes?, version: UInt16
    ) throws(DecodeError) -> RelayMessage {
        if let message = withoutParameters(tag) {
            guard parameters == nil else { throw .trailing }
            return message
        }
        guard let parameters else { throw .truncated }
        var reader = ByteReader(parameters)
        let message: RelayMessage
        switch tag {
        case .ids: message = .ids(try QueueIDs(from: &reader, version: version))
        case .lnk: message = .lnk(senderID: try reader.value(), try reader.value())
        case .sok: message = .sok(serviceID: try reader.optional())
        case .soks: message = .soks(try serviceQueues(from: &reader, version: version))
        case .ends: message = .ends(try serviceQueues(from: &reader, version: version))
        case .msg: message = .msg(EncryptedMessage(messageID: try reader.value(), encrypted: reader.rest()))
        case .nid: message = .nid(try reader.value())
        case .nmsg: message = .nmsg(nonce: try reader.value(), encrypted: try reader.shortBytes())
        case .pkey: message = .pkey(try reader.value())
        case .pres: message = .pres(encrypted: reader.rest())
        case .rres: message = .rres(encrypted: reader.rest())
        case .info: message = .info(try QueueState(decoding: reader.rest()))
        case .err: message = .err(try reader.value())
        case .rname: message = .rname(try NameRecord(decoding: reader.rest()))
        default: throw .invalid("message")
        }
        try reader.finish()
        return message
    }

    private static func serviceQueues(
        from reader: inout ByteReader, version: UInt16
    ) throws(DecodeError) -> ServiceQueues {
        version >= SMP.messagingServices ? try reader.value() : ServiceQueues(count: try reader.int64())
    }

    private static func withoutParameters(_ tag: MessageTag) -> RelayMessage? {
        switch tag {
        case .alls: .alls
        case .end: .end
        case .deld: .deld
        case .ok: .ok
        case .pong: .pong
        default: nil
        }
    }
}
