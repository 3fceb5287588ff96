public import ByteCoding
public import CryptoCore
public import XFTPProtocol

/// The id of a file that is sent or received, chosen by the application.
public struct FileID: Hashable, Sendable {
    /// The number.
    public let number: Int64

    /// Creates an id.
    public init(_ number: Int64) {
        self.number = number
    }

    /// Creates a random positive id.
    public init(random source: any RandomSource) {
        number = source.bytes(8).reduce(0) { $0 << 8 | Int64($1) } & Int64.max
    }
}

/// The stored state of a file that is sent.
public struct UploadRecord: Sendable {
    /// The stage of an upload. The raw values are stored.
    public enum Stage: Int64, Hashable, Sendable {
        /// The file is not encrypted yet. An interrupted encryption starts again.
        case encrypting = 0
        /// Chunks are uploaded.
        case uploading = 1
        /// Relays have the file.
        case complete = 2
        /// The upload failed.
        case failed = 3
        /// The chunks are being deleted.
        case deleting = 4
    }

    /// The id.
    public let id: FileID
    /// The profile that sends the file.
    public let profileID: Int64
    /// The file.
    public var source: LocalFile
    /// The name that recipients see.
    public let name: String
    /// The number of descriptions for recipients.
    public let recipients: Int
    /// True if the description is uploaded too, and replaced by a short one.
    public let usesRedirect: Bool
    /// The start of the upload.
    public let createdAt: Timestamp
    /// The stage.
    public var stage: Stage
    /// The uploads: of the file, and of its description with a redirect.
    public var parts: [FileUpload]
    /// The code of the failure (``FileFailure/code``).
    public var failure: String?

    /// Creates a record from its parts.
    public init(
        id: FileID, profileID: Int64, source: LocalFile, name: String, recipients: Int, usesRedirect: Bool,
        createdAt: Timestamp, stage: Stage = .encrypting, parts: [FileUpload] = [], failure: String? = nil
    ) {
        self.id = id
        self.profileID = profileID
        self.source = source
        self.name = name
        self.recipients = recipients
        self.usesRedirect = usesRedirect
        self.createdAt = createdAt
        self.stage = stage
        self.parts = parts
        self.failure = failure
    }
}

extension UploadRecord {
    /// Returns the sender's descriptions, of the file and of its redirect if there is one, and the one of each recipient.
    ///
    /// - Throws: ``FileDescriptionError`` if the upload is not complete.
    public func descriptions() throws(FileDescriptionError) -> (
        sender: [FileDescription], recipients: [FileDescription]
    ) {
        guard let last = parts.last else { throw .chunkNumbers }
        let sender = try parts.map { part throws(FileDescriptionError) in try part.senderDescription() }
        return (sender, try last.recipientDescriptions())
    }
}

/// The stored state of a file that is received.
public struct DownloadRecord: Sendable {
    /// The stage of a download. The raw values are stored.
    public enum Stage: Int64, Hashable, Sendable {
        /// Chunks are downloaded, or decrypted when all are there.
        case downloading = 0
        /// The file is at its place.
        case complete = 1
        /// The download failed.
        case failed = 2
    }

    /// The id.
    public let id: FileID
    /// The profile that receives the file.
    public let profileID: Int64
    /// The place of the file. Its name changes if another file has it.
    public var target: LocalFile
    /// The start of the download.
    public let createdAt: Timestamp
    /// The SHA-512 of the content that the sender announced; nil if there is none.
    public let contentDigest: Bytes?
    /// The size of the content that the sender announced; nil if there is none. The application has it, it is not stored here.
    public var contentSize: Int64?
    /// The stage.
    public var stage: Stage
    /// The chunks of the file, or of the description of a redirect.
    public var download: FileDownload
    /// The path of the complete file; before that, not nil if its decryption has begun.
    public var path: String?
    /// The code of the failure (``FileFailure/code``).
    public var failure: String?

    /// Creates a record from its parts.
    public init(
        id: FileID, profileID: Int64, target: LocalFile, createdAt: Timestamp, contentDigest: Bytes? = nil,
        stage: Stage = .downloading, download: FileDownload, path: String? = nil, failure: String? = nil
    ) {
        self.id = id
        self.profileID = profileID
        self.target = target
        self.createdAt = createdAt
        self.contentDigest = contentDigest
        self.stage = stage
        self.download = download
        self.path = path
        self.failure = failure
    }
}

/// What the application has of a file whose transfer is resumed.
public struct FilePlace: Sendable {
    /// The source of an upload, or the target of a download.
    public let file: LocalFile
    /// The size of the content that the sender of a received file announced; nil if there is none.
    public let contentSize: Int64?

    /// Creates a place.
    public init(_ file: LocalFile, contentSize: Int64? = nil) {
        self.file = file
        self.contentSize = contentSize
    }
}

extension DownloadRecord {
    /// Sets the place of the file that the application has.
    ///
    /// - Returns: False if the file is complete in another folder.
    mutating func put(at place: FilePlace) -> Bool {
        target = place.file
        contentSize = place.contentSize
        guard let path, LocalFile(path: path).folder != target.folder else { return true }
        self.path = nil
        return stage != .complete
    }
}

extension LocalFile {
    /// The path of the folder with a slash at its end, or a dot for a name only.
    fileprivate var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }
}

/// The storage of records. Each call is durable when it returns; a failure stops all transfers.
public protocol FileTransferStore: AnyObject {
    /// All uploads.
    func uploads() throws -> [UploadRecord]
    /// All downloads.
    func downloads() throws -> [DownloadRecord]
    /// Stores a new or changed upload with all its chunks.
    func save(_ upload: UploadRecord) throws
    /// Stores one chunk of a stored upload.
    func save(_ chunk: FileUpload.Chunk, part: Int, of id: FileID) throws
    /// Removes an upload.
    func removeUpload(_ id: FileID) throws
    /// Stores a new or changed download with all its chunks.
    func save(_ download: DownloadRecord) throws
    /// Stores the state of one chunk of a stored download.
    func save(_ state: FileDownload.ChunkState, index: Int, of id: FileID) throws
    /// Removes a download.
    func removeDownload(_ id: FileID) throws
}
