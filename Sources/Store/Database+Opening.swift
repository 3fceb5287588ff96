internal import CSQLite
internal import Glibc
internal import PageCipher

extension Database {
    /// How a database is opened.
    struct Opening {
        let path: String
        let access: Access
        let flags: Int32
        let cipher: CipherVFS?
        let durability: Durability
        /// How long to wait for another process, in milliseconds.
        let patience: Int32

        /// Opens it. Where nothing can be written, because the disk is full or nobody may, it is read as it stands: SQLite wants
        /// to make a file beside it otherwise.
        func connect() throws(StoreError) -> OpaquePointer {
            let uri = Database.uri(path)
            do throws(StoreError) {
                return unsafe try connect(to: uri)
            } catch {
                guard access == .readOnly, standsStill(error) else { throw error }
                return unsafe try connect(to: uri + "?immutable=1")
            }
        }

        /// Whether nothing but the file that cannot be made is missing: no log waits to be read too.
        private func standsStill(_ error: StoreError) -> Bool {
            guard error.preventsWriting else { return false }
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return false }
            return unsafe stat(path + "-wal", &status) != 0 || status.st_size == 0
        }

        /// Whether a database has steps of a schema as this program notes them, or nothing at all.
        private func isOwnOrEmpty(_ connection: OpaquePointer) -> Bool {
            var type: UnsafePointer<CChar>?
            let found = unsafe sqlite3_table_column_metadata(
                connection, nil, "migrations", "hash", &type, nil, nil, nil, nil)
            if found == SQLITE_OK { return unsafe type.map { unsafe String(cString: $0) } == "BLOB" }
            var statement: OpaquePointer?
            defer { unsafe sqlite3_finalize(statement) }
            let query = "SELECT 1 FROM sqlite_master LIMIT 1"
            guard unsafe sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK else { return false }
            return unsafe sqlite3_step(statement) == SQLITE_DONE
        }

        private func connect(to uri: String) throws(StoreError) -> OpaquePointer {
            var opened: OpaquePointer?
            let status = unsafe sqlite3_open_v2(uri, &opened, flags, cipher?.name)
            guard status == SQLITE_OK, let connection = unsafe opened else {
                unsafe sqlite3_close_v2(opened)
                throw StoreError(sqlite: status)
            }
            do throws(StoreError) {
                unsafe sqlite3_busy_timeout(connection, patience)
                try unsafe Database.check(tacit_set_defensive(connection))
                // Only a database without pages takes it; the others have it.
                if cipher != nil { unsafe Database.reserve(PageCipher.reservedSize, on: connection) }
                let script =
                    access == .readOnly
                    ? "PRAGMA query_only=ON; PRAGMA schema_version;"
                    : "PRAGMA synchronous=\(durability == .full ? "FULL" : "NORMAL");"
                try unsafe Database.execute(
                    "\(script) PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON;",
                    on: connection)
                // The mode stays with the file: one of another program, which is about to be refused, keeps its own.
                if access != .readOnly, unsafe isOwnOrEmpty(connection) {
                    try unsafe Database.execute("PRAGMA journal_mode=WAL", on: connection)
                }
                // Decrypting a page takes longer than reading it, so more of them are kept: 16 MiB instead of 2.
                if cipher != nil { try unsafe Database.execute("PRAGMA cache_size=-16384", on: connection) }
            } catch {
                unsafe sqlite3_close_v2(connection)
                let isEncrypted = error.code == .notADatabase && cipher == nil && (try? FileHeader.read(path)) != nil
                throw isEncrypted ? StoreError(.keyMissing) : error
            }
            return unsafe connection
        }
    }
}
