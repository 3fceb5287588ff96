public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// The sizes and versions of the protocol XFTP (smp-agent.md 10).
public enum XFTP {
    /// The size of the command block at the start of every request and response body, in bytes.
    public static let blockSize = 16384
    /// The versions of both client and relay in this program.
    public static let versions = VersionRange(1, 3)
    /// The port of an address without a port.
    public static let defaultPort: UInt16 = 443
    /// The ALPN name of the protocol.
    public static let alpn = "xftp/1"
    /// The size of the chunk ids that this program's relay makes, in bytes.
    public static let idSize = 16
    /// The sizes of chunks that relays accept, in bytes, smallest first (smp-agent.md 10.5).
    public static let chunkSizes: [UInt32] = [65536, 262_144, 1_048_576, 4_194_304]
    /// The largest file that clients send in chats, in bytes.
    public static let softFileLimit: Int64 = 1 << 30
    /// The largest encrypted file in bytes.
    public static let hardFileLimit: Int64 = 5 << 30

    // Versions that changed the wire format (smp-agent.md 10.2).

    /// The handshake. A connection without ALPN has version 1 and no handshake.
    public static let handshake: UInt16 = 2
    static let blockedError: UInt16 = 3
}

/// The version and keys on which the transmissions of a connection depend.
public struct FileSession: Hashable, Sendable {
    /// The version of the session.
    public let version: UInt16
    /// The session id that both ends derive from their TLS handshake (smp-agent.md 2.2).
    public let sessionID: Bytes
    /// The relay's session key, for authenticators with X25519 keys; nil in version 1.
    public let relayKey: X25519.PublicKey?

    /// Creates a session from its parts.
    public init(version: UInt16, sessionID: Bytes, relayKey: X25519.PublicKey? = nil) {
        self.version = version
        self.sessionID = sessionID
        self.relayKey = relayKey
    }

    /// The form of transmissions: in all versions of XFTP that of SMP version 6, which sends the session id and has no
    /// signature of services (smp-agent.md 10.3).
    public var transmission: TransmissionSession {
        TransmissionSession(version: SMP.versions.min, sessionID: sessionID)
    }
}
