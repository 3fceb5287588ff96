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
    private let space: DraftSpace
    private var digest = SHA256.Stream()
    /// The number of received bytes.
    private(set) var received = 0
    /// The error of the upload so far; further bytes are ignored.
    private(set) var failure: FileRelayError?
    private var hasDraft = false
    /// The part of the space that belongs to the draft.
    private var usedSpace = 0
    /// The time of the first and of the last bytes.
    let started: ContinuousClock.Instant
    private(set) var lastActive: ContinuousClock.Instant

    /// Creates an upload.
    ///
    /// - Parameter space: The space of all drafts, in which the received bytes count until ``release()``.
    init(_ chunk: StoredChunk, draft: String, path: String, space: DraftSpace, at time: ContinuousClock.Instant = .now)
    {
        self.chunk = chunk
        self.draft = draft
        self.path = path
        self.space = space
        (started, lastActive) = (time, time)
    }

    /// Appends bytes of the chunk.
    func write(_ bytes: Bytes, at time: ContinuousClock.Instant = .now) {
        guard failure == nil else { return }
        guard !bytes.isEmpty else { return }
        lastActive = time
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
        usedSpace += bytes.count
        space.bytes += bytes.count
    }

    /// Returns true if the upload was silent for longer than `silence`, or has received less than `rate` bytes per second
    /// since the end of a first period of that length.
    func isSlow(silence: Duration, rate: Int, at time: ContinuousClock.Instant) -> Bool {
        let seconds = (time - started - silence) / .seconds(1)
        return time - lastActive > silence || Double(received) < Double(rate) * seconds
    }

    /// Ends the use of space for the draft: it was removed, or has become the file of the chunk.
    func release() {
        space.bytes -= usedSpace
        usedSpace = 0
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
        release()
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

/// The space that the drafts of all uploads use.
final class DraftSpace {
    /// The number of bytes.
    fileprivate(set) var bytes = 0
}

extension FileRelayError {
    /// The error of a response for one of the system: a full disk is a full relay.
    init(_ error: SystemError) {
        self = error.number == ENOSPC || error.number == EDQUOT ? .quota : .fileIO
    }
}
