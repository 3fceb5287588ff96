public import ByteCoding
import XFTPClient
import XFTPProtocol

extension ListedFile {
    /// True for a sent file, and for one that was received. It may be gone from the disk.
    public var isHere: Bool { isSent || file.state == .received }

    /// Calls `take` with the parts of the content, decrypted if the file is encrypted on the disk. Blocks for the disk.
    ///
    /// - Throws: ``FileObstacle`` if the file is not here or was changed, and what `take` throws.
    public func read(_ take: (Bytes) throws -> Void) throws {
        guard let path, isHere else { throw ChatError.file(.notReceived(file.id)) }
        let key = file.source?.key.map { FileEncryptionKey(key: $0.key, nonce: $0.nonce) }
        do {
            var reader = try LocalFileReader(LocalFile(path: path, key: key))
            var left = reader.size
            while left > 0 {
                let part = try reader.next()
                left -= Int64(part.count)
                try take(part)
            }
            try reader.finish()
        } catch is FileFailure {
            throw ChatError.file(.missing(path))
        }
    }
}
