import ByteCoding
import SMPProtocol
import XFTPClient
import XFTPProtocol

/// The parts of ``FileTransfers`` that ``ChatFiles`` uses. Tests replace it.
protocol CoreTransfers: AnyObject {
    /// True while relays are being told of received or deleted files.
    var isSettling: Bool { get }
    func resume(_ place: (FileID) throws -> FilePlace?) throws
    func stop()
    func send(
        _ source: LocalFile, name: String, recipients: Int, usesRedirect: Bool, for profileID: Int64, as id: FileID
    ) throws
    func receive(
        _ description: FileDescription, to target: LocalFile, contentSize: Int64?, contentDigest: Bytes?,
        for profileID: Int64,
        as id: FileID
    ) throws
    @discardableResult
    func retry(_ id: FileID) -> Bool
    var isDeleting: Bool { get }
    func forgetReceived(_ id: FileID) throws
    func forgetSent(_ id: FileID) throws
    func deleteSent(_ id: FileID) throws
    func delete(_ descriptions: [FileDescription], for profileID: Int64, as id: FileID) throws
}

extension FileTransfers: CoreTransfers {}
