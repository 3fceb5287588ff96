public import ByteCoding
import CryptoCore

/// The sizes and versions of the protocol SMP.
public enum SMP {
    /// The size of every block on a connection, in bytes (smp-agent.md 4.1).
    public static let blockSize = 16384
    /// The versions of both client and relay in this program. There is no version 13 (smp-agent.md 3.6).
    public static let versions = VersionRange(6, 20)
    /// The versions that a relay offers for proxied commands, as the reference does since names are resolved through
    /// proxies.
    public static let proxiedVersions = VersionRange(8, 20)
    /// The port of an address without a port.
    public static let defaultPort: UInt16 = 5223
    /// The ALPN name of the protocol.
    public static let alpn = "smp/1"
    /// The size of the entity, message and correlation ids of this program, in bytes.
    public static let idSize = 24

    /// Returns the largest body of SEND in bytes (smp-agent.md 5.11). The limit shrank for proxying (8) and block
    /// encryption (11).
    public static func maximumBody(version: UInt16) -> Int {
        if version >= blockEncryption { return 16048 }
        return version >= proxying ? 16064 : 16088
    }

    // Versions that changed the wire format (smp-agent.md 3.6).

    /// The session id is authorized but not sent; box authenticators; keys in the hellos.
    static let sessionKeys: UInt16 = 7
    /// Proxying of commands.
    public static let proxying: UInt16 = 8
    /// SKEY, and the flag that allows the sender to use it.
    public static let senderKeys: UInt16 = 9
    static let deletedEvent: UInt16 = 10
    /// Block encryption.
    public static let blockEncryption: UInt16 = 11
    static let blockedError: UInt16 = 12
    /// The proxy flag in the client hello.
    public static let proxyFlag: UInt16 = 14
    /// Links and queue data on the relay.
    public static let shortLinks: UInt16 = 15
    /// Service certificates.
    public static let serviceCertificates: UInt16 = 16
    static let notifierInNew: UInt16 = 17
    static let blockedNotice: UInt16 = 18
    /// Services that receive messages; the count and the hash of their queues.
    public static let messagingServices: UInt16 = 19
    /// The resolution of names.
    public static let names: UInt16 = 20
}

/// An opaque id of a queue, link, notifier or message: 24 bytes from this program's relay, at most 255 from others.
public struct EntityID: Hashable, Sendable, ByteCodable {
    /// The bytes of the id, at most 255.
    public let bytes: Bytes

    /// The empty id, as in PING and NEW.
    public static let empty = EntityID([])

    /// Creates an id of at most 255 bytes. A longer one is a programmer error.
    public init(_ bytes: Bytes) {
        precondition(bytes.count <= UInt8.max, "an id has at most 255 bytes")
        self.bytes = bytes
    }

    /// True if there is no entity.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Returns the sender id of a queue created with a link: the first 24 bytes of SHA3-384 of the correlation id of
    /// NEW.
    ///
    /// The client needs the id for the link before the queue exists. A client cannot choose an id to test if it is
    /// taken.
    public static func sender(for correlationID: CorrelationID) -> EntityID {
        EntityID(Bytes(SHA3.hash384(correlationID.bytes).prefix(SMP.idSize)))
    }

    /// Reads the bytes behind a one-byte length.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        bytes = try reader.shortBytes()
    }

    /// Writes the bytes behind a one-byte length.
    public func encode(into writer: inout ByteWriter) {
        writer.shortBytes(bytes)
    }
}
