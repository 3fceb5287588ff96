public import ByteCoding
import JSONCoding

extension RelayMessage {
    /// The bytes of the message in a session of this version. Where the version does not know the message, an older one
    /// stands for it.
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
        case .end, .deld, .ok, .pong: false
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
        case .soks(let count), .ends(let count): writer.int64(count)
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
        case .end, .deld, .ok, .pong: break
        }
    }

    /// Reads a message that was received in a session of this version.
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
        case .soks: message = .soks(count: try reader.int64())
        case .ends: message = .ends(count: try reader.int64())
        case .msg: message = .msg(EncryptedMessage(messageID: try reader.value(), encrypted: reader.rest()))
        case .nid: message = .nid(try reader.value())
        case .nmsg: message = .nmsg(nonce: try reader.value(), encrypted: try reader.shortBytes())
        case .pkey: message = .pkey(try reader.value())
        case .pres: message = .pres(encrypted: reader.rest())
        case .rres: message = .rres(encrypted: reader.rest())
        case .info: message = .info(try QueueState(decoding: reader.rest()))
        case .err: message = .err(try reader.value())
        default: throw .invalid("message")
        }
        try reader.finish()
        return message
    }

    private static func withoutParameters(_ tag: MessageTag) -> RelayMessage? {
        switch tag {
        case .end: .end
        case .deld: .deld
        case .ok: .ok
        case .pong: .pong
        default: nil
        }
    }
}
