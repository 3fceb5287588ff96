public import ByteCoding
public import CryptoCore

/// What proves that a command comes from the holder of a key. Its length tells its kind.
public enum Authorization: Hashable, Sendable {
    case none
    /// 64 bytes (Ed25519) or 114 bytes (Ed448).
    case signature(Bytes)
    /// 80 bytes. Clients make them from version 7; a relay that knows them accepts them in all versions.
    case authenticator(Bytes)

    /// Tells the kind of received authorization bytes; nil for a length that no kind has.
    init?(received bytes: Bytes) {
        switch bytes.count {
        case 0: self = .none
        case Ed25519.signatureSize, Ed448.signatureSize: self = .signature(bytes)
        case Authenticator.size: self = .authenticator(bytes)
        default: return nil
        }
    }

    public var bytes: Bytes {
        switch self {
        case .none: []
        case .signature(let bytes), .authenticator(let bytes): bytes
        }
    }

    public var isPresent: Bool { self != .none }

    /// Authorizes `data` with a private key.
    ///
    /// An authenticator is bound to the relay's session key; without one (an old relay) it cannot be made.
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

    /// Whether this authorizes `data` for `key`. The relay's own session key is needed for authenticators.
    public func verifies(
        _ data: Bytes, key: AuthorizationKey, correlationID: CorrelationID, relayKey: X25519.PrivateKey?
    ) -> Bool {
        verifies(data, key: key, correlationID: correlationID) { key in try? relayKey?.agree(with: key) }
    }

    /// Whether this authorizes `data` for `key`.
    ///
    /// - Parameter agree: The agreement of the relay's session key with another; asked for authenticators only. A relay
    ///   may know it from an earlier command, and then saves most of the work.
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

/// Connects an answer with its command: 24 random bytes from this program, echoed by the relay as they are.
///
/// It is also a nonce (authenticators, proxying, sender ids of short links), so it must not be predictable.
public struct CorrelationID: Hashable, Sendable, ByteCodable {
    public let bytes: Bytes

    /// What events carry, which are not answers.
    public static let empty = CorrelationID([])

    /// An id of at most 255 bytes (a programmer error otherwise).
    public init(_ bytes: Bytes) {
        precondition(bytes.count <= UInt8.max, "an id has at most 255 bytes")
        self.bytes = bytes
    }

    public init(random source: any RandomSource) {
        bytes = source.bytes(SMP.idSize)
    }

    public var isEmpty: Bool { bytes.isEmpty }
    public var nonce: Nonce { Nonce(bytes) }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        bytes = try reader.shortBytes()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.shortBytes(bytes)
    }
}
