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
            record.file.state == .received && record.createdAt < time && record.file.source?.isOwn == true
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

    /// The largest picture of `/img` in bytes: mobile applications receive it without asking (chat.md 5.4).
    private static let largestImage: Int64 = 522_240

    /// Throws unless a file has the name and the size of a picture (chat.md 5.4).
    func checkImage(_ source: CryptoFile) throws {
        let name = FileName.last(of: source.path).lowercased()
        guard [".jpg", ".jpeg", ".png", ".gif"].contains(where: name.hasSuffix) else {
            throw ChatError.file(.notAnImage(source.path))
        }
        guard try outgoing(source).size <= ChatFiles.largestImage else {
            throw ChatError.file(.imageTooLarge(source.path))
        }
    }
}
