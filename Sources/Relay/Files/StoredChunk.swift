import ByteCoding
import SMPProtocol
import Store

/// A chunk of a file on the relay, uploaded or only announced.
struct StoredChunk: Hashable {
    /// The number of the row, and the name of the file.
    let number: Int64
    let senderID: EntityID
    let senderKey: AuthorizationKey
    /// The size in bytes, one of `XFTP.chunkSizes`.
    let size: UInt32
    /// The SHA-256 of the content.
    let digest: Bytes
    /// True if the chunk was uploaded.
    let isStored: Bool

    /// The columns in the order of ``init(from:)``.
    static let columns = "number, sender_id, sender_key, size, digest, is_stored"

    init(from row: inout Row) throws(StoreError) {
        number = try row.int64(in: 1...Int64.max)
        senderID = try StoredChunk.id(try row.bytes())
        senderKey = try StoredChunk.key(try row.bytes())
        size = UInt32(try row.int64(in: 1...Int64(UInt32.max)))
        digest = try row.bytes()
        isStored = try row.bool()
    }

    static func id(_ bytes: Bytes) throws(StoreError) -> EntityID {
        guard bytes.count <= UInt8.max else { throw StoreError(.damaged) }
        return EntityID(bytes)
    }

    static func key(_ der: Bytes) throws(StoreError) -> AuthorizationKey {
        do throws(DecodeError) {
            return try AuthorizationKey(der: der)
        } catch {
            throw StoreError(.damaged)
        }
    }
}

/// A recipient of a chunk.
struct ChunkRecipient: Hashable {
    let id: EntityID
    let key: AuthorizationKey
    let chunk: StoredChunk
}
