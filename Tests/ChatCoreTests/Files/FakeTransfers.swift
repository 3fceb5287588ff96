import ByteCoding
import SMPProtocol
import XFTPClient
import XFTPProtocol

@testable import ChatCore

/// Transfers without file relays: they remember what was asked of them.
final class FakeTransfers: CoreTransfers {
    /// A file that is to be sent.
    struct Upload {
        let source: LocalFile
        let name: String
        let recipients: Int
        let usesRedirect: Bool
        let id: FileID
    }

    private(set) var uploads: [Upload] = []
    private(set) var downloads: [(target: LocalFile, digest: Bytes?, id: FileID)] = []
    /// The sizes of the downloads as they were offered.
    private(set) var downloadSizes: [Int64?] = []
    /// The relays of the downloads.
    private(set) var downloadServers: [ServerAddress] = []
    private(set) var retried: [FileID] = []
    private(set) var forgotten: [FileID] = []
    private(set) var deleted: [FileID] = []
    private(set) var deletedDescriptions: [FileDescription] = []
    private(set) var isStopped = false
    /// What is thrown when a file is to be sent.
    var sendError: FileFailure?

    func resume(_ place: (FileID) throws -> FilePlace?) throws {}
    var isSettling: Bool { false }
    func stop() { isStopped = true }

    func send(
        _ source: LocalFile, name: String, recipients: Int, usesRedirect: Bool, for profileID: Int64, as id: FileID
    ) throws {
        if let sendError { throw sendError }
        guard !uploads.contains(where: { $0.id == id }) else { return }
        uploads.append(
            Upload(source: source, name: name, recipients: recipients, usesRedirect: usesRedirect, id: id))
    }

    func receive(
        _ description: FileDescription, to target: LocalFile, contentSize: Int64?, contentDigest: Bytes?,
        for profileID: Int64,
        as id: FileID
    ) throws {
        guard !downloads.contains(where: { $0.id == id }) else { return }
        downloads.append((target, contentDigest, id))
        downloadSizes.append(contentSize)
        downloadServers += description.servers
    }

    func retry(_ id: FileID) -> Bool {
        retried.append(id)
        return true
    }

    var isDeleting: Bool { false }

    func forgetReceived(_ id: FileID) throws { forgotten.append(id) }
    func forgetSent(_ id: FileID) throws { forgotten.append(id) }
    func deleteSent(_ id: FileID) throws { deleted.append(id) }
    func delete(_ descriptions: [FileDescription], for profileID: Int64, as id: FileID) throws {
        deleted.append(id)
        deletedDescriptions += descriptions
    }
}
