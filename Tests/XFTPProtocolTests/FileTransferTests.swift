import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing
import XFTPProtocol

/// The values of uploads and downloads.
@Suite struct FileTransferTests {
    private let random = SeededRandom(seed: 5)
    private let server = ServerAddress(hosts: [.domain("example.org")], port: nil, fingerprint: Bytes(1...32))

    private func upload(recipients: Int) throws -> FileUpload {
        let plan = try #require(ChunkPlan(payloadSize: 100_000))
        return FileUpload(
            key: FileEncryptionKey(random: random), digest: Bytes(1...64), plan: plan,
            chunkDigests: plan.sizes.map { _ in Bytes(1...32) }, recipients: recipients, random: random)
    }

    private func ids(_ count: Int) -> [EntityID] { (0..<count).map { _ in EntityID(random.bytes(16)) } }

    @Test func stepsOfAnUpload() throws {
        var upload = try upload(recipients: 450)
        #expect(upload.chunks.map(\.start) == [0, 65536])
        #expect(throws: FileDescriptionError.chunkNumbers) { try upload.recipientDescriptions() }
        for index in upload.chunks.indices {
            let keys = upload.chunks[index].recipientKeys.map(\.publicKey)
            #expect(upload.chunks[index].step == .create(Array(keys[..<200])))
            upload.chunks[index].registration = FileUpload.Registration(
                server: server, senderID: ids(1)[0], recipientIDs: ids(200))
            #expect(upload.chunks[index].step == .addRecipients(Array(keys[200..<400])))
            upload.chunks[index].registration?.recipientIDs += ids(200)
            #expect(upload.chunks[index].step == .addRecipients(Array(keys[400...])))
            upload.chunks[index].registration?.recipientIDs += ids(50)
            #expect(upload.chunks[index].step == .put)
            #expect(!upload.isComplete)
            upload.chunks[index].isUploaded = true
            #expect(upload.chunks[index].step == .done)
        }
        #expect(upload.isComplete)
        #expect(upload.uploadedSize == 131_072)
        let descriptions = try upload.recipientDescriptions()
        #expect(descriptions.count == 450)
        #expect(Set(descriptions.map(\.text)).count == 450)
        let last = try FileDescription(text: descriptions[449].text)
        #expect(last.chunks[1].replicas[0].id == upload.chunks[1].registration?.recipientIDs[449])
        #expect(last.chunks[1].replicas[0].key.publicKey == upload.chunks[1].recipientKeys[449].publicKey)
        let sender = try FileDescription(text: try upload.senderDescription().text)
        #expect(sender.party == .sender)
        #expect(sender.chunks[0].replicas[0].id == upload.chunks[0].registration?.senderID)
    }

    private func download(replicas: Int) throws -> FileDownload {
        let other = (0..<replicas).map { number in
            FileDescription.Replica(
                server: ServerAddress(hosts: [.domain("\(number).org")], port: nil, fingerprint: Bytes(1...32)),
                id: ids(1)[0], key: .ed25519(Ed25519.PrivateKey(random: random)))
        }
        let chunks = [1, 2].map {
            FileDescription.Chunk(number: $0, size: 65536, digest: Bytes(1...32), replicas: other)
        }
        return FileDownload(
            try FileDescription(
                party: .recipient, size: 131_072, digest: Bytes(1...64), key: FileEncryptionKey(random: random),
                chunkSize: 65536, chunks: chunks))
    }

    @Test func chunksAreStoredAndAcknowledged() throws {
        var download = try download(replicas: 1)
        #expect(download.starts == [0, 65536])
        #expect(!download.hasAllChunks && download.storedSize == 0)
        download.acknowledge(0)
        #expect(download.missingReplica(of: 0) != nil && download.storedReplica(of: 0) == nil)
        download.store(0)
        download.store(1)
        #expect(download.hasAllChunks && download.storedSize == 131_072)
        #expect(download.missingReplica(of: 0) == nil && download.storedReplica(of: 0) != nil)
        let resumed = try FileDownload(download.description, states: download.states)
        #expect(resumed.states == [.stored(replica: 0), .stored(replica: 0)])
        #expect(throws: DecodeError.self) { try FileDownload(download.description, states: [.acknowledged]) }
        #expect(throws: DecodeError.self) {
            try FileDownload(download.description, states: [.missing(replica: 1), .acknowledged])
        }
        download.acknowledge(0)
        #expect(download.states[0] == .acknowledged)
        download.restart()
        #expect(download.states == [.missing(replica: 0), .missing(replica: 0)])
    }

    @Test func failuresLeadToOtherReplicas() throws {
        var download = try download(replicas: 3)
        #expect(download.fail(0, isTemporary: true, hadWrongBytes: false) == .otherReplica)
        #expect(download.states[0] == .missing(replica: 1))
        // The second one is lost for good.
        #expect(download.fail(0, isTemporary: false, hadWrongBytes: false) == .otherReplica)
        #expect(download.fail(0, isTemporary: true, hadWrongBytes: false) == .retry)
        #expect(download.states[0] == .missing(replica: 0))
        #expect(download.fail(0, isTemporary: true, hadWrongBytes: false) == .otherReplica)
        #expect(download.states[0] == .missing(replica: 2))
        #expect(download.fail(0, isTemporary: false, hadWrongBytes: false) == .retry)
        #expect(download.fail(0, isTemporary: false, hadWrongBytes: false) == .giveUp)
        #expect(download.states[1] == .missing(replica: 0))
    }

    @Test func wrongBytesAreToleratedTwice() throws {
        var download = try download(replicas: 1)
        #expect(download.fail(0, isTemporary: true, hadWrongBytes: true) == .retry)
        #expect(download.fail(0, isTemporary: true, hadWrongBytes: true) == .retry)
        #expect(download.fail(0, isTemporary: true, hadWrongBytes: true) == .giveUp)
    }
}
