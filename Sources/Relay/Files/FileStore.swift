import ByteCoding
import CryptoCore
import Glibc
import SMPProtocol
import Store
import SystemIO
import XFTPProtocol

/// The chunks of a file relay: rows of `files.db`, which is the journal, and one file for each uploaded chunk.
///
/// A chunk counts as uploaded by its row, which is written after the file has its name, and a file is removed after its
/// row. So after a crash at any moment there are at most files without a row, or rows of a chunk that was not confirmed;
/// ``init(_:exists:durability:reserve:checkpointPages:)`` removes the former.
final class FileStore {
    /// The space that counts for the row of a chunk, in bytes.
    static let chunkCost = 512
    /// The space that counts for the row of a recipient, in bytes.
    static let recipientCost = 256

    private static let draftSuffix = ".part"

    private let store: RelayStore
    private let folder: String
    /// The number of announced and uploaded chunks.
    private(set) var count = 0
    /// The bytes of uploaded chunks.
    private(set) var storedBytes = 0
    /// The received bytes of chunks that are being uploaded.
    private let drafts = DraftSpace()
    /// The number of recipients.
    private var recipientCount = 0
    private var lastUpload: UInt64 = 0
    /// The space of each address.
    private(set) var shares = FileShares()

    private enum Query {
        static let bySender = "SELECT \(StoredChunk.columns) FROM chunks WHERE sender_id = ?"
        static let byRecipient = """
            SELECT \(StoredChunk.columns), key
            FROM recipients JOIN chunks ON number = chunk WHERE recipient_id = ?
            """
        static let byAge = """
            SELECT \(StoredChunk.columns) FROM chunks WHERE created < ? ORDER BY created LIMIT ?
            """
    }

    /// Opens or creates the store of a relay, and removes what a crash has left.
    ///
    /// - Parameter folder: The folder of the relay.
    /// - Throws: ``StoreError`` or ``SystemError``.
    init(
        _ folder: String, exists: Bool, durability: Database.Durability, reserve: StorageReserve, checkpointPages: Int
    ) throws {
        self.folder = "\(folder)/\(RelayFolder.Name.chunks)"
        store = try RelayStore(
            "\(folder)/\(RelayFolder.Name.files)", durability: durability, exists: exists,
            migrations: FileSchema.migrations, reserve: reserve, checkpointPages: checkpointPages)
        try Files.createFolder(self.folder)
        try removeRemains()
        count = try number("SELECT count(*) FROM chunks")
        recipientCount = try number("SELECT count(*) FROM recipients")
        storedBytes = try number("SELECT ifnull(sum(size), 0) FROM chunks WHERE is_stored")
    }

    private func number(_ sql: String) throws(StoreError) -> Int {
        Int(clamping: try store.database.number(sql) ?? 0)
    }

    /// Removes files without an uploaded chunk, and marks chunks whose file is missing, as after a power failure, as not
    /// uploaded.
    private func removeRemains() throws {
        var missing = Set(
            try store.database.rows("SELECT number FROM chunks WHERE is_stored") { row throws(StoreError) in
                try row.int64()
            })
        for name in try Files.names(in: folder) {
            let number = Int64(name)
            if let number, missing.remove(number) != nil { continue }
            // Other files are not the relay's, such as lost+found if the folder is a disk of its own.
            if number != nil || name.hasSuffix(FileStore.draftSuffix) { try Files.remove("\(folder)/\(name)") }
        }
        guard !missing.isEmpty else { return }
        try write { database throws(StoreError) in
            for number in missing { try database.run("UPDATE chunks SET is_stored = 0 WHERE number = ?", number) }
        }
    }

    /// The space in use: uploaded chunks, received bytes of those being uploaded, and rows.
    var usedBytes: Int {
        storedBytes + drafts.bytes + count * FileStore.chunkCost + recipientCount * FileStore.recipientCost
    }

    /// The free space to keep on the disk.
    var reserve: Int {
        get { store.reserve.size }
        set { store.reserve.size = newValue }
    }

    /// Returns true if the disk has space for `bytes` besides the reserve.
    func hasSpace(_ bytes: Int) -> Bool {
        // Errors of the database are reported by the write itself.
        store.reserve.beginTurn()
        return store.reserve.take(bytes, for: .growth, limit: nil)
    }

    // MARK: - Finding

    func chunk(senderID: EntityID) throws(StoreError) -> StoredChunk? {
        try store.database.first(Query.bySender, senderID.bytes) { row throws(StoreError) in try StoredChunk(from: &row)
        }
    }

    func recipient(_ id: EntityID) throws(StoreError) -> ChunkRecipient? {
        try store.database.first(Query.byRecipient, id.bytes) { row throws(StoreError) in
            let chunk = try StoredChunk(from: &row)
            return ChunkRecipient(id: id, key: try StoredChunk.key(try row.bytes()), chunk: chunk)
        }
    }

    /// The path of an uploaded chunk.
    func path(of chunk: StoredChunk) -> String {
        "\(folder)/\(chunk.number)"
    }

    // MARK: - Changing

    /// Adds a chunk and its recipients with these unused ids.
    ///
    /// - Parameter hour: The current time in hours since 1970.
    func add(_ chunk: NewChunk, senderID: EntityID, recipientIDs: [EntityID], hour: Int64) throws(StoreError) {
        try write { database throws(StoreError) in
            try database.run(
                "INSERT INTO chunks (sender_id, sender_key, size, digest, created) VALUES (?, ?, ?, ?, ?)",
                senderID.bytes, chunk.senderKey.der, Int64(chunk.size), chunk.digest, hour)
            try insert(recipientIDs, chunk.recipientKeys, of: database.lastInsertedID, in: database)
        }
        count += 1
        recipientCount += recipientIDs.count
    }

    /// Adds recipients to a chunk.
    func add(_ keys: [AuthorizationKey], ids: [EntityID], to chunk: StoredChunk) throws(StoreError) {
        try write { database throws(StoreError) in try insert(ids, keys, of: chunk.number, in: database) }
        recipientCount += ids.count
    }

    private func insert(
        _ ids: [EntityID], _ keys: [AuthorizationKey], of number: Int64, in database: Database
    ) throws(StoreError) {
        for (id, key) in zip(ids, keys) {
            try database.run(
                "INSERT INTO recipients (recipient_id, chunk, key) VALUES (?, ?, ?)", id.bytes, number, key.der)
        }
    }

    /// Removes a recipient. The chunk stays for the others, until its sender deletes it or it expires.
    func remove(_ recipient: ChunkRecipient) throws(StoreError) {
        try write { database throws(StoreError) in
            try database.run("DELETE FROM recipients WHERE recipient_id = ?", recipient.id.bytes)
        }
        recipientCount -= 1
    }

    /// Removes a chunk with its recipients and its file.
    func remove(_ chunk: StoredChunk) throws(StoreError) {
        try remove([chunk])
    }

    private func remove(_ chunks: [StoredChunk]) throws(StoreError) {
        var recipients = 0
        try write { database throws(StoreError) in
            for chunk in chunks {
                try database.run("DELETE FROM recipients WHERE chunk = ?", chunk.number)
                recipients += database.changes
                try database.run("DELETE FROM chunks WHERE number = ?", chunk.number)
            }
        }
        count -= chunks.count
        recipientCount -= recipients
        for chunk in chunks where chunk.isStored {
            shares.remove(chunk)
            storedBytes -= Int(chunk.size)
            // A file that cannot be removed now is removed at the next start.
            do throws(SystemError) { try Files.remove(path(of: chunk)) } catch {}
        }
    }

    /// Removes up to `limit` chunks that were created before an hour.
    ///
    /// - Returns: The number of removed chunks.
    func expire(before hour: Int64, limit: Int) throws(StoreError) -> Int {
        let old = try store.database.rows(Query.byAge, hour, limit) { row throws(StoreError) in
            try StoredChunk(from: &row)
        }
        guard !old.isEmpty else { return 0 }
        try remove(old)
        return old.count
    }

    // MARK: - Uploads

    /// Begins the upload of a chunk. Its bytes use space when they arrive.
    func beginUpload(of chunk: StoredChunk) -> ChunkUpload {
        lastUpload += 1
        return ChunkUpload(
            chunk, draft: "\(folder)/\(chunk.number)-\(lastUpload)\(FileStore.draftSuffix)", path: path(of: chunk),
            space: drafts)
    }

    /// Records that the file of a chunk has its name.
    ///
    /// - Parameter source: The address that uploaded it.
    /// - Returns: False if the chunk was deleted meanwhile; then the file is removed.
    func confirm(_ chunk: StoredChunk, of source: UploadPlaces.Source?) throws(StoreError) -> Bool {
        var isNew = false, exists = false
        try write { database throws(StoreError) in
            try database.run("UPDATE chunks SET is_stored = 1 WHERE number = ? AND is_stored = 0", chunk.number)
            isNew = database.changes > 0
            if isNew {
                exists = true
            } else {
                exists =
                    try database.first("SELECT number FROM chunks WHERE number = ?", chunk.number) {
                        row throws(StoreError) in try row.int64()
                    } != nil
            }
        }
        if isNew {
            storedBytes += Int(chunk.size)
            shares.add(chunk, of: source)
        }
        if !exists { do throws(SystemError) { try Files.remove(path(of: chunk)) } catch {} }
        return exists
    }

    /// Runs one transaction; after an error nothing has changed.
    private func write(_ body: (Database) throws(StoreError) -> Void) throws(StoreError) {
        // Before the transaction: an error after it would deny a change that is stored.
        try store.checkpointIfDue()
        do throws(StoreError) {
            try body(try store.writing())
            try store.commit()
        } catch {
            store.rollback()
            throw error
        }
    }
}
