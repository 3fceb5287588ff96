import ByteCoding
import CryptoCore
import TestSupport
import Testing

@Suite struct StreamVectors {
    private static let key = Secret(copying: Bytes(1...32))
    private static let nonce = Nonce(Bytes(1...24))

    /// `xftp.json`: files of the official applications.
    @Test(arguments: VectorFile.cases("xftp", kind: "localFileEncryption"))
    func files(vector: Vector) throws {
        let nonce = Nonce(vector["nonce"].bytes), key = Secret(copying: vector["key"].bytes)
        guard let plain = vector.field("plain")?.bytes, let stored = vector.field("stored")?.bytes else { return }
        var stream = SecretBoxStream(nonce: nonce, key: key)
        #expect(stream.encrypt(plain) + stream.tag() == stored)
        var opening = SecretBoxStream(nonce: nonce, key: key)
        #expect(opening.decrypt(Bytes(stored.dropLast(SecretBox.tagSize))) == plain)
        #expect(opening.tag() == Bytes(stored.suffix(SecretBox.tagSize)))
    }

    /// Parts of any size give the bytes of the box.
    @Test(arguments: [1, 31, 32, 33, 63, 64, 65, 100, 4096])
    func parts_equal_the_whole(size: Int) {
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let box = SecretBox.seal(message, nonce: Self.nonce, key: Self.key)
        var sealing = SecretBoxStream(nonce: Self.nonce, key: Self.key)
        var opening = SecretBoxStream(nonce: Self.nonce, key: Self.key)
        var encrypted: Bytes = [], decrypted: Bytes = []
        for start in stride(from: 0, to: message.count, by: size) {
            let part = sealing.encrypt(Bytes(message[start..<min(start + size, message.count)]))
            encrypted += part
            decrypted += opening.decrypt(part)
        }
        #expect(encrypted == Bytes(box.dropFirst(SecretBox.tagSize)))
        #expect(decrypted == message)
        let tag = Bytes(box.prefix(SecretBox.tagSize))
        #expect(sealing.tag() == tag)
        #expect(opening.tag() == tag)
    }
}
