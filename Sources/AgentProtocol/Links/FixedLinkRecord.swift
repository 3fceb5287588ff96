public import ByteCoding
public import CryptoCore
import Ratchet
import SMPProtocol

/// What a short link stands for and never changes: the full link, and the key of whoever made it.
///
/// ```
/// agent versions ‖ root key ‖ connection request ‖ optional entity id, which is there or is not
/// ```
public struct FixedLinkRecord: Hashable, Sendable {
    /// Versions of the agent that made the record.
    public let versions: VersionRange
    /// Signs this record, and the other one until there are owners.
    public let rootKey: Ed25519.PublicKey
    public let request: ConnectionRequest
    /// What the link leads to, for the application: a group for instance. At most 255 bytes.
    public let entityID: Bytes?

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
    /// Reads a record that fills `bytes`. Later versions may add fields, which are skipped.
    public init(decoding bytes: Bytes) throws(DecodeError) {
        var reader = ByteReader(bytes)
        versions = try reader.value()
        rootKey = try reader.value()
        request = try reader.value()
        // Nothing announces the id: it is there if it can be read.
        entityID = reader.attempt { reader throws(DecodeError) in try reader.shortBytes() }
    }

    public func encode(into writer: inout ByteWriter) {
        writer.value(versions)
        writer.value(rootKey)
        writer.value(request)
        if let entityID { writer.shortBytes(entityID) }
    }
}
