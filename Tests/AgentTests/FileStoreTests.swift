import ByteCoding
import CryptoCore
import SMPProtocol
import Store
import SystemIO
import TestSupport
import Testing
import XFTPClient
import XFTPProtocol

@testable import Agent

/// The records of files in the agent's database.
@Suite struct FileStoreTests {
    private let folder: TemporaryFolder
    private let random = SeededRandom(seed: 11)
    private let server: ServerAddress

    init() throws {
        folder = try TemporaryFolder()
        server = ServerAddress(hosts: [.domain("files.example")], port: 5443, fingerprint: Bytes(1...32))
    }

    private func store() throws -> AgentFileStore {
        let path = "\(folder.path)/agent.db"
        let database = try Database(path, Files.exists(path) ? .readWrite : .create)
        _ = try database.migrate(AgentSchema.migrations)
        return AgentFileStore(database)
    }

    private func upload(redirect: FileDescription.Redirect? = nil) throws -> FileUpload {
        let plan = try #require(ChunkPlan(payloadSize: 100_000))
        return FileUpload(
            key: FileEncryptionKey(random: random), digest: Bytes(1...64), plan: plan,
            chunkDigests: plan.sizes.map { _ in Bytes(1...32) }, recipients: 3, redirect: redirect, random: random)
    }

    private func expectEqual(_ one: FileUpload, _ other: FileUpload) {
        #expect(one.digest == other.digest && one.redirect == other.redirect)
        #expect(one.key.nonce == other.key.nonce && one.key.key.isEqual(to: other.key.key))
        #expect(one.chunks.map(\.number) == other.chunks.map(\.number))
        #expect(one.chunks.map(\.start) == other.chunks.map(\.start))
        #expect(one.chunks.map(\.size) == other.chunks.map(\.size))
        #expect(one.chunks.map(\.digest) == other.chunks.map(\.digest))
        #expect(one.chunks.map(\.senderKey.pkcs8) == other.chunks.map(\.senderKey.pkcs8))
        #expect(one.chunks.map { $0.recipientKeys.map(\.pkcs8) } == other.chunks.map { $0.recipientKeys.map(\.pkcs8) })
        #expect(one.chunks.map(\.registration) == other.chunks.map(\.registration))
        #expect(one.chunks.map(\.isUploaded) == other.chunks.map(\.isUploaded))
    }

    @Test func uploadsAreReadAsTheyWereSaved() throws {
        var record = UploadRecord(
            id: FileID(5), profileID: 2, source: LocalFile(path: "/x/é", key: FileEncryptionKey(random: random)),
            name: "é.txt", recipients: 3, usesRedirect: true, createdAt: Timestamp(milliseconds: 1_700_000_000_000))
        try store().save(record)
        #expect(try store().uploads().first?.stage == .encrypting)
        record.stage = .uploading
        record.parts = [
            try upload(), try upload(redirect: FileDescription.Redirect(size: 131_072, digest: Bytes(2...65))),
        ]
        try store().save(record)
        record.parts[1].chunks[0].registration = FileUpload.Registration(
            server: server, senderID: EntityID(Bytes(1...16)),
            recipientIDs: [EntityID(Bytes(2...17)), EntityID(Bytes(3...18))])
        record.parts[1].chunks[0].isUploaded = true
        try store().save(record.parts[1].chunks[0], part: 1, of: record.id)
        let read = try #require(try store().uploads().first)
        #expect(read.id == record.id && read.profileID == 2 && read.name == "é.txt" && read.recipients == 3)
        #expect(read.usesRedirect && read.createdAt == record.createdAt && read.stage == .uploading)
        #expect(read.source.path == "/x/é" && read.failure == nil)
        #expect(read.source.key?.nonce == record.source.key?.nonce)
        #expect(read.parts.count == 2)
        for (one, other) in zip(read.parts, record.parts) { expectEqual(one, other) }
        record.failure = "file.relay"
        record.stage = .failed
        record.parts = []
        try store().save(record)
        #expect(try store().uploads().first?.failure == "file.relay")
        try store().removeUpload(record.id)
        #expect(try store().uploads().isEmpty)
    }

    @Test func downloadsAreReadAsTheyWereSaved() throws {
        var complete = try upload()
        for index in complete.chunks.indices {
            complete.chunks[index].registration = FileUpload.Registration(
                server: server, senderID: EntityID(Bytes(1...16)),
                recipientIDs: (0..<3).map { EntityID([UInt8($0)] + Bytes(2...16)) })
        }
        let description = try complete.recipientDescriptions()[1]
        var record = DownloadRecord(
            id: FileID(9), profileID: 1, target: LocalFile(path: "/y"), createdAt: Timestamp(milliseconds: 1),
            download: FileDownload(description))
        try store().save(record)
        record.download.store(1)
        try store().save(record.download.states[1], index: 1, of: record.id)
        var read = try #require(try store().downloads().first)
        #expect(read.id == record.id && read.profileID == 1 && read.target.path == "/y" && read.target.key == nil)
        #expect(read.download.states == [.missing(replica: 0), .stored(replica: 0)])
        #expect(read.download.description.text == description.text)
        record.download.acknowledge(1)
        record.stage = .complete
        record.path = "/y_1"
        try store().save(record)
        read = try #require(try store().downloads().first)
        #expect(read.stage == .complete && read.path == "/y_1")
        #expect(read.download.states == [.missing(replica: 0), .acknowledged])
        try store().removeDownload(record.id)
        #expect(try store().downloads().isEmpty)
    }
}
