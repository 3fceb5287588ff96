public import ByteCoding
public import CryptoCore
import Ratchet
import SMPProtocol

/// The fixed record of a short link: the full link and the root key of its maker (smp-agent.md 6.6).
///
/// ```
/// agent versions ‖ root key ‖ connection request ‖ optional entity id without a marker
/// ```
public struct FixedLinkRecord: Hashable, Sendable {
    /// The agent versions of the maker of the record.
    public let versions: VersionRange
    /// The key that signs this record, and the user record as long as there are no owners.
    public let rootKey: Ed25519.PublicKey
    /// The full link.
    public let request: ConnectionRequest
    /// The target of the link for the application, such as a group. At most 255 bytes.
    public let entityID: Bytes?

    /// Creates a fixed link record from its parts.
    public init(
        versions: VersionRange = AgentVersion.supported, rootKey: Ed25519.PublicKey, request: ConnectionRequest,
        entityID: Bytes? = nil
    ) {
        precondition((entityID?.count ?? 0) <= UInt8.max, "an id has at most 255 bytes")
        self.versions = versions
        self.rootKey = rootKey
        self.request = request
        self.entityID = entityID
    }
}

extension FixedLinkRecord: ByteEncodable {
    /// Reads a record that fills `bytes`. Later versions may append fields, which are skipped.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        versions = try reader.value()
        rootKey = try reader.value()
        request = try reader.value()
        // The id has no marker: it is present if it can be read.
        entityID = reader.attempt { reader throws(DecodeError) in try reader.shortBytes() }
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(versions)
        writer.value(rootKey)
        writer.value(request)
        if let entityID { writer.shortBytes(entityID) }
    }
}

/// The user record of a short link, which its owner can change (smp-agent.md 6.6).
public enum UserLinkRecord: Hashable, Sendable {
    /// The record of an invitation. Letter `I`.
    case invitation(versions: VersionRange, content: Bytes)
    /// The record of an address. Letter `C`.
    case address(versions: VersionRange, AddressRecord)

    /// The application's content, such as a profile.
    public var content: Bytes {
        switch self {
        case .invitation(_, let content): content
        case .address(_, let record): record.content
        }
    }

    /// Returns the record of an invitation of this program.
    public static func invitation(_ content: Bytes) -> UserLinkRecord {
        .invitation(versions: AgentVersion.supported, content: content)
    }

    /// Returns the record of an address of this program.
    public static func address(_ record: AddressRecord) -> UserLinkRecord {
        .address(versions: AgentVersion.supported, record)
    }

    var isInvitation: Bool {
        if case .invitation = self { true } else { false }
    }

    /// The largest content in bytes that fits into the record; negative if the rest of the record is too large.
    public var contentLimit: Int {
        let empty: UserLinkRecord =
            switch self {
            case .invitation(let versions, _): .invitation(versions: versions, content: [])
            case .address(let versions, let record): .address(versions: versions, record.with(content: []))
            }
        let room = LinkBox.userSize - LinkBox.overhead - empty.encoded.count
        // The length field has one byte, already counted, or three.
        return room < UInt8.max ? room : max(room - 2, 254)
    }
}

/// The record of an address besides its queue.
public struct AddressRecord: Hashable, Sendable {
    /// True if requests go to the queue of the address; otherwise they go to the relays.
    public let isDirect: Bool
    /// The owners that may sign the record besides the root key, at most 255.
    public let owners: [LinkOwner]
    /// The addresses of relays that replace this one, at most 255.
    public let relays: [ShortLink]
    /// The application's content.
    public let content: Bytes

    /// Creates an address record from its parts.
    public init(isDirect: Bool = true, owners: [LinkOwner] = [], relays: [ShortLink] = [], content: Bytes) {
        precondition(owners.count <= UInt8.max && relays.count <= UInt8.max, "a list has at most 255 items")
        precondition(relays.allSatisfy { $0.kind != .invitation }, "a relay has an address")
        self.isDirect = isDirect
        self.owners = owners
        self.relays = relays
        self.content = content
    }

    /// Returns the record with other content.
    public func with(content: Bytes) -> AddressRecord {
        AddressRecord(isDirect: isDirect, owners: owners, relays: relays, content: content)
    }
}

extension UserLinkRecord: ByteEncodable {
    /// Reads a record that fills `bytes`. Later versions may append fields, which are skipped.
    ///
    /// - Throws: ``DecodeError``.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        switch try reader.uint8() {
        case UInt8(ascii: "I"):
            self = .invitation(versions: try reader.value(), content: try reader.linkContent())
        case UInt8(ascii: "C"): self = .address(versions: try reader.value(), try reader.value())
        default: throw .invalid("link record")
        }
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        switch self {
        case .invitation(let versions, let content):
            writer.character("I")
            writer.value(versions)
            writer.linkContent(content)
        case .address(let versions, let record):
            writer.character("C")
            writer.value(versions)
            writer.value(record)
        }
    }
}

extension AddressRecord: ByteCodable {
    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        isDirect = try reader.bool()
        owners = try reader.list()
        relays = try reader.list()
        guard relays.allSatisfy({ $0.kind != .invitation }) else { throw .invalid("relay") }
        content = try reader.linkContent()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.bool(isDirect)
        writer.list(owners)
        writer.list(relays)
        writer.linkContent(content)
    }
}

// MARK: - Content

extension ByteWriter {
    /// Writes the application's content: behind a one-byte length up to 254 bytes, otherwise behind 255 and a two-byte
    /// length.
    mutating func linkContent(_ content: Bytes) {
        if content.count < UInt8.max {
            shortBytes(content)
        } else {
            uint8(.max)
            largeBytes(content)
        }
    }
}

extension ByteReader {
    /// Reads content written by ``ByteWriter/linkContent(_:)``.
    mutating func linkContent() throws(DecodeError) -> Bytes {
        guard next == .max else { return try shortBytes() }
        _ = try uint8()
        return try largeBytes()
    }
}

/// An additional owner of an address, who may change the record of its short link.
///
/// The list of owners is a chain: each is authorized by the root key of the link or by an earlier owner.
public struct LinkOwner: Hashable, Sendable {
    /// The id, unique in the list, with a meaning for the application. At most ``maximumIDSize`` bytes.
    public let id: Bytes
    /// The key of the owner.
    public let key: Ed25519.PublicKey
    /// The signature of the id and the key, 64 bytes.
    public let authorization: Bytes

    /// The largest size of an id in bytes: with it an owner fills a byte string of 255 bytes.
    public static let maximumIDSize = 144

    /// Creates an owner from stored values; ``check(_:rootKey:)`` verifies it.
    public init(id: Bytes, key: Ed25519.PublicKey, authorization: Bytes) {
        precondition(id.count <= LinkOwner.maximumIDSize, "the id of an owner has at most 144 bytes")
        precondition(authorization.count == Ed25519.signatureSize, "a signature has 64 bytes")
        self.id = id
        self.key = key
        self.authorization = authorization
    }

    /// Authorizes a new owner with the root key or the key of an owner.
    public init(id: Bytes, key: Ed25519.PublicKey, authorizedBy signer: Ed25519.PrivateKey) {
        self.init(id: id, key: key, authorization: signer.sign(LinkOwner.signedBytes(id, key)))
    }

    /// Verifies the chain of owners from the root key on. A record has room for about 120 owners, which take about half
    /// a second.
    ///
    /// - Throws: ``LinkError/ownerIsRoot``, ``LinkError/repeatedOwner`` or ``LinkError/unauthorizedOwner``.
    public static func check(
        _ owners: [LinkOwner], rootKey: Ed25519.PublicKey
    ) throws(LinkError) {
        var ids: Set<Bytes> = []
        var keys: [Ed25519.PublicKey] = []
        for owner in owners {
            guard owner.key != rootKey else { throw .ownerIsRoot }
            guard !keys.contains(owner.key), ids.insert(owner.id).inserted else { throw .repeatedOwner }
            let signed = signedBytes(owner.id, owner.key)
            let isAuthorized = ([rootKey] + keys).contains { $0.verify(owner.authorization, of: signed) }
            guard isAuthorized else { throw .unauthorizedOwner }
            keys.append(owner.key)
        }
    }

    private static func signedBytes(_ id: Bytes, _ key: Ed25519.PublicKey) -> Bytes {
        id + key.der
    }
}

extension LinkOwner: ByteCodable {
    /// Reads an owner behind its length. Later versions may append fields, which are skipped.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        var fields = ByteReader(try reader.shortBytes())
        id = try fields.shortBytes()
        key = try fields.value()
        authorization = try fields.signature()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        var fields = ByteWriter()
        fields.shortBytes(id)
        fields.value(key)
        fields.shortBytes(authorization)
        writer.shortBytes(fields.bytes)
    }
}

extension ByteReader {
    /// Reads an Ed25519 signature behind its length.
    mutating func signature() throws(DecodeError) -> Bytes {
        let signature = try shortBytes()
        guard signature.count == Ed25519.signatureSize else { throw .invalid("signature") }
        return signature
    }
}
