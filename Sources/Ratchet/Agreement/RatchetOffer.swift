public import ByteCoding
public import CryptoCore

/// The initiator's public keys for a range of versions, as a link carries them (smp-agent.md 6.4, 8.1).
///
/// An offer can propose a KEM key and never accepts one. The binary form always has the KEM field, the text form only
/// if the range reaches version 3.
public struct RatchetOffer: Hashable, Sendable, ByteCodable {
    /// The versions that the initiator supports.
    public let versions: VersionRange
    /// The initiator's first X448 key, r1 in smp-agent.md 8.1.
    public let key1: X448.PublicKey
    /// The initiator's second X448 key, r2, also its first ratchet key.
    public let key2: X448.PublicKey
    /// The proposed KEM public key, 1,158 bytes.
    public let kemKey: Bytes?

    /// Creates a ratchet offer from its parts.
    public init(versions: VersionRange, key1: X448.PublicKey, key2: X448.PublicKey, kemKey: Bytes?) {
        self.versions = versions
        self.key1 = key1
        self.key2 = key2
        self.kemKey = kemKey
    }

    /// Returns the initiator's parameters for a joiner that chose `version` of the range.
    public func parameters(for version: UInt16) -> RatchetParameters {
        RatchetParameters(
            version: version, key1: key1, key2: key2, kem: kemKey.map { .proposed(publicKey: $0) })
    }

    // MARK: - Binary form

    /// Reads the binary form.
    ///
    /// - Throws: ``DecodeError`` if bytes are missing or the KEM field accepts a key.
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

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(versions)
        writer.value(key1)
        writer.value(key2)
        writer.optional(kemKey.map { KEMParameter.proposed(publicKey: $0) })
    }

    // MARK: - Text form

    /// One `name=value` pair of a link before percent-encoding.
    public typealias QueryItem = (name: String, value: String)

    /// The pairs `v`, `x3dh` (both keys) and `kem_key`.
    public var queryItems: [QueryItem] {
        let keys = [key1, key2].map { Base64URL.encode($0.der) }
        var items = [("v", versions.description), ("x3dh", keys.joined(separator: ","))]
        if let kemKey, versions.max >= RatchetVersion.postQuantum {
            items.append(("kem_key", Base64URL.encode(kemKey)))
        }
        return items
    }

    /// Reads the pairs in any order. The first of repeated names counts; unknown names are ignored.
    ///
    /// - Throws: ``DecodeError`` if a pair is missing or a value is invalid.
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
        // The binary form cannot hold more.
        guard key.count <= UInt16.max else { throw .invalid("KEM of an offer") }
        kemKey = key
    }
}

/// The public keys of one side for one version, sent in confirmations and in ratchet synchronisation (smp-agent.md 7.4,
/// 7.12).
///
/// Parameters of versions below 3 have no KEM field.
public struct RatchetParameters: Hashable, Sendable, ByteCodable {
    /// The version of the end-to-end encryption.
    public let version: UInt16
    /// The first X448 key.
    public let key1: X448.PublicKey
    /// The second X448 key, also the first ratchet key of an initiator.
    public let key2: X448.PublicKey
    /// The proposed or accepted KEM key; nil below version 3.
    public let kem: KEMParameter?

    /// Creates parameters of `version`, without the KEM field if the version has none.
    public init(version: UInt16, key1: X448.PublicKey, key2: X448.PublicKey, kem: KEMParameter?) {
        self.version = version
        self.key1 = key1
        self.key2 = key2
        self.kem = version >= RatchetVersion.postQuantum ? kem : nil
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        version = try reader.uint16()
        key1 = try reader.value()
        key2 = try reader.value()
        kem = version >= RatchetVersion.postQuantum ? try reader.optional() : nil
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.uint16(version)
        writer.value(key1)
        writer.value(key2)
        if version >= RatchetVersion.postQuantum {
            writer.optional(kem)
        }
    }
}
