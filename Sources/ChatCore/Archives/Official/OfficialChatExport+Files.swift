import ByteCoding
import ChatProtocol
import JSONCoding
import Store
import SystemIO

extension OfficialChatExport {
    func writeFiles() throws {
        let rows = try database.rows(
            """
            SELECT file_id, files.profile_id, files.item_id, is_sent, transport, name, size, path, key, nonce, state,
                problem, description, last_part, has_description, is_approved, files.created_at, contact_id, group_id,
                note_folder_id, author_id
            FROM files JOIN items USING (item_id) JOIN chats USING (chat_id)
            WHERE files.profile_id IS NOT NULL ORDER BY file_id
            """
        ) { row throws(StoreError) in try row.fileToExport() }
        for row in rows where items.contains(row.item) { try write(row) }
    }

    private func write(_ row: FileToExport) throws {
        var state = row.state
        let place = row.path.flatMap(StoredPath.init)
        var path = place.flatMap { $0.isName ? $0.text : addedFile($0.text, row.name) }
        if row.path != nil, path == nil { note(.files) }
        switch state {
        case .sentStored where row.transport == .local: break
        case .sentStored, .sending, .sentWarning:
            note(.transfers)
            state = .sentError(.noFile)
        case .accepted, .receiving, .receivedWarning:
            note(.transfers)
            // It can be accepted again.
            (state, path) = (row.transport == .smp ? .receivedCancelled : .offered, nil)
        default: break
        }
        let sender = try descriptions(of: row.id, isOfSender: true).first
        let isCancelled = state == .sentCancelled || state == .receivedCancelled
        try official.insert(
            into: "files",
            [
                "file_id": row.id, "contact_id": row.contact, "group_id": row.group, "file_name": row.name,
                "file_path": path, "file_size": row.size, "chunk_size": 15780, "created_at": text(row.createdAt),
                "user_id": row.profile, "chat_item_id": number(of: row.item), "updated_at": text(row.createdAt),
                "cancelled": isCancelled ? true : nil, "ci_file_status": OfficialContent.text(state),
                // The app deletes a file at its relays by this id.
                "agent_snd_file_id": row.isSent && row.transport == .xftp ? randomID() : nil,
                "private_snd_file_descr": sender, "agent_snd_file_deleted": row.isSent && sender == nil,
                "protocol": row.transport.rawValue, "file_crypto_key": path == nil ? nil : row.key,
                "file_crypto_nonce": path == nil ? nil : row.nonce, "note_folder_id": row.notes,
            ])
        if !row.isSent { try writeReceived(row, state, hasPath: path != nil) }
        for description in try descriptions(of: row.id, isOfSender: false) {
            try official.insert(
                into: "extra_xftp_file_descriptions",
                [
                    "file_id": row.id, "user_id": row.profile, "file_descr_text": description,
                    "created_at": text(row.createdAt), "updated_at": text(row.createdAt),
                ])
        }
    }

    private func writeReceived(_ row: FileToExport, _ state: FileState, hasPath: Bool) throws {
        var description: Int64?
        if row.transport == .xftp {
            try official.insert(
                into: "xftp_file_descriptions",
                [
                    "user_id": row.profile, "file_descr_text": row.description, "file_descr_part_no": row.part,
                    "file_descr_complete": row.isComplete, "created_at": text(row.createdAt),
                    "updated_at": text(row.createdAt),
                ])
            description = official.lastInsertedID
        }
        let word: String =
            switch state {
            case .offered, .aborted: "new"
            case .received where hasPath: "complete"
            default: "cancelled"
            }
        try official.insert(
            into: "rcv_files",
            [
                "file_id": row.id, "file_status": word, "group_member_id": row.group == nil ? nil : row.author,
                "created_at": text(row.createdAt), "updated_at": text(row.createdAt), "file_descr_id": description,
                "agent_rcv_file_deleted": word == "complete", "user_approved_relays": row.isApproved,
            ])
    }

    /// The name in the archive of a file that lies outside of the store; nil if it cannot be read.
    private func addedFile(_ path: String, _ name: String) -> String? {
        if let known = addedFiles[path] { return known }
        guard let status = try? Files.status(path), status.isRegular, (try? FileDescriptor(reading: path)) != nil,
            let added = FileName.candidates(FileName.safe(name)).first(where: { !fileNames.contains($0) })
        else { return nil }
        fileNames.insert(added)
        addedFiles[path] = added
        return added
    }

    private func descriptions(of file: Int64, isOfSender: Bool) throws -> [String] {
        try database.rows(
            """
            SELECT description FROM file_descriptions WHERE file_id = ? AND is_of_sender = ?
            ORDER BY file_description_id
            """, file, isOfSender
        ) { row throws(StoreError) in try row.text() }
    }
}

/// A file of this program, on its way out.
private struct FileToExport {
    let id: Int64
    let profile: Int64
    let item: Int64
    let isSent: Bool
    let transport: ChatFile.Transport
    let name: String
    let size: Int64
    let path: String?
    let key: Bytes?
    let nonce: Bytes?
    let state: FileState
    let description: String
    let part: Int64
    let isComplete: Bool
    let isApproved: Bool
    let createdAt: Timestamp
    let contact: Int64?
    let group: Int64?
    let notes: Int64?
    let author: Int64?
}

extension Row {
    fileprivate mutating func fileToExport() throws(StoreError) -> FileToExport {
        let id = try int64(), profile = try int64(), item = try int64(), isSent = try bool()
        guard let transport = ChatFile.Transport(rawValue: try text()) else { throw StoreError(.damaged) }
        let name = try text(), size = try int64(), path = try optionalText(), key = try optionalBytes()
        let nonce = try optionalBytes(), word = try text()
        let problem = try optionalText().flatMap { try? FileProblem(decoding: Bytes($0.utf8)) }
        guard let state = FileState(word: word, done: 0, total: 0, problem: problem) else { throw StoreError(.damaged) }
        return FileToExport(
            id: id, profile: profile, item: item, isSent: isSent, transport: transport, name: name, size: size,
            path: path, key: key, nonce: nonce, state: state, description: try text(), part: try int64(),
            isComplete: try bool(), isApproved: try bool(), createdAt: try timestamp(), contact: try optionalInteger(),
            group: try optionalInteger(), notes: try optionalInteger(), author: try optionalInteger())
    }
}
