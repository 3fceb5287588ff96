/// A relay of the SimpleX Messaging Protocol, versions 6 to 18: queues that anybody may be given the right to send to, and
/// that only their recipient can read.
///
/// - ``RelayFolder`` is a relay on the disk: certificates, settings, one SQLite file, and a lock. ``RelaySettings`` are
///   what its operator decides.
/// - ``RelayServer`` serves a folder on an event loop: it listens, and is told what happens on its connections.
/// - `ClientSession` is one connection: hellos, block encryption, and the balance between what a client sends and what it
///   accepts.
/// - `RelayCore` carries out commands. It knows no socket and no clock: transmissions in, answers and events out.
/// - `Proxy` has the sessions with other relays, over which commands of clients are forwarded.
/// - `QueueStore` and `MessageStore` keep queues and messages in the turn's transaction of `RelayStore`.
///
/// Three rules hold everywhere:
///
/// 1. An answer leaves when what it promises is stored. The loop handles everything that is ready in one turn, then the
///    turn is committed once, then its answers are encrypted and sent. A turn that cannot be committed has not happened.
/// 2. Whether a queue exists is told to the holders of its keys only: all others meet the same error after the same work.
/// 3. No client makes the relay keep more for it than its own queues allow: what it does not read is not made, what
///    cannot be answered yet, or comes too fast, is not read.
///
/// It knows no services.
public import SecureTransport
public import Store
public import SystemIO

/// Why a relay cannot be made, opened or started. No path, password or name of a host is in it.
public enum RelayError: Error, Hashable, Sendable {
    /// The folder already holds a relay, or a part of one.
    case exists
    /// The folder holds no relay.
    case missing
    /// Another process serves this folder; its note is the number of that process.
    case running(note: [UInt8])
    /// A line of the settings, counted from 1, is not valid; 0 for a line that is missing. The reason quotes nothing of the file.
    case settings(line: Int, reason: String)
    /// The certificates do not form a chain, or the key is not that of the online certificate.
    case certificates(IdentityError)
    /// A certificate or key file does not hold what its name says.
    case certificateFile
    /// The identity certificate is not the one that the relay was made with: its addresses would lead nowhere.
    case fingerprint
    /// The key of the identity is missing, or another one.
    case identityKey
    case cryptography
    case system(SystemError)
    case store(StoreError)
    case listening(ConnectionError)

    /// What the system or the database said, if that is the reason.
    public var cause: String? {
        switch self {
        case .system(let error), .listening(.unreachable(let error)), .listening(.broken(let error)): error.reason
        case .listening(.unknownHost): "the name to listen at does not resolve"
        case .store(let error): error.words
        case .exists, .missing, .running, .settings, .certificates, .certificateFile, .fingerprint, .identityKey,
            .cryptography, .listening:
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
        case .certificates, .certificateFile: "relay-certificates"
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
    /// What is wrong, in words that stand for themselves.
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
