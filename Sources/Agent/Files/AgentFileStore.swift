import ByteCoding
import CryptoCore
import SMPProtocol
import Store
import XFTPClient
import XFTPProtocol

/// The records of files in the agent's database.
final class AgentFileStore: FileTransferStore {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    // MARK: - Uploads

    func uploads() throws -> [UploadRecord] {
        let records = try database.rows(
            """
            SELECT file_id, profile_id, source, source_key, source_nonce, name, recipients, uses_redirect, created_at, stage,
                failure FROM file_uploads ORDER BY file_id
            """
        ) { row throws(StoreError) in
            UploadRecord(
                id: FileID(try row.int64()), profileID: try row.int64(), source: try row.localFile(),
                name: try row.text(), recipients: try row.count(), usesRedirect: try row.bool(),
                createdAt: try row.timestamp(), stage: try row.code(),
                failure: try row.optional { row throws(StoreError) in try row.text() })
        }
        var complete: [UploadRecord] = []
        for var record in records {
            record.parts = try parts(of: record.id)
            complete.append(record)
        }
        return complete
    }

    private func parts(of id: FileID) throws -> [FileUpload] {
        let parts = try database.rows(
            """
            SELECT part, key, nonce, digest, redirect_size, redirect_digest FROM file_upload_parts WHERE file_id = ? ORDER BY part
            """, id.number
        ) { row throws(StoreError) in
            (
                number: try row.int64(),
                upload: FileUpload(
                    key: try row.fileKey(), digest: try row.bytes(), chunks: [], redirect: try row.redirect())
            )
        }
        var complete: [FileUpload] = []
        for (number, upload) in parts {
            var upload = upload
            upload.chunks = try database.rows(
                """
                SELECT number, start, size, digest, sender_key, nullif(recipient_keys, x''), server, sender_id, recipient_ids,
                    is_uploaded
                FROM file_upload_chunks WHERE file_id = ? AND part = ? ORDER BY number
                """, id.number, number
            ) { row throws(StoreError) in try row.uploadChunk() }
            complete.append(upload)
        }
        return complete
    }

    func save(_ upload: UploadRecord) throws {
        try database.transaction {
            try removeUpload(upload.id)
            try database.run(
                """
                INSERT INTO file_uploads (file_id, profile_id, source, source_key, source_nonce, name, recipients, uses_redirect,
                    created_at, stage, failure) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, upload.id.number, upload.profileID, upload.source.path, upload.source.key?.key,
                upload.source.key?.nonce.bytes, upload.name, upload.recipients, upload.usesRedirect, upload.createdAt,
                upload.stage.rawValue, upload.failure)
            for (part, file) in upload.parts.enumerated() {
                try database.run(
                    """
                    INSERT INTO file_upload_parts (file_id, part, key, nonce, digest, redirect_size, redirect_digest)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """, upload.id.number, part, file.key.key, file.key.nonce.bytes, file.digest, file.redirect?.size,
                    file.redirect?.digest)
                for chunk in file.chunks { try save(chunk, part: part, of: upload.id) }
            }
        }
    }

    func save(_ chunk: FileUpload.Chunk, part: Int, of id: FileID) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO file_upload_chunks (file_id, part, number, start, size, digest, sender_key, recipient_keys,
                server, sender_id, recipient_ids, is_uploaded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, id.number, part, chunk.number, chunk.start, Int64(chunk.size), chunk.digest,
            try AgentFileStore.seeds([chunk.senderKey]), try AgentFileStore.seeds(chunk.recipientKeys),
            chunk.registration?.server.text(scheme: .xftp), chunk.registration?.senderID.bytes,
            chunk.registration.map { AgentFileStore.encode($0.recipientIDs) }, chunk.isUploaded)
    }

    func removeUpload(_ id: FileID) throws {
        try database.run("DELETE FROM file_uploads WHERE file_id = ?", id.number)
    }

    /// The seeds of Ed25519 keys, 32 bytes each: this program makes no others for files.
    private static func seeds(_ keys: [AuthorizationPrivateKey]) throws(StoreError) -> Secret {
        var writer = SecretWriter()
        for key in keys {
            guard case .ed25519(let key) = key else { throw StoreError(.misuse) }
            writer.secret(key.seed)
        }
        return writer.finish()
    }

    private static func encode(_ ids: [EntityID]) -> Bytes {
        var writer = ByteWriter()
        for id in ids { writer.value(id) }
        return writer.bytes
    }

    // MARK: - Downloads

    func downloads() throws -> [DownloadRecord] {
        var records: [DownloadRecord] = []
        let ids = try database.rows("SELECT file_id FROM file_downloads ORDER BY file_id") { row throws(StoreError) in
            FileID(try row.int64())
        }
        for id in ids {
            let states = try database.rows(
                "SELECT state, replica FROM file_download_chunks WHERE file_id = ? ORDER BY number", id.number
            ) { row throws(StoreError) in try row.chunkState() }
            let record = try database.first(
                """
                SELECT profile_id, target, target_key, target_nonce, created_at, content_digest, stage, description, path,
                    failure
                FROM file_downloads WHERE file_id = ?
                """, id.number
            ) { row throws(StoreError) in
                DownloadRecord(
                    id: id, profileID: try row.int64(), target: try row.localFile(), createdAt: try row.timestamp(),
                    contentDigest: try row.optional { row throws(StoreError) in try row.bytes() },
                    stage: try row.code(), download: try row.download(states: states),
                    path: try row.optional { row throws(StoreError) in try row.text() },
                    failure: try row.optional { row throws(StoreError) in try row.text() })
            }
            if let record { records.append(record) }
        }
        return records
    }

    func save(_ download: DownloadRecord) throws {
        try database.transaction {
            try removeDownload(download.id)
            try database.run(
                """
                INSERT INTO file_downloads (file_id, profile_id, target, target_key, target_nonce, created_at,
                    content_digest, stage, path, failure, description) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, download.id.number, download.profileID, download.target.path, download.target.key?.key,
                download.target.key?.nonce.bytes, download.createdAt, download.contentDigest, download.stage.rawValue,
                download.path, download.failure, download.download.description.text)
            for (index, state) in download.download.states.enumerated() {
                try save(state, index: index, of: download.id)
            }
        }
    }

    func save(_ state: FileDownload.ChunkState, index: Int, of id: FileID) throws {
        let (code, replica) =
            switch state {
            case .missing(let replica): (0, replica)
            case .stored(let replica): (1, replica)
            case .acknowledged: (2, 0)
            }
        try database.run(
            "INSERT OR REPLACE INTO file_download_chunks (file_id, number, state, replica) VALUES (?, ?, ?, ?)",
            id.number, index + 1, code, replica)
    }

    func removeDownload(_ id: FileID) throws {
        try database.run("DELETE FROM file_downloads WHERE file_id = ?", id.number)
    }
}

extension Row {
    /// Reads a path and the key and nonce of the local encryption, which may be NULL.
    fileprivate mutating func localFile() throws(StoreError) -> LocalFile {
        let path = try text()
        let key = try optional { row throws(StoreError) in try row.secret() }
        let nonce = try optional { row throws(StoreError) in try row.bytes() }
        switch (key, nonce) {
        case (nil, nil): return LocalFile(path: path)
        case (let key?, let nonce?): return LocalFile(path: path, key: try Row.fileKey(key, nonce))
        default: throw StoreError(.damaged)
        }
    }

    private static func fileKey(_ key: Secret, _ nonce: Bytes) throws(StoreError) -> FileEncryptionKey {
        guard key.count == SecretBox.keySize, nonce.count == Nonce.size else { throw StoreError(.damaged) }
        return FileEncryptionKey(key: key, nonce: Nonce(nonce))
    }

    fileprivate mutating func fileKey() throws(StoreError) -> FileEncryptionKey {
        try Row.fileKey(try secret(), try bytes())
    }

    fileprivate mutating func redirect() throws(StoreError) -> FileDescription.Redirect? {
        let size = try optional { row throws(StoreError) in try row.int64() }
        let digest = try optional { row throws(StoreError) in try row.bytes() }
        guard let size, let digest else { return nil }
        return FileDescription.Redirect(size: size, digest: digest)
    }

    fileprivate mutating func uploadChunk() throws(StoreError) -> FileUpload.Chunk {
        let number = try count(), start = try int64(in: 0...XFTP.hardFileLimit)
        let size = UInt32(try int64(in: 1...Int64(UInt32.max))), digest = try bytes()
        let sender = try keys()
        // A file that is only to be deleted has no recipients.
        let recipients = try optional { row throws(StoreError) in try row.keys() } ?? []
        guard let senderKey = sender.first, digest.count == SHA256.size else { throw StoreError(.damaged) }
        var chunk = FileUpload.Chunk(
            number: number, start: start, size: size, digest: digest, senderKey: senderKey, recipientKeys: recipients)
        let server = try optional { row throws(StoreError) in try row.fileServer() }
        let senderID = try optional { row throws(StoreError) in try row.entityID() }
        let recipientIDs = try optional { row throws(StoreError) in try row.entityIDs() }
        if let server, let senderID, let recipientIDs {
            chunk.registration = FileUpload.Registration(
                server: server, senderID: senderID, recipientIDs: recipientIDs)
        }
        chunk.isUploaded = try bool()
        return chunk
    }

    private mutating func keys() throws(StoreError) -> [AuthorizationPrivateKey] {
        try secret { secret throws(DecodeError) in
            var reader = SecretReader(secret)
            var keys: [AuthorizationPrivateKey] = []
            while reader.remaining > 0 {
                guard let key = try? Ed25519.PrivateKey(seed: try reader.secret(32)) else { throw .invalid("key") }
                keys.append(.ed25519(key))
            }
            return keys
        }
    }

    private mutating func fileServer() throws(StoreError) -> ServerAddress {
        guard let server = try? ServerAddress(text: try text(), scheme: .xftp) else { throw StoreError(.damaged) }
        return server
    }

    private mutating func entityIDs() throws(StoreError) -> [EntityID] {
        var reader = ByteReader(try bytes())
        var ids: [EntityID] = []
        while reader.remaining > 0 {
            guard let id = try? EntityID(from: &reader) else { throw StoreError(.damaged) }
            ids.append(id)
        }
        return ids
    }

    fileprivate mutating func chunkState() throws(StoreError) -> FileDownload.ChunkState {
        let code = try int64(), replica = try count()
        switch code {
        case 0: return .missing(replica: replica)
        case 1: return .stored(replica: replica)
        case 2: return .acknowledged
        default: throw StoreError(.damaged)
        }
    }

    fileprivate mutating func download(states: [FileDownload.ChunkState]) throws(StoreError) -> FileDownload {
        guard let description = try? FileDescription(text: try text()),
            let download = try? FileDownload(description, states: states)
        else { throw StoreError(.damaged) }
        return download
    }
}
