public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// The command block at the start of a body: 16,384 bytes with one transmission (smp-agent.md 10.1, 10.3).
public enum FileBlock {
    /// Returns the padded block of any content, such as a hello or the error of a handshake.
    ///
    /// - Throws: ``CryptoError/messageTooLarge``.
    public static func padded(_ content: Bytes) throws(CryptoError) -> Bytes {
        try Padding.pad(content, to: XFTP.blockSize)
    }

    /// Returns the content of a padded block.
    ///
    /// - Throws: ``CryptoError/invalidPadding`` if the block has another size or a wrong length.
    public static func content(of block: Bytes) throws(CryptoError) -> Bytes {
        guard block.count == XFTP.blockSize else { throw .invalidPadding }
        return try Padding.unpad(block)
    }

    /// Returns the block of a transmission.
    ///
    /// - Throws: ``CryptoError/messageTooLarge`` if a command has too many keys.
    public static func encode(_ transmission: Transmission, session: FileSession) throws(CryptoError) -> Bytes {
        let encoded = transmission.encoded(in: session.transmission)
        guard encoded.count <= UInt16.max else { throw .messageTooLarge }
        return try padded(Batch.content([encoded]))
    }

    /// Reads the transmission of a received block.
    ///
    /// - Throws: ``Transmission/Failure/malformed(_:)`` for a malformed block or another number of transmissions,
    ///   ``Transmission/Failure/otherSession(_:)``.
    public static func decode(
        _ block: Bytes, session: FileSession
    ) throws(Transmission.Failure) -> Transmission {
        guard let content = try? content(of: block), let all = try? Batch.transmissions(of: content), all.count == 1
        else { throw .malformed(.empty) }
        return try Transmission(decoding: all[0], session: session.transmission)
    }
}
