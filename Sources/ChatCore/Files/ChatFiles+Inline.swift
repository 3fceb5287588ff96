import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SystemIO
import XFTPClient

/// Small files that old versions send in messages (chat.md 5.1).
///
/// The pieces are stored with the messages that bring them, and become a file when all are there.
extension ChatFiles {
    /// The size of a piece in bytes, except for the last.
    static let pieceSize = 15780
    /// The number of pieces that are received, and those of a file that the user wants to come in messages.
    private static let mostPieces: Int64 = 8, mostAskedPieces: Int64 = 15

    /// True if a file may come in messages.
    func isSmall(_ size: Int64, isAsked: Bool) -> Bool {
        size <= Int64(ChatFiles.pieceSize) * (isAsked ? ChatFiles.mostAskedPieces : ChatFiles.mostPieces)
    }

    /// Owes the sender the message that the file is accepted. Must be called within a transaction.
    ///
    /// - Parameter name: The name in the offer, which the sender compares; nil for the stored one.
    func askForPieces(_ record: StoredFile, named name: String? = nil) throws {
        guard let item = try record.itemID.flatMap({ try store.item($0) }), let id = item.sharedID else { return }
        try store.setContent(nil, pieces: 0, of: record.file.id)
        let parameters: JSONObject = [
            "msgId": .string(Base64URL.encode(id.bytes)), "fileName": .string(name ?? record.file.name),
        ]
        let tell = try inform(item, .other(name: "x.file.acpt.inv", parameters: parameters))
        context.environment.atEndOfTurn { [weak self] in self?.context.attempt { try tell() } }
    }

    /// Records a piece of the file of an entry. Must be called within a transaction.
    func record(_ piece: FileChunk, of item: ChatItem, _ profile: OwnProfile) throws -> [any ChatEvent] {
        guard let record = try store.file(of: item.id), !record.isSent, record.inlineMode != nil else { return [] }
        guard case .data(let number, let bytes) = piece.content else { return try recordWithdrawal(of: item, profile) }
        let isFirst: Bool
        switch record.file.state {
        case .accepted: isFirst = true
        case .receiving: isFirst = false
        // Pieces of a file that was not accepted.
        default: return []
        }
        let id = record.file.id, count = record.description.part
        // A piece comes again if a crash came before its acknowledgement.
        guard Int64(number) != count else { return [] }
        let content = try store.content(of: id) + bytes, size = Int64(content.count)
        guard Int64(number) == count + 1, bytes.count <= ChatFiles.pieceSize, size <= record.file.size,
            size == record.file.size || bytes.count == ChatFiles.pieceSize
        else {
            try store.setContent(nil, pieces: 0, of: id)
            return try failed(record, .other("file.pieces"), profile)
        }
        try store.setContent(content, pieces: Int64(number), of: id)
        try store.update(id, .receiving(size, total: record.file.size))
        if size == record.file.size { handOverSoon() }
        guard isFirst, let item = try located(storedFile(id)) else { return [] }
        return [FileStartedEvent(profile: profile, item: item)]
    }

    private func failed(_ record: StoredFile, _ problem: FileProblem, _ profile: OwnProfile) throws -> [any ChatEvent] {
        try store.update(record.file.id, .receivedError(problem))
        let changed = try storedFile(record.file.id), item = try located(changed)
        return [
            FileReceivingFailedEvent(
                profile: profile, item: item, file: ReceivedFileTransfer(changed, of: item), problem: problem)
        ]
    }

    /// Writes the files whose pieces are all there.
    func writeInlineFiles() throws {
        for record in try store.openInlineFiles() {
            let content = try store.content(of: record.file.id)
            guard Int64(content.count) == record.file.size, record.description.part > 0 || record.file.size == 0,
                let source = record.file.source
            else { continue }
            let path: String
            do throws(FileFailure) {
                path = try LocalFile.write(content, to: local(source), digest: record.digest)
            } catch {
                try fail(receiving: record, FileProblem(error))
                continue
            }
            try store.transaction {
                try store.setContent(nil, pieces: record.description.part, of: record.file.id)
                try store.update(record.file.id, source: CryptoFile(path: storedPath(path), key: source.key))
                try store.update(record.file.id, .received)
            }
            try tell(record.file.id) { profile, _, item in item.map { FileReceivedEvent(profile: profile, item: $0) } }
        }
    }
}
