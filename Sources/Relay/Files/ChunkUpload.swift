import ByteCoding
import CryptoCore
import Glibc
import SystemIO
import XFTPProtocol

/// The upload of a chunk into a draft, which gets the name of the chunk when size and digest are right.
///
/// It keeps no file open, so that uploads need no descriptors while they wait for their clients.
final class ChunkUpload {
    let chunk: StoredChunk
    private let draft: String
    private let path: String
    private var digest = SHA256.Stream()
    private var received = 0
    /// The error of the upload so far; further bytes are ignored.
    private(set) var failure: FileRelayError?
    private var hasDraft = false
    /// The time of the first and of the last bytes.
    let started = ContinuousClock.now
    private(set) var lastActive = ContinuousClock.now

    init(_ chunk: StoredChunk, draft: String, path: String) {
        self.chunk = chunk
        self.draft = draft
        self.path = path
    }

    /// Appends bytes of the chunk.
    func write(_ bytes: Bytes) {
        guard failure == nil else { return }
        lastActive = .now
        guard bytes.count <= Int(chunk.size) - received else { return fail(.size) }
        do throws(SystemError) {
            let file = try FileDescriptor(appendingTo: draft)
            hasDraft = true
            try file.write(bytes, "write the chunk")
        } catch {
            return fail(FileRelayError(error))
        }
        digest.update(bytes)
        received += bytes.count
    }

    /// Checks that all bytes arrived.
    func finish() {
        guard failure == nil else { return }
        guard received == Int(chunk.size) else { return fail(.size) }
        guard constantTimeEqual(digest.hash, chunk.digest) else { return fail(.digest) }
    }

    /// Ends the upload with an error and removes the draft.
    func fail(_ error: FileRelayError) {
        guard failure == nil else { return }
        failure = error
        guard hasDraft else { return }
        // A draft that cannot be removed now is removed at the next start.
        do throws(SystemError) { try Files.remove(draft) } catch {}
    }

    /// Returns the work that gives the draft its name. It may be done on any thread.
    ///
    /// - Parameter durably: True to wait until content and name are on the disk.
    func publishing(durably: Bool) -> @Sendable () -> FileRelayError? {
        let (draft, path) = (draft, path)
        return {
            do throws(SystemError) {
                if durably { try FileDescriptor(opening: draft, O_RDWR).synchronize() }
                try Files.rename(draft, to: path)
                if durably { try Files.synchronizeFolder(of: path) }
                return nil
            } catch {
                return FileRelayError(error)
            }
        }
    }
}

extension FileRelayError {
    /// The error of a response for one of the system: a full disk is a full relay.
    init(_ error: SystemError) {
        self = error.number == ENOSPC || error.number == EDQUOT ? .quota : .fileIO
    }
}
