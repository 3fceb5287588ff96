import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import SystemIO
import XFTPProtocol

/// Files as people see them.
extension ChatFiles {
    /// A file with its place and its entry.
    func listed(_ record: StoredFile) throws -> ListedFile {
        let links =
            record.isSent && !record.isOfItem && record.file.state == .sentComplete
            ? try store.descriptions(ofSender: false, of: record.file.id).compactMap { text in
                (try? FileDescription(text: text)).map { FileLink(description: $0).text }
            } : []
        return ListedFile(
            file: record.file, isSent: record.isSent, path: record.file.source.map(path), item: try located(record),
            links: links, createdAt: record.createdAt)
    }

    /// Removes the copies of received files that belong to the store and are older than a moment.
    func purge(_ profile: OwnProfile, before time: Timestamp, isDry: Bool) throws -> [ListedFile] {
        let old = try store.files(of: profile.id).filter { record in
            record.file.state == .received && record.createdAt < time
                && record.file.source?.path.hasPrefix("/") == false
        }
        let listed = try old.map { try self.listed($0) }
        guard !isDry else { return listed }
        for record in old {
            try removeOwnCopy(record)
            try store.transaction {
                try store.update(record.file.id, source: nil)
                try store.update(record.file.id, .aborted)
            }
        }
        return listed
    }

    /// Throws unless a file has the name of a picture (chat.md 5.4).
    func checkImage(_ source: CryptoFile) throws(ChatError) {
        let name = FileName.last(of: source.path).lowercased()
        guard [".jpg", ".jpeg", ".png", ".gif"].contains(where: name.hasSuffix) else {
            throw .file(.notAnImage(source.path))
        }
    }
}
