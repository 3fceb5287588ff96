internal import CSQLite
internal import Glibc
public import PageCipher

/// Copies of a whole database in a new file.
extension Database {
    /// How many pages are copied between two looks at the progress: 1 MiB of them.
    private static let pagesAtOnce: Int32 = 256

    /// Copies what this connection sees, page by page, into a new database that its owner alone can read. It is on the disk
    /// when this returns. Others may read and write meanwhile; within a ``snapshot(_:)`` that changes nothing for the copy.
    ///
    /// - Parameters:
    ///   - key: The key of the copy: needed if this database is encrypted, impossible if it is not.
    ///   - slots: Who may open an encrypted copy.
    ///   - progress: Called from time to time with the number of pages that were copied, and of all.
    public func copy(
        to path: String, key: StoreKey?, slots: KeySlots?, progress: (Int, Int) -> Void = { _, _ in }
    ) throws(StoreError) {
        let target = try Database(path, .create, key: key, slots: slots)
        guard let backup = unsafe sqlite3_backup_init(target.connection, "main", connection, "main") else {
            throw unsafe StoreError(sqlite: sqlite3_errcode(target.connection))
        }
        var status = SQLITE_OK
        repeat {
            status = unsafe sqlite3_backup_step(backup, Database.pagesAtOnce)
            let all = unsafe Int(sqlite3_backup_pagecount(backup))
            let rest = unsafe Int(sqlite3_backup_remaining(backup))
            progress(all - rest, all)
        } while status == SQLITE_OK
        unsafe sqlite3_backup_finish(backup)
        guard status == SQLITE_DONE else { throw StoreError(sqlite: status) }
        try target.truncateLog()
    }

    /// Writes the database anew into a new file, encrypted with another key or in clear. It is on the disk when this returns.
    ///
    /// Not inside of a transaction. Needs ``Access/readWrite``, though nothing of this database is changed.
    public func convert(to path: String, key: StoreKey?, slots: KeySlots?) throws(StoreError) {
        try Database.createFile(path)
        if let key {
            guard let slots else { preconditionFailure("somebody can open the new database") }
            do throws(CipherError) {
                try FileHeader(key: key, slots: slots).write(to: path)
            } catch {
                throw StoreError(error)
            }
        }
        let cipher = key.map { CipherVFS($0) }
        // The new file leaves as much room in its pages as this one is asked for.
        var reserved = key == nil ? 0 : Int32(PageCipher.reservedSize)
        unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
        try run("VACUUM INTO ?", Database.name(of: path, layer: cipher?.name ?? Database.systemLayer))
        withExtendedLifetime(cipher) {}
        try Database.synchronize(path)
    }

    /// Moves everything from the log into the database file, and empties the log.
    ///
    /// - Throws: ``StoreError/Code/busy`` if somebody reads what was before for longer than the patience of this
    ///   connection.
    public func truncateLog() throws(StoreError) {
        try unsafe Database.check(
            sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
    }

    /// Runs `body` while this connection sees the database as it is now, whatever others write.
    public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try run("BEGIN")
        defer { try? run("ROLLBACK") }
        // The view begins with the first look.
        _ = try first("SELECT 1 FROM sqlite_master") { _ in true }
        return try body()
    }

    /// Makes the file as small as its contents, and brings the pages of each table together. Needs twice the room meanwhile;
    /// a crash, or a full disk, leaves what was before.
    public func compact() throws(StoreError) {
        try run("VACUUM")
        try truncateLog()
    }

    /// The pages of an encrypted database that are not what was written, by their numbers.
    public func damagedPages(progress: (Int, Int) -> Void = { _, _ in }) throws(StoreError) -> [Int] {
        let (status, pages) = unsafe CipherVFS.damagedPages(of: connection, progress: progress)
        try Database.check(status)
        return pages
    }

    // MARK: - Names for SQLite

    /// A path that is not taken for a URI (sqlite.org/uri.html).
    static func plainName(_ path: String) -> String {
        path.hasPrefix("file:") ? "./" + path : path
    }

    /// The name of SQLite's own layer of the system.
    private static let systemLayer: String = {
        guard let layer = unsafe sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has a layer for the system") }
        return unsafe String(cString: layer.pointee.zName)
    }()

    /// The URI of a file that is opened through a layer. All that could mean something in it is written as numbers.
    private static func name(of path: String, layer: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var uri = Array("file:".utf8)
        for byte in plainName(path).utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                uri.append(byte)
            default: uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: uri, as: UTF8.self) + "?vfs=" + layer
    }

    /// Waits until a file that no connection has open is on the disk: SQLite does not wait for what VACUUM wrote.
    private static func synchronize(_ path: String) throws(StoreError) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw StoreError(.cannotOpen) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw StoreError(.disk) }
    }
}
