public import ByteCoding
public import CryptoCore

/// Somebody besides the maker of an address who may change what is behind its short link.
///
/// The list of owners is a chain: each was let in by the root key of the link or by an owner before it.
public struct LinkOwner: Hashable, Sendable {
    /// Unique in the list; what it means is up to the application. At most ``maximumIDSize`` bytes.
    public let id: Bytes
    public let key: Ed25519.PublicKey
    /// The signature of the id and the key, 64 bytes.
    public let authorization: Bytes

    /// The most bytes of an id: with it an owner fills a byte string of 255 bytes.
    public static let maximumIDSize = 144

    /// An owner as it was stored; ``check(_:rootKey:)`` says whether it is one.
    public init(id: Bytes, key: Ed25519.PublicKey, authorization: Bytes) {
        precondition(id.count <= LinkOwner.maximumIDSize, "the id of an owner has at most 144 bytes")
        precondition(authorization.count == Ed25519.signatureSize, "a signature has 64 bytes")
        self.id = id
        self.key = key
        self.authorization = authorization
    }

    /// Lets a new owner in, with the root key or the key of an owner.
    public init(id: Bytes, key: Ed25519.PublicKey, authorizedBy signer: Ed25519.PrivateKey) {
        self.init(id: id, key: key, authorization: signer.sign(LinkOwner.signedBytes(id, key)))
    }

    /// Checks the chain of owners from the root key on. A record has room for some 120 owners, which a peer can make take
    /// about half a second.
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
    /// Reads an owner behind its length. Later versions may add fields, which are skipped.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        var fields = ByteReader(try reader.shortBytes())
        id = try fields.shortBytes()
        key = try fields.value()
        authorization = try fields.signature()
    }

    public func encode(into writer: inout ByteWriter) {
        var fields = ByteWriter()
        fields.shortBytes(id)
        fields.value(key)
        fields.shortBytes(authorization)
        writer.shortBytes(fields.bytes)
    }
}

extension ByteReader {
    /// An Ed25519 signature behind its length.
    mutating func signature() throws(DecodeError) -> Bytes {
        let signature = try shortBytes()
        guard signature.count == Ed25519.signatureSize else { throw .invalid("signature") }
        return signature
    }
}
