import ByteCoding
import CryptoCore
import Glibc
import HTTP2
import SystemIO
import XFTPProtocol

/// The download of a chunk: the bytes of its file, encrypted for this download, and the tag.
///
/// It reads as much as the client accepts, and keeps no file open in between.
final class ChunkDownload {
    private let path: String
    private let size: Int
    private var stream: SecretBoxStream?
    private var position = 0
    private let whenDone: () -> Void

    init(_ path: String, size: UInt32, stream: consuming SecretBoxStream, whenDone: @escaping () -> Void) {
        self.path = path
        self.size = Int(size)
        self.stream = consume stream
        self.whenDone = whenDone
    }

    /// Asks the system to read the file ahead.
    ///
    /// - Throws: ``SystemError``, also for a file of another size.
    static func prepare(_ path: String, size: UInt32) throws(SystemError) {
        let file = try FileDescriptor(reading: path)
        guard try file.size() == Int(size) else { throw SystemError("read the chunk", number: EIO) }
        _ = posix_fadvise(file.number, 0, 0, POSIX_FADV_WILLNEED)
    }

    /// Returns up to `limit` bytes of the encrypted body.
    func next(_ limit: Int) -> HTTP2Piece {
        if position == size {
            guard let tag = stream.take()?.tag() else { return .failed }
            whenDone()
            return .last(tag)
        }
        do throws(SystemError) {
            // A chunk that was deleted since the last piece ends its downloads.
            let file = try FileDescriptor(reading: path)
            let piece = try file.read(min(limit, size - position), at: position)
            guard !piece.isEmpty, let encrypted = stream?.encrypt(piece) else { return .failed }
            position += piece.count
            return .bytes(encrypted)
        } catch {
            return .failed
        }
    }
}
