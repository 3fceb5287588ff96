import ByteCoding
import XFTPClient
import XFTPProtocol

/// Records of transfers in memory, which survive the transfers as those of a database do.
final class MemoryTransferStore: FileTransferStore {
    struct Broken: Error {}

    private(set) var storedUploads: [FileID: UploadRecord] = [:]
    private(set) var storedDownloads: [FileID: DownloadRecord] = [:]
    /// True for a disk that refuses.
    var isBroken = false
    /// The number of changes after which the disk refuses.
    var savesLeft: Int?

    func uploads() -> [UploadRecord] { Array(storedUploads.values) }

    func downloads() -> [DownloadRecord] { Array(storedDownloads.values) }

    func save(_ upload: UploadRecord) throws {
        try check()
        storedUploads[upload.id] = upload
    }

    func save(_ chunk: FileUpload.Chunk, part: Int, of id: FileID) throws {
        try check()
        storedUploads[id]?.parts[part].chunks[chunk.number - 1] = chunk
    }

    func removeUpload(_ id: FileID) throws {
        try check()
        storedUploads[id] = nil
    }

    func save(_ download: DownloadRecord) throws {
        try check()
        storedDownloads[download.id] = download
    }

    func save(_ state: FileDownload.ChunkState, index: Int, of id: FileID) throws {
        try check()
        guard var record = storedDownloads[id] else { return }
        var states = record.download.states
        states[index] = state
        record.download = try FileDownload(record.download.description, states: states)
        storedDownloads[id] = record
    }

    func removeDownload(_ id: FileID) throws {
        try check()
        storedDownloads[id] = nil
    }

    private func check() throws {
        if isBroken { throw Broken() }
        guard let left = savesLeft else { return }
        guard left > 0 else { throw Broken() }
        savesLeft = left - 1
    }
}
