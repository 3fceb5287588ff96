public import ByteCoding
public import CryptoCore

/// The two layers of encryption around a command that travels through a proxy, and around its answer.
///
/// The inner layer is between the client and the destination: the proxy cannot read the command. The outer one is between
/// the proxy and the destination: an observer cannot match what enters the proxy with what leaves it. Answers use the
/// reversed nonces of their commands.
public enum Forwarding {
    /// The padded size of the inner plaintext: one transmission in a batch.
    static let paddedSize = 16226

    /// Encrypts one transmission for the destination. `secret` is the agreement of the command's key and the
    /// destination's session key; the correlation id is that of the command.
    public static func seal(
        _ transmission: Bytes, correlationID: CorrelationID, secret: Secret
    ) throws(CryptoError) -> Bytes {
        try SecretBox.sealPadded(
            Batch.content([transmission]), to: paddedSize, nonce: correlationID.nonce, key: secret)
    }

    /// Decrypts the transmission at the destination.
    public static func open(
        _ encrypted: Bytes, correlationID: CorrelationID, secret: Secret
    ) throws(CryptoError) -> Bytes {
        try single(try SecretBox.openPadded(encrypted, nonce: correlationID.nonce, key: secret))
    }

    /// Encrypts the destination's answer for the client.
    public static func sealAnswer(
        _ transmission: Bytes, correlationID: CorrelationID, secret: Secret
    ) throws(CryptoError) -> Bytes {
        try SecretBox.sealPadded(
            Batch.content([transmission]), to: paddedSize, nonce: correlationID.nonce.reversed, key: secret)
    }

    /// Decrypts the answer at the client.
    public static func openAnswer(
        _ encrypted: Bytes, correlationID: CorrelationID, secret: Secret
    ) throws(CryptoError) -> Bytes {
        try single(try SecretBox.openPadded(encrypted, nonce: correlationID.nonce.reversed, key: secret))
    }

    private static func single(_ content: Bytes) throws(CryptoError) -> Bytes {
        guard let transmissions = try? Batch.transmissions(of: content), transmissions.count == 1 else {
            throw .invalidPadding
        }
        return transmissions[0]
    }
}

/// A forwarded command between proxy and destination: all of PFWD with its correlation id.
public struct ForwardedCommand: Hashable, Sendable, ByteCodable {
    public let correlationID: CorrelationID
    public let version: UInt16
    /// The client's key of this one command.
    public let key: X25519.PublicKey
    public let encrypted: Bytes

    public init(correlationID: CorrelationID, version: UInt16, key: X25519.PublicKey, encrypted: Bytes) {
        self.correlationID = correlationID
        self.version = version
        self.key = key
        self.encrypted = encrypted
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        correlationID = try reader.value()
        version = try reader.uint16()
        key = try reader.value()
        encrypted = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.value(correlationID)
        writer.uint16(version)
        writer.value(key)
        writer.raw(encrypted)
    }

    /// The parameter of RFWD. `secret` is the agreement of the proxy's and the destination's session keys; the
    /// correlation id is that of RFWD.
    public func seal(correlationID: CorrelationID, secret: Secret) -> Bytes {
        SecretBox.seal(encoded, nonce: correlationID.nonce, key: secret)
    }

    public init(opening encrypted: Bytes, correlationID: CorrelationID, secret: Secret) throws(CryptoError) {
        let plain = try SecretBox.open(encrypted, nonce: correlationID.nonce, key: secret)
        guard let command = try? ForwardedCommand(decoding: plain) else { throw .invalidPadding }
        self = command
    }
}

/// The answer to a forwarded command between destination and proxy.
public struct ForwardedAnswer: Hashable, Sendable, ByteCodable {
    /// The correlation id of the client's command.
    public let correlationID: CorrelationID
    public let encrypted: Bytes

    public init(correlationID: CorrelationID, encrypted: Bytes) {
        self.correlationID = correlationID
        self.encrypted = encrypted
    }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        correlationID = try reader.value()
        encrypted = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.value(correlationID)
        writer.raw(encrypted)
    }

    /// The parameter of RRES.
    public func seal(correlationID: CorrelationID, secret: Secret) -> Bytes {
        SecretBox.seal(encoded, nonce: correlationID.nonce.reversed, key: secret)
    }

    public init(opening encrypted: Bytes, correlationID: CorrelationID, secret: Secret) throws(CryptoError) {
        let plain = try SecretBox.open(encrypted, nonce: correlationID.nonce.reversed, key: secret)
        guard let answer = try? ForwardedAnswer(decoding: plain) else { throw .invalidPadding }
        self = answer
    }
}
