public import SecureTransport
public import Store
public import SystemIO

/// The reason why a relay cannot be created, opened or started. It contains no path, password or host.
public enum RelayError: Error, Hashable, Sendable {
    /// The folder already contains a relay, or a part of one.
    case exists
    /// The folder contains no relay.
    case missing
    /// Another process serves this folder. The note is the number of that process.
    case running(note: [UInt8])
    /// A line of the settings is invalid, counted from 1; 0 for a missing line. The reason quotes nothing of the file.
    case settings(line: Int, reason: String)
    /// A line of the list of blocked queues is invalid, counted from 1.
    case blocked(line: Int)
    /// The certificates do not form a chain, or the key is not that of the online certificate.
    case certificates(IdentityError)
    /// A certificate or key file is malformed.
    case certificateFile
    /// The certificate for browsers cannot be read, does not belong to its key, or one of the two is not set.
    case webCertificate(SystemError?)
    /// The identity certificate differs from the one in addresses.
    case fingerprint
    /// The key of the identity is missing or differs.
    case identityKey
    /// A cryptographic operation failed.
    case cryptography
    /// A system call failed.
    case system(SystemError)
    /// The database failed.
    case store(StoreError)
    /// The relay cannot listen.
    case listening(ConnectionError)

    /// The cause in the system or the database, if any.
    public var cause: String? {
        switch self {
        case .system(let error), .listening(.unreachable(let error)), .listening(.broken(let error)),
            .webCertificate(let error?):
            error.reason
        case .listening(.unknownHost): "the name to listen at does not resolve"
        case .store(let error): error.words
        case .exists, .missing, .running, .settings, .blocked, .certificates, .certificateFile, .fingerprint,
            .identityKey,
            .webCertificate, .cryptography, .listening:
            nil
        }
    }

    /// The name of the case, for reports and programs.
    public var code: String {
        switch self {
        case .exists: "relay-exists"
        case .missing: "relay-missing"
        case .running: "relay-running"
        case .settings: "relay-settings"
        case .blocked: "relay-blocked"
        case .certificates, .certificateFile: "relay-certificates"
        case .webCertificate: "relay-web-certificate"
        case .fingerprint: "relay-fingerprint"
        case .identityKey: "relay-identity-key"
        case .cryptography: "relay-cryptography"
        case .system: "relay-system"
        case .store: "relay-store"
        case .listening: "relay-listening"
        }
    }
}

extension StoreError {
    /// The cause as a self-contained text.
    fileprivate var words: String {
        switch code {
        case .cannotOpen: "it is missing, or cannot be opened"
        case .busy: "another process holds it for too long"
        case .diskFull: "the disk is full"
        case .disk: "the disk does not work as it should, or it may not be written"
        case .damaged, .notADatabase: "it is damaged: it is not what the relay wrote"
        case .wrongKey, .keyMissing: "it is encrypted"
        case .olderSchema: "it is from an older version, or was not made completely"
        case .newerSchema: "it is from a newer version of tacit"
        case .otherSchema: "another program made it, or a version that never was"
        case .constraint, .misuse: "it does not hold what it should"
        case .outOfMemory: "there is not enough memory"
        }
    }
}
