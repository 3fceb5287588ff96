import ByteCoding
import ChatProtocol

/// A file that is sent, as events and answers name it beside its entry: `FileTransferMeta` of the API.
public struct SentFileTransfer: Hashable, Sendable {
    public let id: ChatFileID
    public let name: String
    public let path: String
    public let size: Int64
    public let isCancelled: Bool
}

extension SentFileTransfer {
    init(_ record: StoredFile) {
        self.init(
            id: record.file.id, name: record.file.name, path: record.file.source?.path ?? "", size: record.file.size,
            isCancelled: record.file.state == .sentCancelled)
    }
}

/// A file that is received, as events and answers name it beside its entry: `RcvFileTransfer` of the API.
public struct ReceivedFileTransfer: Hashable, Sendable {
    /// How far it is, in the words of the API.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        case new, accepted, connected, complete, cancelled
    }

    public let id: ChatFileID
    public let name: String
    public let size: Int64
    /// The place; nil before the file is accepted.
    public let source: CryptoFile?
    public let stage: Stage
    /// The name of the contact or member; empty for a file of a link.
    public let sender: String
    /// True if relays may be used that are not among those of the profile.
    public let isApproved: Bool
}

extension ReceivedFileTransfer {
    init(_ record: StoredFile, of item: LocatedItem?) {
        let stage: Stage =
            switch record.file.state {
            case .accepted: .accepted
            case .receiving, .receivedWarning: .connected
            case .received: .complete
            case .receivedCancelled: .cancelled
            default: .new
            }
        self.init(
            id: record.file.id, name: record.file.name, size: record.file.size, source: record.file.source,
            stage: stage, sender: item?.item.group?.author?.name ?? item?.chat.name ?? "",
            isApproved: record.isApproved)
    }
}
