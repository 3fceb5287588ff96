public import ByteCoding
public import CryptoCore

/// Names a file of a store, permanently.
public struct ChatFileID: Hashable, Sendable {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }
}

/// A file of an entry, or one that was sent or received by a link.
public struct ChatFile: Hashable, Sendable {
    /// The way of a file.
    public enum Transport: String, Hashable, Sendable, CaseIterable {
        /// Through file relays.
        case xftp
        /// In messages, as old versions do with small files.
        case smp
        /// It stays here: the file of a note.
        case local
    }

    public let id: ChatFileID
    /// The name that the sender gave it, without folders.
    public let name: String
    /// The size of the content in bytes, as the sender says.
    public let size: Int64
    /// The place on the disk; nil for a received file before it is accepted.
    public let source: CryptoFile?
    public let transport: Transport
    public let state: FileState
}

/// A place on the disk, and the key of a file that is encrypted there (chat.md 5.5).
public struct CryptoFile: Hashable, Sendable {
    /// The path: relative to the folder for files, or absolute.
    public var path: String
    /// Nil for a plain file.
    public var key: LocalFileKey?

    public init(path: String, key: LocalFileKey? = nil) {
        self.path = path
        self.key = key
    }
}

/// The key of a file that is encrypted on the disk.
public struct LocalFileKey: Hashable, Sendable {
    /// The key, 32 bytes.
    public let key: Secret
    /// The nonce.
    public let nonce: Nonce

    /// Creates a key from its parts.
    ///
    /// - Throws: `DecodeError` if one of them has another length.
    public init(key: Secret, nonce: Bytes) throws(DecodeError) {
        guard key.count == SecretBox.keySize, nonce.count == Nonce.size else { throw .invalid("cryptoArgs") }
        self.key = key
        self.nonce = Nonce(nonce)
    }

    /// Creates a random key.
    public init(random source: any RandomSource) {
        key = Secret(random: source, count: SecretBox.keySize)
        nonce = Nonce(random: source)
    }

    public static func == (left: LocalFileKey, right: LocalFileKey) -> Bool {
        left.nonce == right.nonce && left.key.isEqual(to: right.key)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(nonce)
    }
}

/// The state of a file (chat.md 5.6).
public enum FileState: Hashable, Sendable {
    /// An own file: not uploaded yet, or a note.
    case sentStored
    /// An own file is uploaded: bytes of the encrypted file.
    case sending(Int64, total: Int64)
    case sentCancelled
    /// File relays have it, and the other side can receive it.
    case sentComplete
    case sentError(FileProblem)
    /// The upload is repeated.
    case sentWarning(FileProblem)
    /// A file that was offered.
    case offered
    /// It is received as soon as its description is there.
    case accepted
    /// It is downloaded: bytes of the encrypted file.
    case receiving(Int64, total: Int64)
    /// The download ended, and can be begun again.
    case aborted
    case received
    case receivedCancelled
    case receivedError(FileProblem)
    /// The download is repeated.
    case receivedWarning(FileProblem)

    /// True while bytes are transferred, or wait for it.
    public var isUnderWay: Bool {
        switch self {
        case .sentStored, .sending, .sentWarning, .accepted, .receiving, .receivedWarning: true
        case .sentCancelled, .sentComplete, .sentError, .offered, .aborted, .received, .receivedCancelled,
            .receivedError:
            false
        }
    }

    /// The problem that ended or delays a transfer.
    public var problem: FileProblem? {
        switch self {
        case .sentError(let problem), .sentWarning(let problem), .receivedError(let problem),
            .receivedWarning(let problem):
            problem
        default: nil
        }
    }
}

/// The reason why a file was not transferred.
public enum FileProblem: Hashable, Sendable {
    /// File relays have it no longer: it expired or was deleted.
    case gone
    /// The operator of the relay blocked it.
    case blocked(server: String, reason: String)
    /// The file to send is not there.
    case noFile
    /// A relay could not be used, with the reason.
    case relay(String)
    /// Another reason: the code of a ``FileFailure``.
    case other(String)

    /// The disk of this machine has no room.
    public static let fullDisk = FileProblem.other("file.disk-full")
    /// No relay has room.
    public static let fullRelays = FileProblem.other("file.quota")

    /// True if somebody has to make room before the transfer can continue.
    public var needsRoom: Bool { self == .fullDisk || self == .fullRelays }
}

/// The kinds of files of messages that can be accepted without asking.
public enum FileKind: String, Hashable, Sendable, CaseIterable {
    case image, voice, video, file
}
