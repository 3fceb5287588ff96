import ByteCoding
import CryptoCore
import TestSupport
import Testing
import XFTPProtocol

/// `xftp.json` and smp-agent.md 14.17: encrypted files and chunks.
@Suite struct FileVectors {
    @Test(arguments: VectorFile.cases("xftp", kind: "fileHeader"))
    func headers(vector: Vector) throws {
        let header = EncryptedFileHeader(name: vector["name"].text, extra: vector.field("extra")?.text)
        #expect(header.encoded == vector["bytes"].bytes)
        Damage.check(vector["bytes"].bytes) { try EncryptedFileHeader(decoding: $0) }
    }

    /// The encrypted size that a sender may describe for an offer, whatever the name of the file is.
    @Test func offersBoundTheEncryptedSize() throws {
        for size: Int64 in [0, 1, 64 << 10, 195_000, 786_000, 3 << 20, 100_000_000, 1 << 30] {
            let range = try #require(ChunkPlan.encryptedSizes(ofContent: size))
            for name in ["", "a.txt", String(repeating: "n", count: 255)] {
                let plan = try #require(ChunkPlan(header: EncryptedFileHeader(name: name), contentSize: size))
                #expect(range.contains(plan.encryptedSize))
            }
            #expect(range.upperBound <= size + (4 << 20) + 1024)
            #expect(!range.contains(size))
        }
        #expect(ChunkPlan.encryptedSizes(ofContent: -1) == nil)
        #expect(ChunkPlan.encryptedSizes(ofContent: XFTP.hardFileLimit) == nil)
        #expect(ChunkPlan.encryptedSizes(ofContent: XFTP.hardFileLimit - 100)?.upperBound == XFTP.hardFileLimit)
    }

    @Test func specificationHeader() {
        #expect(EncryptedFileHeader(name: "a.txt").encoded == VectorFile.line("FileHeader a.txt").bytes)
    }

    @Test(arguments: [1, 7, 64, 1000, 65536])
    func encryptedFiles(partSize: Int) throws {
        for vector in VectorFile.cases("xftp", kind: "fileEncryption")
        where partSize > 100 || vector["contentLength"].int < 600 {
            let content = vector.field("content")?.bytes ?? recordedContent(vector["contentLength"].int)
            let size = vector["encryptedSize"].int64
            var encrypted: Bytes = []
            guard
                var encryptor = FileEncryptor(
                    header: EncryptedFileHeader(name: vector["name"].text), contentSize: Int64(content.count),
                    encryptedSize: size, key: vector.fileKey)
            else {
                Issue.record("the file does not fit")
                return
            }
            encrypted += encryptor.start()
            for part in parts(of: content, size: partSize) { encrypted += encryptor.encrypt(part) }
            let (end, digest) = encryptor.finish()
            encrypted += end
            if case .string = vector["encrypted"] {
                #expect(encrypted == vector["encrypted"].bytes)
            } else {
                #expect(LongBytes(vector["encrypted"]).matches(encrypted))
            }
            #expect(digest == vector["sha512"].bytes)
            let (header, decrypted) = try decrypt(
                encrypted, size: size, digest: digest, key: vector.fileKey, partSize: partSize)
            #expect(header.name == vector["name"].text)
            #expect(decrypted == content)
        }
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "chunksDecryption"))
    func chunksOfAFile(vector: Vector) throws {
        let chunks = vector["chunks"].list.map(\.bytes)
        let whole = chunks.flatMap { $0 }
        var digests = ChunkDigests(sizes: chunks.map { UInt32($0.count) })
        for part in parts(of: whole, size: 100) { digests.update(part) }
        #expect(digests.digests == vector["chunkSha256"].list.map(\.bytes))
        let digest = vector["sha512OfAll"].bytes
        func open() throws -> (EncryptedFileHeader, Bytes) {
            try decrypt(whole, size: Int64(whole.count), digest: digest, key: vector.fileKey, partSize: 333)
        }
        guard case .dictionary = vector["result"] else {
            #expect(throws: FileDecryptionError.authentication) { _ = try open() }
            return
        }
        let (header, content) = try open()
        #expect(header.name == vector["result"]["name"].text)
        #expect(content == vector["result"]["content"].bytes)
    }

    @Test func damagedFilesAreRefused() throws {
        let vector = VectorFile.cases("xftp", kind: "fileEncryption")[0]
        let encrypted = vector["encrypted"].bytes
        // With the digest of the damaged file, so that the tag and the header are checked too.
        Damage.survive(encrypted) { damaged in
            for digest in [vector["sha512"].bytes, SHA512.hash(damaged)] {
                let result = try? decrypt(
                    damaged, size: Int64(damaged.count), digest: digest, key: vector.fileKey, partSize: 50)
                #expect(result == nil)
            }
        }
        #expect(throws: FileDecryptionError.size) {
            _ = try decrypt(
                Bytes(encrypted.dropLast()), size: Int64(encrypted.count), digest: vector["sha512"].bytes,
                key: vector.fileKey, partSize: 50)
        }
        #expect(throws: FileDecryptionError.size) {
            _ = try decrypt(
                encrypted + [0], size: Int64(encrypted.count), digest: vector["sha512"].bytes,
                key: vector.fileKey, partSize: 50)
        }
    }

    /// A length inside of the file that is negative, or exceeds the file.
    @Test(arguments: [Int64.min, -1, 105, Int64.max])
    func wrongLengthsAreRefused(length: Int64) throws {
        let key = FileEncryptionKey(random: SeededRandom(seed: 3))
        var writer = ByteWriter()
        writer.int64(length)
        writer.raw(EncryptedFileHeader(name: "a").encoded + Bytes(repeating: 0, count: 101))
        var stream = SecretBoxStream(nonce: key.nonce, key: key.key)
        var file = stream.encrypt(Bytes(writer.bytes.prefix(112)))
        file += stream.tag()
        #expect(throws: FileDecryptionError.header) {
            _ = try decrypt(file, size: 128, digest: SHA512.hash(file), key: key, partSize: 20)
        }
    }

    private func decrypt(
        _ file: Bytes, size: Int64, digest: Bytes, key: FileEncryptionKey, partSize: Int
    ) throws -> (EncryptedFileHeader, Bytes) {
        var decryptor = try FileDecryptor(size: size, digest: digest, key: key)
        var content: Bytes = []
        for part in parts(of: file, size: partSize) { content += try decryptor.decrypt(part) }
        return (try decryptor.finish(), content)
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "chunkPlan"))
    func chunkPlans(vector: Vector) throws {
        let size = vector["payloadSize"].int64
        let plan = try #require(ChunkPlan(payloadSize: size))
        var expected: [UInt32] = []
        for group in vector["chunks"].list {
            expected += [UInt32](repeating: UInt32(group["size"].int), count: group["count"].int)
        }
        #expect(plan.sizes == expected)
        #expect(plan.encryptedSize == vector["total"].int64)
        #expect(ChunkPlan.singleChunk(payloadSize: size) == vector.field("singleChunk").map { UInt32($0.int) })
    }

    @Test func plansHaveLimits() {
        #expect(ChunkPlan(payloadSize: 0) == nil)
        #expect(ChunkPlan(payloadSize: .min) == nil)
        #expect(ChunkPlan(payloadSize: .max) == nil)
        #expect(ChunkPlan(payloadSize: XFTP.hardFileLimit)?.encryptedSize == XFTP.hardFileLimit)
        #expect(ChunkPlan(payloadSize: XFTP.hardFileLimit + 1) == nil)
        #expect(ChunkPlan(header: EncryptedFileHeader(name: "a"), contentSize: .max) == nil)
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "chunkTransport"))
    func downloadedChunks(vector: Vector) throws {
        let body = recordedContent(vector["length"].int)
        let key = try X25519.PrivateKey(Secret(copying: vector["recipientPrivateKey"].bytes))
        let relayKey = try vector.x25519("serverPublicKey"), nonce = Nonce(vector["nonce"].bytes)
        var stream = try ChunkStream.sealing(key, with: relayKey, nonce: nonce)
        var sent: Bytes = []
        for part in parts(of: body, size: 999) { sent += stream.encrypt(part) }
        sent += stream.tag()
        if case .string = vector["sent"] {
            #expect(sent == vector["sent"].bytes)
        } else {
            #expect(LongBytes(vector["sent"]).matches(sent))
        }
        #expect(ChunkStream.bodySize(chunkSize: UInt32(body.count)) == Int64(sent.count))

        func open(_ sent: Bytes, digest: Bytes) throws -> Bytes {
            var opening = try ChunkOpening(
                size: UInt32(body.count), digest: digest, privateKey: key, key: relayKey, nonce: nonce)
            var chunk: Bytes = []
            for part in parts(of: sent, size: 77) { chunk += try opening.decrypt(part) }
            try opening.finish()
            return chunk
        }
        let digest = vector["sha256"].bytes
        #expect(try open(sent, digest: digest) == body)
        #expect(throws: FileDecryptionError.digest) { _ = try open(sent, digest: Bytes(1...32)) }
        #expect(throws: FileDecryptionError.size) { _ = try open(sent + [0], digest: digest) }
        #expect(throws: FileDecryptionError.size) { _ = try open(Bytes(sent.dropLast()), digest: digest) }
        var changed = sent
        changed[changed.count - 1] ^= 1
        #expect(throws: FileDecryptionError.authentication) { _ = try open(changed, digest: digest) }
        if sent.count < 300 {
            Damage.survive(sent) { damaged in #expect((try? open(damaged, digest: digest)) == nil) }
        }
    }

    @Test func specificationStream() {
        var stream = SecretBoxStream(nonce: Nonce(Bytes(1...24)), key: Secret(copying: Bytes(1...32)))
        let text = stream.encrypt(Bytes("hello ".utf8)) + stream.encrypt(Bytes("world".utf8))
        #expect(text == VectorFile.line("streaming sb 'hello ' 'world'").bytes)
        #expect(stream.tag() == VectorFile.line("streaming sb tag").bytes)
    }

    @Test(arguments: [
        ("a.txt", "a.txt"), ("../../etc/passwd", "passwd"), ("C:\\x\\y.doc", "y.doc"), ("/", nil), ("..", nil),
        (".", nil),
        ("", nil), ("a/..", nil), ("a\u{0}b", "b"), ("фото.jpg", "фото.jpg"),
    ])
    func namesLoseTheirFolders(name: String, component: String?) {
        #expect(EncryptedFileHeader(name: name).lastNameComponent == component)
    }

    @Test func longNamesAreCut() {
        #expect(EncryptedFileHeader(name: String(repeating: "ф", count: 200)).name.utf8.count == 254)
    }
}
