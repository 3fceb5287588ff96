public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// The response of a file relay, named after its tag (smp-agent.md 10.4).
public enum FileAnswer: Hashable, Sendable {
    /// The ids of a new chunk: of its sender, and of its recipients in the order of their keys.
    case sids(senderID: EntityID, recipientIDs: [EntityID])
    /// The ids of added recipients in the order of their keys.
    case rids([EntityID])
    /// The relay's key and the nonce with which the chunk behind the block is encrypted (``ChunkStream``).
    case file(key: X25519.PublicKey, nonce: Nonce)
    /// Success without a result.
    case ok
    /// The failure of a command.
    case err(FileRelayError)
    /// The response to PING.
    case pong

    /// The tag before the parameters.
    public var tag: FileAnswerTag {
        switch self {
        case .sids: .sids
        case .rids: .rids
        case .file: .file
        case .ok: .ok
        case .err: .err
        case .pong: .pong
        }
    }
}

/// The tags of ``FileAnswer``.
public enum FileAnswerTag: String, CaseIterable, Sendable {
    /// The ids of a new chunk.
    case sids = "SIDS"
    /// The ids of added recipients.
    case rids = "RIDS"
    /// The key and nonce of the chunk behind the block.
    case file = "FILE"
    /// Success without a result.
    case ok = "OK"
    /// The failure of a command.
    case err = "ERR"
    /// The response to PING.
    case pong = "PONG"
}

extension FileAnswer {
    /// Returns the response in the form of this session version. An older error replaces one that the version lacks.
    public func encoded(version: UInt16) -> Bytes {
        var writer = ByteWriter()
        writer.ascii(tag.rawValue)
        switch self {
        case .sids(let senderID, let recipientIDs):
            writer.character(" ")
            writer.value(senderID)
            writer.list(recipientIDs)
        case .rids(let ids):
            writer.character(" ")
            writer.list(ids)
        case .file(let key, let nonce):
            writer.character(" ")
            writer.value(key)
            writer.value(nonce)
        case .err(let error):
            writer.character(" ")
            writer.value(error.translated(to: version))
        case .ok, .pong: break
        }
        return writer.bytes
    }

    /// Reads a response.
    ///
    /// - Throws: ``CommandError/unknown`` or ``CommandError/syntax``.
    public init(decoding bytes: Bytes) throws(CommandError) {
        guard let (tag, parameters) = TaggedBytes.split(bytes, FileAnswerTag.self) else { throw .unknown }
        do throws(DecodeError) {
            self = try FileAnswer.decode(tag, parameters)
        } catch {
            throw .syntax
        }
    }

    private static func decode(_ tag: FileAnswerTag, _ parameters: Bytes?) throws(DecodeError) -> FileAnswer {
        guard let parameters else {
            switch tag {
            case .ok: return .ok
            case .pong: return .pong
            default: throw .truncated
            }
        }
        var reader = ByteReader(parameters)
        let answer: FileAnswer
        switch tag {
        case .sids: answer = .sids(senderID: try reader.value(), recipientIDs: try reader.nonEmptyList())
        case .rids: answer = .rids(try reader.nonEmptyList())
        case .file: answer = .file(key: try reader.value(), nonce: try reader.value())
        case .err: answer = .err(try reader.value())
        case .ok, .pong: throw .trailing
        }
        try reader.finish()
        return answer
    }
}
