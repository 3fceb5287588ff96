import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import Store

extension OfficialChatImport {
    func takeFiles() throws {
        let rows = try tables.rows(
            """
            file_id, user_id, chat_item_id, file_name, file_path, file_size, created_at, cancelled, ci_file_status,
            private_snd_file_descr, protocol, file_crypto_key, file_crypto_nonce, agent_snd_file_deleted, file_type
            """, from: "files", "ORDER BY file_id"
        ) { row throws(StoreError) in (file: try row.officialFile(), kind: try row.optionalForeignText()) }
        // Lists of a channel's members come as files too.
        for row in rows where row.kind ?? "normal" == "normal" {
            let row = row.file
            guard profiles[row.profile] != nil else { continue }
            guard let number = row.item else {
                note(.standaloneFiles)
                continue
            }
            guard let item = items[number] else { continue }
            try take(row, of: item)
        }
    }

    private func take(_ row: OfficialFileRow, of item: Int64) throws {
        let received = try tables.first(
            "file_descr_id, user_approved_relays", from: "rcv_files", "WHERE file_id = ?", row.id
        ) { row throws(StoreError) in (description: try row.optionalForeignID(), isApproved: try row.foreignBool()) }
        guard let transport = ChatFile.Transport(rawValue: row.transport) else { throw StoreError(.damaged) }
        let isSent =
            try database.first("SELECT direction = 'sent' FROM items WHERE item_id = ?", item) {
                row throws(StoreError) in try row.bool()
            } ?? true
        var state = OfficialContent.fileState(row.status ?? "", isSent: isSent)
        // SECURITY: a path that leads out of the archive could name any file of the user.
        var path = row.path
        if let named = path, !fileNames.contains(named) {
            path = nil
            let wasHere = state == .received || state == .sentStored || state == .sentComplete
            if wasHere { note(.files) }
        }
        switch state {
        case .sentStored where transport == .xftp:
            note(.transfers)
            // It is uploaded again, unless it is gone.
            if path == nil { state = .sentError(.noFile) }
        case .accepted:
            note(.transfers)
            // Where it goes is decided here, when it is accepted again.
            state = .offered
            path = nil
        case .offered, .aborted: path = nil
        default: break
        }
        if transport == .smp, state == .offered { state = .receivedCancelled }
        if transport == .smp { note(.oldFiles) }
        var description: DescriptionPart?
        if let id = received?.description { description = try self.description(id) }
        try database.run(
            """
            INSERT INTO files (file_id, profile_id, item_id, is_of_item, is_sent, transport, name, size, path, key, nonce,
                state, problem, description, last_part, has_description, is_approved, created_at)
            VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, row.id, row.profile, item, isSent, transport.rawValue, row.name, row.size, path,
            path == nil ? nil : row.key?.key, path == nil ? nil : row.key?.nonce.bytes, state.word,
            state.problem?.json.line, description?.text ?? "", description?.part ?? 0,
            description?.isComplete ?? false, received?.isApproved ?? false, row.createdAt)
        if let text = row.senderDescription, !row.isDeletedAtRelays {
            try store.insertDescription(text, isOfSender: true, of: ChatFileID(row.id))
        }
        let extra = try tables.rows(
            "file_descr_text", from: "extra_xftp_file_descriptions", "WHERE file_id = ?", row.id
        ) { row throws(StoreError) in try row.foreignText() }
        for text in extra { try store.insertDescription(text, isOfSender: false, of: ChatFileID(row.id)) }
    }

    private func description(_ id: Int64) throws -> DescriptionPart? {
        try tables.first(
            "file_descr_text, file_descr_part_no, file_descr_complete", from: "xftp_file_descriptions",
            "WHERE file_descr_id = ?", id
        ) { row throws(StoreError) in
            let text = try row.foreignText(), part = try row.int64(in: 0...Int64(Int32.max))
            return DescriptionPart(text, part: part, isComplete: try row.foreignBool())
        }
    }
}

/// A file as the official database has it.
private struct OfficialFileRow {
    let id: Int64
    let profile: Int64
    let item: Int64?
    let name: String
    let path: String?
    let size: Int64
    let createdAt: Timestamp
    let status: String?
    let senderDescription: String?
    let transport: String
    let key: LocalFileKey?
    let isDeletedAtRelays: Bool
}

extension Row {
    fileprivate mutating func officialFile() throws(StoreError) -> OfficialFileRow {
        let id = try foreignID(), profile = try foreignID(), item = try optionalForeignID()
        let name = try foreignText(), path = try optionalForeignText()
        let size = try int64(in: 0...Int64.max / 2), createdAt = try foreignTime()
        skip(1)
        let status = try optionalForeignText(), senderDescription = try optionalForeignText()
        let transport = try optionalForeignText() ?? "smp"
        let secret = try optional { row throws(StoreError) in try row.secret() }, nonce = try optionalForeignBytes()
        var key: LocalFileKey?
        if let secret, let nonce {
            guard let made = try? LocalFileKey(key: secret, nonce: nonce) else { throw StoreError(.damaged) }
            key = made
        }
        return OfficialFileRow(
            id: id, profile: profile, item: item, name: FileName.safe(name), path: path, size: size,
            createdAt: createdAt, status: status, senderDescription: senderDescription, transport: transport,
            key: key, isDeletedAtRelays: try foreignBool())
    }
}
