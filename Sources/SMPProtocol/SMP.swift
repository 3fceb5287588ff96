public import ByteCoding
import CryptoCore

/// Sizes and versions of the protocol.
public enum SMP {
    /// Every block on a connection has this size in bytes.
    public static let blockSize = 16384
    /// What both a client and a relay of this program speak. There is no version 13.
    public static let versions = VersionRange(6, 18)
    /// What a relay offers for commands that come through a proxy; below the maximum, so that a relay cannot tell
    /// clients of different versions apart.
    public static let proxiedVersions = VersionRange(8, 17)
    /// The port when an address names none.
    public static let defaultPort: UInt16 = 5223
    /// The ALPN name of the protocol.
    public static let alpn = "smp/1"
    /// The size of entity, message and correlation ids that this program makes.
    public static let idSize = 24

    /// The largest body of SEND in bytes. It shrank to leave room for proxying (8) and block encryption (11).
    public static func maximumBody(version: UInt16) -> Int {
        if version >= blockEncryption { return 16048 }
        return version >= proxying ? 16064 : 16088
    }

    // Versions that changed the wire.

    /// The session id is authorized but no longer sent; box authenticators; keys in the hellos.
    static let sessionKeys: UInt16 = 7
    public static let proxying: UInt16 = 8
    /// SKEY, and whether the sender may use it.
    public static let senderKeys: UInt16 = 9
    static let deletedEvent: UInt16 = 10
    public static let blockEncryption: UInt16 = 11
    static let blockedError: UInt16 = 12
    public static let proxyFlag: UInt16 = 14
    public static let shortLinks: UInt16 = 15
    public static let serviceCertificates: UInt16 = 16
    static let notifierInNew: UInt16 = 17
    static let blockedNotice: UInt16 = 18
}

/// An opaque id that a relay gave to a queue, a link, a notifier or a message: 24 bytes from this program's relay, at
/// most 255 from others.
public struct EntityID: Hashable, Sendable, ByteCodable {
    public let bytes: Bytes

    /// No entity, as in PING and NEW.
    public static let empty = EntityID([])

    /// An id of at most 255 bytes (a programmer error otherwise).
    public init(_ bytes: Bytes) {
        precondition(bytes.count <= UInt8.max, "an id has at most 255 bytes")
        self.bytes = bytes
    }

    public var isEmpty: Bool { bytes.isEmpty }

    /// The sender id of a queue that is created together with a link: the first 24 bytes of SHA3-384 of the correlation
    /// id of NEW. The client needs it for the link before the queue exists, and nobody can ask for an id of his choice to
    /// find out whether it is taken.
    public static func sender(for correlationID: CorrelationID) -> EntityID {
        EntityID(Bytes(SHA3.hash384(correlationID.bytes).prefix(SMP.idSize)))
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        bytes = try reader.shortBytes()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.shortBytes(bytes)
    }
}
