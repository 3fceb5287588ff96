public import ByteCoding

extension ClientCommand {
    /// The bytes of the command in a session of this version. What the version has no room for is left out.
    public func encoded(version: UInt16) -> Bytes {
        var writer = ByteWriter()
        writer.ascii(tag.rawValue)
        if hasParameters {
            writer.character(" ")
            encodeParameters(into: &writer, version: version)
        }
        return writer.bytes
    }

    private var hasParameters: Bool {
        switch self {
        case .sub, .ldel, .ndel, .get, .off, .del, .que, .subs, .ping, .lget, .nsub, .nsubs: false
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
        case .sub, .ldel, .ndel, .get, .off, .del, .que, .subs, .ping, .lget, .nsub, .nsubs: break
        }
    }

    /// Reads a command that was received in a session of this version.
    ///
    /// An unknown tag and parameters that do not parse, or do not end with the input, are different errors.
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
        if let command = withoutParameters(tag) {
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
        default: throw .invalid("command")
        }
        try reader.finish()
        return command
    }

    private static func withoutParameters(_ tag: CommandTag) -> ClientCommand? {
        switch tag {
        case .sub: .sub
        case .ldel: .ldel
        case .ndel: .ndel
        case .get: .get
        case .off: .off
        case .del: .del
        case .que: .que
        case .subs: .subs
        case .ping: .ping
        case .lget: .lget
        case .nsub: .nsub
        case .nsubs: .nsubs
        default: nil
        }
    }
}

/// A tag up to the first space, and the bytes behind the space.
enum TaggedBytes {
    /// Nil for an unknown tag; the parameters are nil where there is no space.
    static func split<Tag: RawRepresentable<String>>(_ bytes: Bytes, _ type: Tag.Type) -> (Tag, Bytes?)? {
        let space = bytes.firstIndex(of: UInt8(ascii: " "))
        let name = String(decoding: bytes[..<(space ?? bytes.endIndex)], as: UTF8.self)
        guard let tag = Tag(rawValue: name) else { return nil }
        return (tag, space.map { Bytes(bytes[($0 + 1)...]) })
    }
}
