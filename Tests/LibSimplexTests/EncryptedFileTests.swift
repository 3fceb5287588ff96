import ByteCoding
import CryptoCore
import SystemIO
import TestSupport
import Testing

@testable import LibSimplex

@Suite struct EncryptedFileTests {
    @Test(arguments: [0, 1, 15, 16, 17, 65519, 65520, 65536, 65537, 200_000])
    func a_file_is_encrypted_and_decrypted(size: Int) throws {
        let folder = try TemporaryFolder(), key = FileKey()
        let plain = folder.path + "/plain", encrypted = folder.path + "/encrypted", decrypted = folder.path + "/again"
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try Files.create(plain, content)
        try EncryptedFile(encrypted, key).encrypt(plain)
        let stored = try Files.read(encrypted, limit: 1 << 20)
        let box = SecretBox.seal(content, nonce: key.nonce, key: key.key)
        #expect(stored == Bytes(box.dropFirst(16) + box.prefix(16)))
        try EncryptedFile(encrypted, key).decrypt(to: decrypted)
        #expect(try Files.read(decrypted, limit: 1 << 20) == content)
    }

    @Test func a_changed_file_is_not_written() throws {
        let folder = try TemporaryFolder(), key = FileKey()
        let encrypted = folder.path + "/encrypted", target = folder.path + "/target"
        try unsafe Bytes("hello".utf8).withUnsafeBytes { try unsafe EncryptedFile(encrypted, key).write($0) }
        let stored = try Files.read(encrypted, limit: 1000)
        for damaged in Damage.variants(of: stored) {
            try Files.replace(encrypted, damaged)
            #expect(throws: EncryptedFile.Problem.self) { try EncryptedFile(encrypted, key).decrypt(to: target) }
            #expect(!Files.exists(target))
        }
        try Files.replace(encrypted, stored)
        #expect(throws: EncryptedFile.Problem.self) { try EncryptedFile(encrypted, FileKey()).decrypt(to: target) }
        #expect(throws: EncryptedFile.Problem.self) { try FileKey(key: "AA==", nonce: "") }
        try EncryptedFile(encrypted, key).decrypt(to: target)
    }
}
