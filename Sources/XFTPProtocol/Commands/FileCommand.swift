public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// A command of a client to a file relay, named after its tag (smp-agent.md 10.4).
public enum FileCommand: Hashable, Sendable {
    /// Creates a chunk, which is uploaded later. The response is SIDS.
    case fnew(NewChunk)
    /// Adds recipients to a chunk. The response is RIDS.
    case fadd([AuthorizationKey])
    /// Uploads the chunk, which follows the block. The response is OK.
    case fput
    /// Deletes the chunk. The response is OK.
    case fdel
    /// Requests the chunk, encrypted for this key. The response is FILE.
    case fget(X25519.PublicKey)
    /// Removes the recipient, who has the chunk. The response is OK.
    case fack
    /// Keeps the connection open. The response is PONG.
    case ping

    /// The tag before the parameters.
    public var tag: FileCommandTag {
        switch self {
        case .fnew: .fnew
        case .fadd: .fadd
        case .fput: .fput
        case .fdel: .fdel
        case .fget: .fget
        case .fack: .fack
        case .ping: .ping
        }
    }
}

/// The tags of ``FileCommand`` and their rules for transmissions (smp-agent.md 10.4).
public enum FileCommandTag: String, CaseIterable, Sendable {
    /// Creates a chunk.
    case fnew = "FNEW"
    /// Adds recipients to a chunk.
    case fadd = "FADD"
    /// Uploads the chunk.
    case fput = "FPUT"
    /// Deletes the chunk.
    case fdel = "FDEL"
    /// Requests the chunk.
    case fget = "FGET"
    /// Removes the recipient.
    case fack = "FACK"
    /// Keeps the connection open.
    case ping = "PING"

    /// The party whose key authorizes a command.
    public enum Party: Hashable, Sendable {
        /// The sender of the chunk.
        case sender
        /// A recipient of the chunk.
        case recipient
    }

    /// The party that may give the command; nil for PING, which everybody may give.
    public var party: Party? {
        switch self {
        case .fnew, .fadd, .fput, .fdel: .sender
        case .fget, .fack: .recipient
        case .ping: nil
        }
    }

    /// Checks that the transmission has the authorization and id that the command requires, and no other.
    ///
    /// A relay makes this check before it verifies the authorization.
    ///
    /// - Throws: The ``CommandError`` of the response.
    public func checkCredentials(isAuthorized: Bool, hasEntity: Bool) throws(CommandError) {
        switch self {
        case .fnew:
            guard isAuthorized else { throw .noAuthorization }
            guard !hasEntity else { throw .hasAuthorization }
        case .ping:
            guard !isAuthorized, !hasEntity else { throw .hasAuthorization }
        default:
            guard isAuthorized, hasEntity else { throw .noAuthorization }
        }
    }
}

/// The parameters of FNEW.
public struct NewChunk: Hashable, Sendable, ByteCodable {
    /// The key that authorizes the sender's commands, and FNEW itself.
    public let senderKey: AuthorizationKey
    /// The size of the chunk in bytes. Relays accept ``XFTP/chunkSizes``.
    public let size: UInt32
    /// The SHA-256 of the chunk, 32 bytes. A relay rejects another size like a body with another digest.
    public let digest: Bytes
    /// The keys of the recipients, at least one.
    public let recipientKeys: [AuthorizationKey]
    /// The password of the relay.
    public let password: ServerPassword?

    /// Creates the parameters.
    public init(
        senderKey: AuthorizationKey, size: UInt32, digest: Bytes, recipientKeys: [AuthorizationKey],
        password: ServerPassword? = nil
    ) {
        self.senderKey = senderKey
        self.size = size
        self.digest = digest
        self.recipientKeys = recipientKeys
        self.password = password
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        senderKey = try reader.value()
        size = try reader.uint32()
        digest = try reader.shortBytes()
        recipientKeys = try reader.nonEmptyList()
        password = try reader.optional()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(senderKey)
        writer.uint32(size)
        writer.shortBytes(digest)
        writer.list(recipientKeys)
        writer.optional(password)
    }
}

extension FileCommand {
    /// The command in its wire form, which is the same in all versions.
    public var encoded: Bytes {
        var writer = ByteWriter()
        writer.ascii(tag.rawValue)
        switch self {
        case .fnew(let chunk):
            writer.character(" ")
            writer.value(chunk)
        case .fadd(let keys):
            writer.character(" ")
            writer.list(keys)
        case .fget(let key):
            writer.character(" ")
            writer.value(key)
        case .fput, .fdel, .fack, .ping: break
        }
        return writer.bytes
    }

    /// Reads a command.
    ///
    /// - Throws: ``CommandError/unknown`` for an unknown tag, ``CommandError/syntax`` for invalid or excess parameters.
    public init(decoding bytes: Bytes) throws(CommandError) {
        guard let (tag, parameters) = TaggedBytes.split(bytes, FileCommandTag.self) else { throw .unknown }
        do throws(DecodeError) {
            self = try FileCommand.decode(tag, parameters)
        } catch {
            throw .syntax
        }
    }

    private static func decode(_ tag: FileCommandTag, _ parameters: Bytes?) throws(DecodeError) -> FileCommand {
        if let command = withoutParameters(tag) {
            guard parameters == nil else { throw .trailing }
            return command
        }
        guard let parameters else { throw .truncated }
        var reader = ByteReader(parameters)
        let command: FileCommand
        switch tag {
        case .fnew: command = .fnew(try reader.value())
        case .fadd: command = .fadd(try reader.nonEmptyList())
        case .fget: command = .fget(try reader.value())
        default: throw .invalid("command")
        }
        try reader.finish()
        return command
    }

    private static func withoutParameters(_ tag: FileCommandTag) -> FileCommand? {
        switch tag {
        case .fput: .fput
        case .fdel: .fdel
        case .fack: .fack
        case .ping: .ping
        default: nil
        }
    }
}
