public import ByteCoding
public import CryptoCore

/// The proof that a command comes from the holder of a key. Its length determines its kind (smp-agent.md 4.3).
public enum Authorization: Hashable, Sendable {
    /// No authorization.
    case none
    /// A signature of 64 bytes (Ed25519) or 114 bytes (Ed448).
    case signature(Bytes)
    /// An authenticator of 80 bytes. Clients use it from version 7 on; this relay accepts it in all versions.
    case authenticator(Bytes)

    /// Creates the authorization from received bytes, or returns nil for an unknown length.
    public init?(received bytes: Bytes) {
        switch bytes.count {
        case 0: self = .none
        case Ed25519.signatureSize, Ed448.signatureSize: self = .signature(bytes)
        case Authenticator.size: self = .authenticator(bytes)
        default: return nil
        }
    }

    /// The bytes of the signature or authenticator; empty without authorization.
    public var bytes: Bytes {
        switch self {
        case .none: []
        case .signature(let bytes), .authenticator(let bytes): bytes
        }
    }

    /// True if there is an authorization.
    public var isPresent: Bool { self != .none }

    /// Authorizes `data` with a private key.
    ///
    /// An authenticator depends on the relay's session key.
    ///
    /// - Throws: ``CryptoError/invalidKey`` if the authenticator has no session key of the relay (an old relay).
    public static func make(
        for data: Bytes, key: AuthorizationPrivateKey, correlationID: CorrelationID, relayKey: X25519.PublicKey?
    ) throws(CryptoError) -> Authorization {
        switch key {
        case .ed25519(let key): return .signature(key.sign(data))
        case .ed448(let key): return .signature(try key.sign(data))
        case .x25519(let key):
            guard let relayKey else { throw .invalidKey }
            let secret = try key.agree(with: relayKey)
            return .authenticator(Authenticator.make(for: data, nonce: correlationID.nonce, key: secret))
        }
    }

    /// Returns true if this authorizes `data` for `key`. Authenticators need the relay's private session key.
    public func verifies(
        _ data: Bytes, key: AuthorizationKey, correlationID: CorrelationID, relayKey: X25519.PrivateKey?
    ) -> Bool {
        verifies(data, key: key, correlationID: correlationID) { key in try? relayKey?.agree(with: key) }
    }

    /// Returns true if this authorizes `data` for `key`.
    ///
    /// - Parameter agree: The agreement of the relay's session key with another key, used for authenticators only. A
    ///   relay may have it from an earlier command and save most of the work.
    public func verifies(
        _ data: Bytes, key: AuthorizationKey, correlationID: CorrelationID, agree: (X25519.PublicKey) -> Secret?
    ) -> Bool {
        switch (self, key) {
        case (.signature(let signature), .ed25519(let key)): return key.verify(signature, of: data)
        case (.signature(let signature), .ed448(let key)): return key.verify(signature, of: data)
        case (.authenticator(let authenticator), .x25519(let key)):
            guard let secret = agree(key) else { return false }
            return Authenticator.verify(authenticator, for: data, nonce: correlationID.nonce, key: secret)
        default: return false
        }
    }
}

/// The id that connects a response with its command: 24 random bytes of this program, echoed by the relay.
///
/// The id is also a nonce (authenticators, proxying, sender ids of short links), so it must be unpredictable.
public struct CorrelationID: Hashable, Sendable, ByteCodable {
    /// The bytes of the id, at most 255.
    public let bytes: Bytes

    /// The empty id of events, which are not responses.
    public static let empty = CorrelationID([])

    /// Creates an id of at most 255 bytes. A longer one is a programmer error.
    public init(_ bytes: Bytes) {
        precondition(bytes.count <= UInt8.max, "an id has at most 255 bytes")
        self.bytes = bytes
    }

    /// Creates a random id of 24 bytes.
    public init(random source: any RandomSource) {
        bytes = source.bytes(SMP.idSize)
    }

    /// True if the id is empty, as in events.
    public var isEmpty: Bool { bytes.isEmpty }
    /// The id as a nonce.
    public var nonce: Nonce { Nonce(bytes) }

    /// Reads the bytes behind a one-byte length.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        bytes = try reader.shortBytes()
    }

    /// Writes the bytes behind a one-byte length.
    public func encode(into writer: inout ByteWriter) {
        writer.shortBytes(bytes)
    }
}
