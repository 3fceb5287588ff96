import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import SMPProtocol
import Store
import XFTPClient

/// A file with everything that is stored about it.
struct StoredFile {
    let file: ChatFile
    /// Nil if the profile was deleted.
    let profileID: ProfileID?
    /// Nil for a file without an entry, and if the entry was deleted.
    let itemID: ChatItemID?
    let isOfItem: Bool
    let isSent: Bool
    /// What the transfers call it; nil if they never had it.
    let transfer: FileID?
    /// The description of the recipient, as far as it has come.
    let description: DescriptionPart
    /// True if unknown file relays may be used.
    let isApproved: Bool
    /// The token of the last part of the description, if that is on its way.
    let descriptionToken: Bytes?
    let createdAt: Timestamp
    /// The SHA-512 of the content as the sender announced it; nil if the sender did not.
    let digest: Bytes?
    /// How an old version sends it in messages; nil for another file.
    let inlineMode: FileInvitation.InlineMode?
    /// True if its message was deleted for all.
    let isRevoked: Bool

    /// The number of links that an own file without an entry is to have, as far as the user has said. A sent file has no description
    /// of its recipient, and the number of its last part holds this.
    var recipientCount: Int { isSent && !isOfItem ? Int(clamping: description.part) : 0 }
}

extension ChatStore {
    private static let fileQuery = """
        SELECT file_id, name, size, path, key, nonce, transport, state, progress, total, problem, profile_id, item_id,
            is_of_item, is_sent, transfer_id, description, last_part, has_description, is_approved, description_token,
            created_at, digest, inline_mode, is_revoked
        FROM files
        """

    /// The file of an entry as JSON, for a query of entries.
    static let fileOfItem = """
        (SELECT json_array(files.file_id, files.name, files.size, files.path, hex(files.key), hex(files.nonce),
            files.transport, files.state, files.progress, files.total, json(files.problem))
            FROM files WHERE files.item_id = items.item_id)
        """

    // MARK: - Reading

    func file(_ id: ChatFileID) throws -> StoredFile? {
        try files("WHERE file_id = ?", id.number).first
    }

    func file(of id: ChatItemID) throws -> StoredFile? {
        try files("WHERE item_id = ?", id.number).first
    }

    func file(_ transfer: FileID) throws -> StoredFile? {
        try files("WHERE transfer_id = ?", transfer.number).first
    }

    /// The file whose description has a token.
    func file(describedBy token: Bytes) throws -> StoredFile? {
        try files("WHERE description_token = ?", token).first
    }

    /// The files that are transferred, or wait for it, oldest first.
    func openFiles() throws -> [StoredFile] {
        try files(
            """
            WHERE state IN ('sndStored', 'sndTransfer', 'sndWarning', 'rcvAccepted', 'rcvTransfer', 'rcvWarning')
                AND transport = 'xftp' ORDER BY file_id
            """)
    }

    /// The own files of some profiles that file relays do not have yet, oldest first.
    func unfinishedUploads(of profiles: Set<ProfileID>) throws -> [StoredFile] {
        try openFiles().filter { file in
            file.isSent && file.descriptionToken == nil && file.profileID.map(profiles.contains) == true
        }
    }

    /// The files in messages that are being received.
    func openInlineFiles() throws -> [StoredFile] {
        try files("WHERE state IN ('rcvAccepted', 'rcvTransfer', 'rcvWarning') AND transport = 'smp' ORDER BY file_id")
    }

    /// The files that relays must not have any longer, and whose entries are still there.
    func revokedFiles() throws -> [StoredFile] {
        try files("WHERE is_revoked = 1 AND item_id IS NOT NULL")
    }

    /// The files whose entry or profile was deleted.
    func orphanedFiles() throws -> [StoredFile] {
        try files("WHERE profile_id IS NULL OR (is_of_item = 1 AND item_id IS NULL)")
    }

    /// The files of a profile, oldest first.
    func files(of id: ProfileID) throws -> [StoredFile] {
        try files("WHERE profile_id = ? ORDER BY file_id", id.number)
    }

    /// The id of the newest file; 0 without files.
    func newestFile() throws -> Int64 {
        try database.first("SELECT coalesce(max(file_id), 0) FROM files") { row throws(StoreError) in
            try row.int64()
        } ?? 0
    }

    /// True if another file has the same place.
    func isShared(_ file: ChatFile) throws -> Bool {
        guard let path = file.source?.path else { return false }
        return try database.first("SELECT 1 FROM files WHERE path = ? AND file_id != ?", path, file.id.number) { _ in
            true
        } ?? false
    }

    private func files(_ condition: String) throws -> [StoredFile] {
        try database.rows("\(ChatStore.fileQuery) \(condition)") { row throws(StoreError) in try row.fileRecord() }
    }

    private func files(_ condition: String, _ value: any SQLBindable) throws -> [StoredFile] {
        try database.rows("\(ChatStore.fileQuery) \(condition)", value) { row throws(StoreError) in
            try row.fileRecord()
        }
    }

    // MARK: - Writing

    /// Inserts a file. Must be called within a transaction.
    func insertFile(
        name: String, size: Int64, source: CryptoFile?, _ transport: ChatFile.Transport, _ state: FileState,
        isSent: Bool, item: ChatItemID?, of id: ProfileID, digest: Bytes? = nil,
        inlineMode: FileInvitation.InlineMode? = nil, at time: Timestamp
    ) throws -> ChatFileID {
        try database.run(
            """
            INSERT INTO files (profile_id, item_id, is_of_item, is_sent, transport, name, size, path, key, nonce, state,
                created_at, digest, inline_mode) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, id.number, item?.number, item != nil, isSent, transport.rawValue, name, size, source?.path,
            source?.key?.key, source?.key?.nonce.bytes, state.word, time, digest, inlineMode?.rawValue)
        return ChatFileID(database.lastInsertedID)
    }

    func update(_ id: ChatFileID, _ state: FileState) throws {
        let progress = state.progress ?? (0, 0)
        try database.run(
            "UPDATE files SET state = ?, progress = ?, total = ?, problem = ? WHERE file_id = ?", state.word,
            progress.done, progress.total, state.problem?.json.line, id.number)
    }

    func update(_ id: ChatFileID, source: CryptoFile?) throws {
        try database.run(
            "UPDATE files SET path = ?, key = ?, nonce = ? WHERE file_id = ?", source?.path, source?.key?.key,
            source?.key?.nonce.bytes, id.number)
    }

    func setName(_ name: String, of id: ChatFileID) throws {
        try database.run("UPDATE files SET name = ? WHERE file_id = ?", name, id.number)
    }

    func setSize(_ size: Int64, of id: ChatFileID) throws {
        try database.run("UPDATE files SET size = ? WHERE file_id = ?", size, id.number)
    }

    func setTransfer(_ transfer: FileID?, of id: ChatFileID) throws {
        try database.run("UPDATE files SET transfer_id = ? WHERE file_id = ?", transfer?.number, id.number)
    }

    func setApproved(_ isApproved: Bool, _ id: ChatFileID) throws {
        try database.run("UPDATE files SET is_approved = ? WHERE file_id = ?", isApproved, id.number)
    }

    func setDescription(_ description: DescriptionPart, of id: ChatFileID) throws {
        try database.run(
            "UPDATE files SET description = ?, last_part = ?, has_description = ? WHERE file_id = ?", description.text,
            description.part, description.isComplete, id.number)
    }

    /// Records ``StoredFile/recipientCount``. Must be called within a transaction.
    func setRecipientCount(_ count: Int64, of id: ChatFileID) throws {
        try database.run("UPDATE files SET last_part = ? WHERE file_id = ?", count, id.number)
    }

    func setDescriptionToken(_ token: Bytes?, of id: ChatFileID) throws {
        try database.run("UPDATE files SET description_token = ? WHERE file_id = ?", token, id.number)
    }

    /// Notes that the file of an own entry is to be deleted at its relays, because the entry is deleted for all. Must be called
    /// before that, within its transaction.
    func revokeFile(of item: ChatItem) throws {
        guard item.direction == .sent, item.file != nil else { return }
        try database.run(
            "UPDATE files SET is_revoked = 1 WHERE item_id = ? AND is_sent = 1 AND transport = 'xftp'", item.id.number)
    }

    func setRevoked(_ isRevoked: Bool, _ id: ChatFileID) throws {
        try database.run("UPDATE files SET is_revoked = ? WHERE file_id = ?", isRevoked, id.number)
    }

    // MARK: - Files in messages

    /// The pieces of a file so far.
    func content(of id: ChatFileID) throws -> Bytes {
        try database.first("SELECT coalesce(content, x'') FROM files WHERE file_id = ?", id.number) {
            row throws(StoreError) in try row.bytes()
        } ?? []
    }

    /// Stores the pieces of a file so far and their number; nil when they are not needed any longer.
    func setContent(_ content: Bytes?, pieces: Int64, of id: ChatFileID) throws {
        try database.run("UPDATE files SET content = ?, last_part = ? WHERE file_id = ?", content, pieces, id.number)
    }

    /// Forgets the paths that an archive must not choose: those of files outside of the folder for files. Uploads of such files have
    /// failed, and downloads are offers again. Must be called within a transaction.
    func forgetForeignPaths() throws {
        let paths = try database.rows("SELECT file_id, path FROM files WHERE path IS NOT NULL") {
            row throws(StoreError) in (id: ChatFileID(try row.int64()), path: StoredPath(try row.text()))
        }
        for (id, path) in paths where path?.isName != true {
            guard let record = try file(id) else { continue }
            try update(id, source: nil)
            try setTransfer(nil, of: id)
            guard record.file.state.isUnderWay else { continue }
            if record.inlineMode != nil { try setContent(nil, pieces: 0, of: id) }
            try update(id, record.isSent ? .sentError(.noFile) : .offered)
        }
    }

    func removeFile(_ id: ChatFileID) throws {
        try database.run("DELETE FROM files WHERE file_id = ?", id.number)
    }

    // MARK: - Descriptions of sent files

    func insertDescription(_ text: String, isOfSender: Bool, of id: ChatFileID) throws {
        try database.run(
            "INSERT INTO file_descriptions (file_id, is_of_sender, description) VALUES (?, ?, ?)", id.number,
            isOfSender,
            text)
    }

    /// The descriptions of a sent file: that of its sender, or those that nobody has got.
    func descriptions(ofSender isOfSender: Bool, of id: ChatFileID) throws -> [String] {
        try database.rows(
            """
            SELECT description FROM file_descriptions WHERE file_id = ? AND is_of_sender = ? ORDER BY file_description_id
            """, id.number, isOfSender
        ) { row throws(StoreError) in try row.text() }
    }

    /// Removes a description without a recipient, and returns it. The last one stays. Must be called within a transaction.
    func takeDescription(of id: ChatFileID) throws -> String? {
        let found = try database.first(
            """
            SELECT file_description_id, description FROM file_descriptions WHERE file_id = ? AND is_of_sender = 0
            ORDER BY file_description_id LIMIT 1
            """, id.number
        ) { row throws(StoreError) in (try row.int64(), try row.text()) }
        guard let (number, text) = found else { return nil }
        // The last one is for all that follow.
        guard try descriptions(ofSender: false, of: id).count > 1 else { return text }
        try database.run("DELETE FROM file_descriptions WHERE file_description_id = ?", number)
        return text
    }

    // MARK: - File relays

    /// The own file relays of a profile, or those that the first profile begins with, and those of operators whose use the user
    /// has chosen.
    func fileServers(of id: ProfileID?) throws -> [ProfileServer] {
        try database.rows(
            """
            SELECT file_server_id, address, is_preset, is_enabled FROM file_servers WHERE profile_id IS ?
            ORDER BY file_server_id
            """, id?.number
        ) { row throws(StoreError) in
            let id = ServerID(try row.int64())
            guard let server = try? ConfiguredServer(text: try row.text(), scheme: .xftp) else {
                throw StoreError(.damaged)
            }
            let isPreset = try row.bool()
            return ProfileServer(id: id, server, isPreset: isPreset, isEnabled: try row.bool(), isForFiles: true)
        }
    }

    /// Replaces the own file relays of a profile. Must be called within a transaction.
    func setFileServers(_ servers: [ConfiguredServer], of id: ProfileID?) throws {
        try database.run("DELETE FROM file_servers WHERE profile_id IS ? AND is_preset = 0", id?.number)
        for server in servers { try insertFileServer(ProfileServer(server, isForFiles: true), of: id) }
    }

    func insertFileServer(_ server: ProfileServer, of id: ProfileID?) throws {
        try database.run(
            """
            INSERT OR IGNORE INTO file_servers (profile_id, address, is_preset, is_enabled) VALUES (?, ?, ?, ?)
            """, id?.number, server.text, server.isPreset, server.isEnabled)
    }

    func updateFileServer(_ server: ProfileServer) throws {
        try database.run(
            "UPDATE file_servers SET address = ?, is_enabled = ? WHERE file_server_id = ?", server.text,
            server.isEnabled, server.id?.number)
    }

    func removeFileServer(_ id: ServerID) throws {
        try database.run("DELETE FROM file_servers WHERE file_server_id = ?", id.number)
    }

    // MARK: - Acceptance

    /// The largest size in bytes of the files of each kind that are accepted without asking.
    func fileAcceptance() throws -> [FileKind: Int64] {
        let rows = try database.rows("SELECT kind, size FROM file_acceptance") { row throws(StoreError) in
            (try row.word() as FileKind, try row.int64())
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Must be called within a transaction.
    func setFileAcceptance(_ sizes: [FileKind: Int64]) throws {
        try database.run("DELETE FROM file_acceptance")
        for (kind, size) in sizes {
            try database.run("INSERT INTO file_acceptance (kind, size) VALUES (?, ?)", kind.rawValue, size)
        }
    }
}

extension Row {
    fileprivate mutating func fileRecord() throws(StoreError) -> StoredFile {
        let id = ChatFileID(try int64()), name = FileName.component(try text()), size = try int64()
        let path = try optional { row throws(StoreError) in try row.text() }
        let key = try optional { row throws(StoreError) in try row.secret() }
        let nonce = try optional { row throws(StoreError) in try row.bytes() }
        let transport: ChatFile.Transport = try word()
        let stateWord = try text(), progress = try int64(), total = try int64()
        let problem = try optional { row throws(StoreError) in try row.text() }
        guard let state = FileState(word: stateWord, done: progress, total: total, problem: try Row.problem(problem))
        else { throw StoreError(.damaged) }
        let profileID = try optional { row throws(StoreError) in ProfileID(try row.int64()) }
        let itemID = try optional { row throws(StoreError) in ChatItemID(try row.int64()) }
        let isOfItem = try bool(), isSent = try bool()
        let transfer = try optional { row throws(StoreError) in FileID(try row.int64()) }
        let description = DescriptionPart(try text(), part: try int64(), isComplete: try bool())
        let isApproved = try bool()
        let token = try optional { row throws(StoreError) in try row.bytes() }
        let createdAt = try timestamp()
        let digest = try optional { row throws(StoreError) in try row.bytes() }
        let mode = try optional { row throws(StoreError) in try row.text() }
        return StoredFile(
            file: ChatFile(
                id: id, name: name, size: size, source: try Row.source(path, key, nonce), transport: transport,
                state: state),
            profileID: profileID, itemID: itemID, isOfItem: isOfItem, isSent: isSent, transfer: transfer,
            description: description, isApproved: isApproved, descriptionToken: token, createdAt: createdAt,
            digest: digest, inlineMode: mode.flatMap(FileInvitation.InlineMode.init(rawValue:)), isRevoked: try bool())
    }

    private static func problem(_ text: String?) throws(StoreError) -> FileProblem? {
        guard let text else { return nil }
        guard let problem = try? FileProblem(decoding: Bytes(text.utf8)) else { throw StoreError(.damaged) }
        return problem
    }

    private static func source(_ path: String?, _ key: Secret?, _ nonce: Bytes?) throws(StoreError) -> CryptoFile? {
        guard let path = path.flatMap(StoredPath.init)?.text else { return nil }
        guard let key, let nonce else { return CryptoFile(path: path) }
        guard let localKey = try? LocalFileKey(key: key, nonce: nonce) else { throw StoreError(.damaged) }
        return CryptoFile(path: path, key: localKey)
    }

    /// Reads ``ChatStore/fileOfItem``.
    mutating func fileOfItem() throws(StoreError) -> ChatFile? {
        guard let text = try optional({ row throws(StoreError) in try row.text() }) else { return nil }
        guard let values = (try? JSONValue(decoding: Bytes(text.utf8)))?.array, values.count == 11,
            let id = values[0].integer, let name = values[1].string, let size = values[2].integer,
            let transport = values[6].string.flatMap(ChatFile.Transport.init(rawValue:)), let word = values[7].string,
            let progress = values[8].integer, let total = values[9].integer
        else { throw StoreError(.damaged) }
        let key = values[4].string.flatMap { $0.isEmpty ? nil : try? Hex.decode($0) }
        let nonce = values[5].string.flatMap { $0.isEmpty ? nil : try? Hex.decode($0) }
        let problem = values[10].object.flatMap { try? FileProblem(decoding: JSONValue.object($0).encoded) }
        guard let state = FileState(word: word, done: progress, total: total, problem: problem) else {
            throw StoreError(.damaged)
        }
        return ChatFile(
            id: ChatFileID(id), name: FileName.component(name), size: size,
            source: try Row.source(values[3].string, key.map { Secret(copying: $0) }, nonce), transport: transport,
            state: state)
    }
}
