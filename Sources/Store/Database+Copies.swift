internal import CSQLite
internal import Glibc
public import PageCipher

extension Database {
    // MARK: - New files

    /// Creates a file, readable by its owner only: SQLite takes an empty one for an empty database, and gives the files
    /// that it puts beside it the same permissions. With a key, the header of an encrypted database is in it.
    static func createFile(_ path: String, _ key: StoreKey?, _ slots: KeySlots?) throws(StoreError) {
        guard path != inMemory else { return }
        let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError(.cannotOpen) }
        close(file)
        guard let key else { return }
        guard let slots else { preconditionFailure("somebody can open the new database") }
        do throws(CipherError) {
            try FileHeader(key: key, slots: slots).write(to: path)
        } catch {
            throw StoreError(error)
        }
    }

    /// Tells SQLite how many bytes at the end of pages a database that has none yet, or a copy, is to leave alone.
    @unsafe
    static func reserve(_ count: Int, on connection: OpaquePointer) {
        var count = Int32(count)
        unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
    }

    /// The name of a file for SQLite, in which no character has a meaning (sqlite.org/uri.html).
    static func uri(_ path: String, through layer: String? = nil) -> String {
        guard path != inMemory else { return path }
        let digits = Array("0123456789ABCDEF".utf8)
        var uri = Array("file:".utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                uri.append(byte)
            default: uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: uri, as: UTF8.self) + (layer.map { "?vfs=\($0)" } ?? "")
    }

    // MARK: - Copies

    /// Copies the database as it is now into a new file, readable by its owner only, and waits until that is on the disk.
    /// Others may read and write meanwhile. The copy of an encrypted database has the same key and the same slots.
    ///
    /// Not inside of a transaction. Needs ``Access/readWrite``, though nothing of this database is changed.
    public func copy(to path: String) throws(StoreError) {
        guard let cipher, let name = unsafe sqlite3_db_filename(connection, "main") else {
            return try copyPlain(to: path)
        }
        var slots: KeySlots?
        do throws(CipherError) {
            slots = try unsafe FileHeader.read(String(cString: name))?.slots
        } catch {
            throw StoreError(error)
        }
        guard let slots else { throw StoreError(.notADatabase) }
        try copy(to: path, key: cipher.key, slots: slots)
    }

    /// Like ``copy(to:)``, encrypted with `key`, whatever this database is. After an error the file may be there, and is
    /// no database.
    public func copy(to path: String, key: StoreKey, slots: KeySlots) throws(StoreError) {
        try Database.createFile(path, key, slots)
        let layer = CipherVFS(key)
        unsafe Database.reserve(PageCipher.reservedSize, on: connection)
        defer { if cipher == nil { unsafe Database.reserve(0, on: connection) } }
        try withExtendedLifetime(layer) { () throws(StoreError) in
            try vacuum(into: path, through: layer.name)
        }
    }

    /// Like ``copy(to:)``, in clear, whatever this database is. After an error the file may be there, and is no database.
    public func copyPlain(to path: String) throws(StoreError) {
        try Database.createFile(path, nil, nil)
        guard let layer = unsafe sqlite3_vfs_find(nil) else { throw StoreError(.misuse) }
        try vacuum(into: path, through: unsafe String(cString: layer.pointee.zName))
    }

    /// Fills a file that has no pages (sqlite.org/lang_vacuum.html).
    private func vacuum(into path: String, through layer: String) throws(StoreError) {
        try run("VACUUM INTO ?", Database.uri(path, through: layer))
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        for place in [path, folder] {
            // Nobody has the new file open, so closing it takes no locks away.
            let file = unsafe open(place, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw StoreError(.cannotOpen) }
            defer { close(file) }
            guard fsync(file) == 0 else { throw StoreError(.disk) }
        }
    }

    // MARK: - Verification

    /// The pages of an encrypted database that are not what was written there, by their numbers; none for a plain one. Reads
    /// the whole file; others may read and write meanwhile.
    ///
    /// What the log holds is copied into the file first, unless others read it or nothing can be written here. It is not checked
    /// itself: a log whose end does not match is one that a crash has cut off.
    ///
    /// - Parameter progress: Called after each page with the number of those that were read, and of all.
    /// - Throws: ``StoreError/Code/disk`` if the disk fails.
    public func damagedPages(
        progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(StoreError) -> [Int] {
        guard cipher != nil else { return [] }
        do throws(StoreError) {
            try checkpoint()
        } catch {
            // What is damaged in the log is met again by whoever reads it.
            guard [.busy, .diskFull, .damaged].contains(error.code) || error.isReadOnly else { throw error }
        }
        let (status, pages) = unsafe CipherVFS.damagedPages(of: connection, progress: progress)
        try Database.check(status)
        return pages
    }
}
