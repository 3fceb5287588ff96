import ByteCoding
import CryptoCore
import SMPProtocol
import XFTPProtocol

extension FuzzTarget {
    /// What a file relay and its clients send each other, and what senders of files send to recipients.
    static let xftp = FuzzTarget(name: "xftp") { bytes in
        roundTrip(bytes, { try FileCommand(decoding: $0) }, \.encoded)
        roundTrip(bytes, translated: true, { try FileAnswer(decoding: $0) }, { $0.encoded(version: 3) })
        roundTrip(bytes, FileRelayError.self)
        roundTrip(bytes, { try FileServerHello(decoding: $0) }, \.encoded)
        roundTrip(bytes, { try FileClientHello(decoding: $0) }, \.encoded)
        roundTrip(bytes, { try FileHelloRequest(decoding: $0) }, \.encoded)
        roundTrip(bytes, EncryptedFileHeader.self)
        if let block = try? FileBlock.padded(bytes) {
            _ = try? FileBlock.decode(block, session: FileSession(version: 3, sessionID: Bytes(1...32)))
        }
        descriptions(bytes)
        decryption(bytes)
    }

    private static func descriptions(_ bytes: Bytes) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? FileSizeText.decode(text)
        if let link = try? FileLink(text: text) { _ = try? FileLink(text: link.text) }
        guard let description = try? FileDescription(text: text) else { return }
        let written = description.text
        guard let again = try? FileDescription(text: written) else {
            return promise(false, "FileDescription: its own text is refused: \(Hex.encode(bytes))")
        }
        // Writing sorts the relays, and with them the copies of each chunk.
        let sorted = again.text
        promise(
            (try? FileDescription(text: sorted))?.text == sorted, "FileDescription: two texts: \(Hex.encode(bytes))")
        promise(again.chunks.count == description.chunks.count, "FileDescription: other chunks: \(Hex.encode(bytes))")
    }

    /// A file whose plain bytes are hostile: its tag is right, because the sender made it.
    private static func decryption(_ bytes: Bytes) {
        let key = FileEncryptionKey(key: Secret(copying: Bytes(1...32)), nonce: Nonce(Bytes(1...24)))
        var stream = SecretBoxStream(nonce: key.nonce, key: key.key)
        let encrypted = stream.encrypt(bytes)
        let file = encrypted + stream.tag()
        guard
            var decryptor = try? FileDecryptor(size: Int64(file.count), digest: SHA512.hash(file), key: key)
        else { return }
        var size = 0
        for start in stride(from: 0, to: file.count, by: 100) {
            guard let part = try? decryptor.decrypt(Bytes(file[start..<min(start + 100, file.count)])) else { return }
            size += part.count
        }
        guard let header = try? decryptor.finish() else { return }
        promise(size + header.encoded.count <= bytes.count, "FileDecryptor: too long: \(Hex.encode(bytes))")
        _ = header.lastNameComponent
    }
}
