public import XFTPProtocol

/// An event of a file for the application.
public enum FileEvent: Sendable {
    /// Relays have more of a file that is sent: sizes of the encrypted file in bytes.
    case sending(FileID, sent: Int64, total: Int64)
    /// Relays have the whole file: the sender's descriptions, of the file and of its redirect if there is one, and one for each
    /// recipient.
    case sent(FileID, sender: [FileDescription], recipients: [FileDescription])
    /// Relays have the file; now its description is uploaded too, which has this size in bytes.
    case describing(FileID, size: Int64)
    /// More of a file arrived: sizes of the encrypted file in bytes.
    case receiving(FileID, received: Int64, total: Int64)
    /// The file is at its place: the path, and the name that the sender gave it.
    case received(FileID, path: String, name: String)
    /// An attempt failed and will be repeated.
    case warning(FileID, FileFailure)
    /// The transfer failed.
    case failed(FileID, FileFailure)
    /// The transfer failed before this start, with this ``FileFailure/code``.
    case ended(FileID, code: String)
    /// Relays were told to delete the file, or store it no longer.
    case deleted(FileID)
}
