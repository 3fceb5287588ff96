internal import CSQLite
internal import Glibc
public import PageCipher

extension Database {
    // MARK: - New files

    /// Creates an empty file, readable by its owner only. SQLite takes it for an empty database and gives its side
    /// files the same permissions. With a key, the file contains the header of an encrypted database.
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

    /// Sets the reserved bytes at the end of pages, for a database without pages or a copy.
    @unsafe
    static func reserve(_ count: Int, on connection: OpaquePointer) {
        var count = Int32(count)
        unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
    }

    /// Returns the file name as a URI for SQLite, without special characters (sqlite.org/uri.html).
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

    /// Copies the current database into a new file, readable by its owner only, and waits until the copy is on the
    /// disk. Other processes may read and write meanwhile. The copy of an encrypted database has the same key and
    /// slots.
    ///
    /// Must not be called inside of a transaction. Requires ``Access/readWrite``, although this database stays
    /// unchanged.
    ///
    /// - Throws: ``StoreError``.
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

    /// Copies like ``copy(to:)``, encrypted with `key`. After an error the file may exist, without a valid database.
    ///
    /// - Throws: ``StoreError``.
    public func copy(to path: String, key: StoreKey, slots: KeySlots) throws(StoreError) {
        try Database.createFile(path, key, slots)
        let layer = CipherVFS(key)
        unsafe Database.reserve(PageCipher.reservedSize, on: connection)
        defer { if cipher == nil { unsafe Database.reserve(0, on: connection) } }
        try withExtendedLifetime(layer) { () throws(StoreError) in
            try vacuum(into: path, through: layer.name)
        }
    }

    /// Copies like ``copy(to:)``, without encryption. After an error the file may exist, without a valid database.
    ///
    /// - Throws: ``StoreError``.
    public func copyPlain(to path: String) throws(StoreError) {
        try Database.createFile(path, nil, nil)
        guard let layer = unsafe sqlite3_vfs_find(nil) else { throw StoreError(.misuse) }
        try vacuum(into: path, through: unsafe String(cString: layer.pointee.zName))
    }

    /// Fills a file without pages (sqlite.org/lang_vacuum.html).
    private func vacuum(into path: String, through layer: String) throws(StoreError) {
        try run("VACUUM INTO ?", Database.uri(path, through: layer))
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        for place in [path, folder] {
            // No other process has the new file open, so closing it releases no locks.
            let file = unsafe open(place, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw StoreError(.cannotOpen) }
            defer { close(file) }
            guard fsync(file) == 0 else { throw StoreError(.disk) }
        }
    }

    // MARK: - Verification

    /// Returns the numbers of the damaged pages of an encrypted database; none for a plain one. Reads the whole file;
    /// other processes may read and write meanwhile.
    ///
    /// The content of the log is first copied into the file, unless other processes read it or the database is
    /// read-only. The log itself is not checked: an invalid end is the result of a crash.
    ///
    /// - Parameter progress: Called after each page with the number of pages read, and of all pages.
    /// - Throws: ``StoreError/Code/disk`` if the disk fails.
    public func damagedPages(
        progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(StoreError) -> [Int] {
        guard cipher != nil else { return [] }
        do throws(StoreError) {
            try checkpoint()
        } catch {
            // Damage in the log is reported to its next reader.
            guard [.busy, .diskFull, .damaged].contains(error.code) || error.isReadOnly else { throw error }
        }
        let (status, pages) = unsafe CipherVFS.damagedPages(of: connection, progress: progress)
        try Database.check(status)
        return pages
    }
}
