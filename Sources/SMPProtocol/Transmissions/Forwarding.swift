public import ByteCoding
public import CryptoCore

/// The two layers of encryption around a proxied command and its response (smp-agent.md 5.9).
///
/// The inner layer is between the client and the destination, so the proxy cannot read the command. The outer layer is
/// between the proxy and the destination, so an observer cannot match the proxy's input with its output. Responses use
/// the reversed nonces of their commands.
public enum Forwarding {
    /// The padded size of the inner plaintext in bytes: one transmission in a batch.
    static let paddedSize = 16226

    /// Encrypts one transmission for the destination.
    ///
    /// - Parameters:
    ///   - correlationID: The correlation id of the command.
    ///   - secret: The agreement of the command's key and the destination's session key.
    /// - Throws: ``CryptoError/messageTooLarge``.
    public static func seal(
        _ transmission: Bytes, correlationID: CorrelationID, secret: Secret
    ) throws(CryptoError) -> Bytes {
        try SecretBox.sealPadded(
            Batch.content([transmission]), to: paddedSize, nonce: correlationID.nonce, key: secret)
    }

    /// Decrypts the transmission at the destination.
    ///
    /// - Throws: ``CryptoError``.
    public static func open(
        _ encrypted: Bytes, correlationID: CorrelationID, secret: Secret
    ) throws(CryptoError) -> Bytes {
        try single(try SecretBox.openPadded(encrypted, nonce: correlationID.nonce, key: secret))
    }

    /// Encrypts the destination's response for the client.
    ///
    /// - Throws: ``CryptoError/messageTooLarge``.
    public static func sealAnswer(
        _ transmission: Bytes, correlationID: CorrelationID, secret: Secret
    ) throws(CryptoError) -> Bytes {
        try SecretBox.sealPadded(
            Batch.content([transmission]), to: paddedSize, nonce: correlationID.nonce.reversed, key: secret)
    }

    /// Decrypts the response at the client.
    ///
    /// - Throws: ``CryptoError``.
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

/// A forwarded command between proxy and destination: PFWD with its correlation id.
public struct ForwardedCommand: Hashable, Sendable, ByteCodable {
    /// The correlation id of the client's command.
    public let correlationID: CorrelationID
    /// The version of the proxied session.
    public let version: UInt16
    /// The client's key, used for this command only.
    public let key: X25519.PublicKey
    /// The encrypted transmission.
    public let encrypted: Bytes

    /// Creates a forwarded command from its parts.
    public init(correlationID: CorrelationID, version: UInt16, key: X25519.PublicKey, encrypted: Bytes) {
        self.correlationID = correlationID
        self.version = version
        self.key = key
        self.encrypted = encrypted
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        correlationID = try reader.value()
        version = try reader.uint16()
        key = try reader.value()
        encrypted = reader.rest()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(correlationID)
        writer.uint16(version)
        writer.value(key)
        writer.raw(encrypted)
    }

    /// Encrypts the parameter of RFWD.
    ///
    /// - Parameters:
    ///   - correlationID: The correlation id of RFWD.
    ///   - secret: The agreement of the proxy's and the destination's session keys.
    public func seal(correlationID: CorrelationID, secret: Secret) -> Bytes {
        SecretBox.seal(encoded, nonce: correlationID.nonce, key: secret)
    }

    /// Decrypts the parameter of RFWD.
    ///
    /// - Throws: ``CryptoError``.
    public init(opening encrypted: Bytes, correlationID: CorrelationID, secret: Secret) throws(CryptoError) {
        let plain = try SecretBox.open(encrypted, nonce: correlationID.nonce, key: secret)
        guard let command = try? ForwardedCommand(decoding: plain) else { throw .invalidPadding }
        self = command
    }
}

/// The response to a forwarded command between destination and proxy.
public struct ForwardedAnswer: Hashable, Sendable, ByteCodable {
    /// The correlation id of the client's command.
    public let correlationID: CorrelationID
    /// The encrypted transmission.
    public let encrypted: Bytes

    /// Creates a forwarded answer from its parts.
    public init(correlationID: CorrelationID, encrypted: Bytes) {
        self.correlationID = correlationID
        self.encrypted = encrypted
    }

    /// Reads the binary form.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        correlationID = try reader.value()
        encrypted = reader.rest()
    }

    /// Writes the binary form.
    public func encode(into writer: inout ByteWriter) {
        writer.value(correlationID)
        writer.raw(encrypted)
    }

    /// Encrypts the parameter of RRES.
    public func seal(correlationID: CorrelationID, secret: Secret) -> Bytes {
        SecretBox.seal(encoded, nonce: correlationID.nonce.reversed, key: secret)
    }

    /// Decrypts the parameter of RRES.
    ///
    /// - Throws: ``CryptoError``.
    public init(opening encrypted: Bytes, correlationID: CorrelationID, secret: Secret) throws(CryptoError) {
        let plain = try SecretBox.open(encrypted, nonce: correlationID.nonce.reversed, key: secret)
        guard let answer = try? ForwardedAnswer(decoding: plain) else { throw .invalidPadding }
        self = answer
    }
}
