public import ByteCoding
public import CryptoCore

/// The public keys of the initiator for a range of versions, as a link carries them.
///
/// An offer may propose a KEM key; there is nothing yet that it could accept. The binary form always has the KEM field,
/// the text form only if the range reaches version 3.
public struct RatchetOffer: Hashable, Sendable, ByteCodable {
    public let versions: VersionRange
    public let key1: X448.PublicKey
    public let key2: X448.PublicKey
    /// The KEM key that the initiator proposes.
    public let kemKey: Bytes?

    public init(versions: VersionRange, key1: X448.PublicKey, key2: X448.PublicKey, kemKey: Bytes?) {
        self.versions = versions
        self.key1 = key1
        self.key2 = key2
        self.kemKey = kemKey
    }

    /// What the offer says to a joiner that chose `version` of its range.
    public func parameters(for version: UInt16) -> RatchetParameters {
        RatchetParameters(
            version: version, key1: key1, key2: key2, kem: kemKey.map { .proposed(publicKey: $0) })
    }

    // MARK: - Binary form

    public init(from reader: inout ByteReader) throws(DecodeError) {
        versions = try reader.value()
        key1 = try reader.value()
        key2 = try reader.value()
        switch try reader.optional(KEMParameter.self) {
        case nil: kemKey = nil
        case .proposed(let publicKey): kemKey = publicKey
        case .accepted: throw .invalid("KEM of an offer")
        }
    }

    public func encode(into writer: inout ByteWriter) {
        writer.value(versions)
        writer.value(key1)
        writer.value(key2)
        writer.optional(kemKey.map { KEMParameter.proposed(publicKey: $0) })
    }

    // MARK: - Text form

    /// One `name=value` of a link, before it is escaped.
    public typealias QueryItem = (name: String, value: String)

    /// The items `v`, `x3dh` (both keys) and `kem_key`.
    public var queryItems: [QueryItem] {
        let keys = [key1, key2].map { Base64URL.encode($0.der) }
        var items = [("v", versions.description), ("x3dh", keys.joined(separator: ","))]
        if let kemKey, versions.max >= RatchetVersion.postQuantum {
            items.append(("kem_key", Base64URL.encode(kemKey)))
        }
        return items
    }

    /// Reads the items in any order. The first of repeated names counts, unknown names are ignored.
    public init(queryItems items: some Sequence<QueryItem>) throws(DecodeError) {
        let values = Dictionary(items.map { ($0.name, $0.value) }) { first, _ in first }
        guard let version = values["v"] else { throw .invalid("e2e version") }
        guard let x3dh = values["x3dh"] else { throw .invalid("e2e keys") }
        versions = try VersionRange(text: version)

        var reader = TextReader(x3dh)
        let keys = try reader.commaSeparated { reader throws(DecodeError) in
            try X448.PublicKey(der: try reader.base64URL())
        }
        try reader.finish()
        guard keys.count == 2 else { throw .invalid("e2e keys") }
        key1 = keys[0]
        key2 = keys[1]

        guard versions.max >= RatchetVersion.postQuantum, let proposed = values["kem_key"] else {
            kemKey = nil
            return
        }
        guard values["kem_ct"] == nil else { throw .invalid("KEM of an offer") }
        var kemReader = TextReader(proposed)
        let key = try kemReader.base64URL()
        try kemReader.finish()
        // The binary form has no room for more.
        guard key.count <= UInt16.max else { throw .invalid("KEM of an offer") }
        kemKey = key
    }
}

/// The public keys of one side for one version of the ratchet, as they travel in confirmations and re-synchronisation.
///
/// Parameters of versions before 3 have no KEM field.
public struct RatchetParameters: Hashable, Sendable, ByteCodable {
    public let version: UInt16
    public let key1: X448.PublicKey
    public let key2: X448.PublicKey
    public let kem: KEMParameter?

    /// Parameters of `version`, which leave the KEM out if the version has none.
    public init(version: UInt16, key1: X448.PublicKey, key2: X448.PublicKey, kem: KEMParameter?) {
        self.version = version
        self.key1 = key1
        self.key2 = key2
        self.kem = version >= RatchetVersion.postQuantum ? kem : nil
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        version = try reader.uint16()
        key1 = try reader.value()
        key2 = try reader.value()
        kem = version >= RatchetVersion.postQuantum ? try reader.optional() : nil
    }

    public func encode(into writer: inout ByteWriter) {
        writer.uint16(version)
        writer.value(key1)
        writer.value(key2)
        if version >= RatchetVersion.postQuantum {
            writer.optional(kem)
        }
    }
}
