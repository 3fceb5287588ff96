public import SMPProtocol
public import SystemIO
public import XFTPProtocol

/// The reason why a file was not sent or received. It contains nothing of the file.
public enum FileFailure: Error, Hashable, Sendable {
    /// A relay was unreachable or rejected a command.
    case relay(ServerAddress, FileSessionError)
    /// No relay for new files is left.
    case noRelay
    /// The file to send cannot be read.
    case source(SystemError)
    /// The file to send changed while it was read, or is larger than ``XFTP/hardFileLimit``.
    case sourceSize
    /// The folder for encrypted files cannot be used.
    case staging(SystemError)
    /// The received file cannot be written to its place.
    case target(SystemError)
    /// The received bytes are not the file of the description, or the local key is wrong.
    case wrongFile(FileDecryptionError)
    /// The description behind a redirect is invalid, or is not the announced one.
    case description(FileDescriptionError)
    /// Relays have deleted the file: its description is older than they store files.
    case expired
    /// The transfer was cancelled.
    case cancelled

    /// The failure of a disk without room for further bytes.
    static let fullDisk = FileFailure.staging(.fullDisk)

    /// True if the transfer can continue when the disk has room.
    public var isFullDisk: Bool {
        switch self {
        case .staging(let error), .target(let error), .relay(_, .file(let error)): error.condition == .noSpace
        default: false
        }
    }

    /// A stable name for programs.
    public var code: String {
        switch self {
        case _ where isFullDisk: "file.disk-full"
        case .relay(_, .refused(.authorization)): "file.gone"
        case .relay(_, .refused(.blocked)): "file.blocked"
        case .relay(_, .refused(.quota)): "file.quota"
        case .relay: "file.relay"
        case .noRelay: "file.no-relay"
        case .source: "file.source"
        case .sourceSize: "file.source-size"
        case .staging: "file.staging"
        case .target: "file.target"
        case .wrongFile(.content): "file.digest"
        case .wrongFile(.contentSize): "file.size"
        case .wrongFile: "file.damaged"
        case .description: "file.description"
        case .expired: "file.expired"
        case .cancelled: "file.cancelled"
        }
    }
}
