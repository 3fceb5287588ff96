public import ByteCoding
import JSONCoding
public import SystemIO

/// The folder beside a store with what an unfinished migration needs: its state, the archive, and a small store of its own for the
/// transfer of the archive.
///
/// It is beside the store, and not in it, because the store is moved meanwhile: at the source it is frozen, at the destination there is
/// none yet.
public struct MigrationFolder: Hashable, Sendable {
    public let path: String
    /// The store that moves.
    public let store: StoreFolder

    /// The most bytes of a state: a link is the largest part.
    private static let limit = 2 << 20

    public init(of store: StoreFolder) {
        self.store = store
        var path = store.path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path + ".migration"
    }

    private var state: String { path + "/state" }
    /// The archive.
    public var archive: String { path + "/archive.zip" }
    /// The store with the transfer. It has one profile, whose name says nothing, and no key: it protects nothing that is not in
    /// ``archive`` too.
    public var transfer: StoreFolder { StoreFolder(path + "/transfer") }

    /// The unfinished migration; nil if there is none.
    ///
    /// - Throws: ``MigrationError/unreadable(path:)``.
    public func record() throws(MigrationError) -> MigrationRecord? {
        guard Files.exists(state) else { return nil }
        guard let bytes = try? Files.read(state, limit: MigrationFolder.limit),
            var fields = try? JSONFields(decoding: bytes), let record = try? MigrationRecord(from: &fields)
        else { throw .unreadable(path: state) }
        return record
    }

    /// Stores the state of a migration. It is on the disk on return.
    public func save(_ record: MigrationRecord) throws(SystemError) {
        try Files.createFolder(path)
        try Files.replace(state, record.fields.encoded)
    }

    /// Takes an event, and stores what follows. At the end nothing is left of the migration.
    ///
    /// - Returns: Nil at the end.
    /// - Throws: ``MigrationError`` or ``SystemError``.
    public func take(
        _ event: MigrationEvent, in record: MigrationRecord,
        now: Timestamp = Timestamp(milliseconds: SystemClock.milliseconds())
    ) throws -> MigrationRecord? {
        var record = record
        guard try record.take(event, at: now) else {
            try remove()
            return nil
        }
        try save(record)
        return record
    }

    /// Removes everything. The state goes first: what a crash leaves is removed by the next migration.
    public func remove() throws(SystemError) {
        if Files.exists(state) {
            try Files.remove(state)
            try Files.synchronizeFolder(of: state)
        }
        try sweep()
    }

    /// Removes what a migration has left that is over.
    public func sweep() throws(SystemError) {
        guard !Files.exists(state) else { return }
        try StoreErasure.erase(path)
    }

    /// The inode of the database of the store; nil without a store.
    public var inode: UInt64? { try? Files.status(store.chatDatabase).inode }

    /// Removes the archive, to be written again.
    public func removeArchive() throws(SystemError) {
        if Files.exists(archive) { try Files.remove(archive) }
    }

    /// Removes the store with the transfer.
    public func removeTransfer() throws(SystemError) {
        try StoreErasure.erase(transfer.path)
    }
}
