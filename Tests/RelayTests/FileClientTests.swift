import ByteCoding
import CryptoCore
import Glibc
import Relay
import SMPProtocol
import SystemIO
import TestSupport
import Testing
import XFTPClient
import XFTPProtocol

/// The program's own client of file relays at the program's own relay.
@Suite(.timeLimit(.minutes(60))) struct FileClientTests {
    private let key = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()))
    private let recipient = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()))

    /// Waits for the result of a command.
    private func wait(
        _ world: RelayWorld, _ begin: (@escaping (FileRelaySession.Answer) -> Void) -> FileTransfer
    ) throws -> FileRelaySession.Answer {
        var result: FileRelaySession.Answer?
        let transfer = begin { result = $0 }
        try world.run("the command ends") { result != nil }
        _ = transfer
        return try #require(result)
    }

    @Test(arguments: [65536, 1_048_576, 4_194_304]) func a_chunk_goes_from_client_to_client(size: Int) throws {
        let world = try RelayWorld.forFiles()
        let address = try #require(world.server?.addresses.fileAddress)
        let content = SeededRandom(seed: UInt64(size)).bytes(size), digest = SHA256.hash(content)
        let path = world.folder.path
        try Files.create("\(path)/source", content)
        func target(_ name: String) throws -> ChunkFile {
            let file = try FileDescriptor(opening: "\(path)/\(name)", O_RDWR | O_CREAT)
            try file.resize(to: size)
            return ChunkFile(file, start: 0, size: UInt32(size))
        }

        let sender = FileRelaySession(with: address, loop: world.loop)
        let new = NewChunk(
            senderKey: key.publicKey, size: UInt32(size), digest: digest, recipientKeys: [recipient.publicKey])
        let created = try wait(world) { sender.send(FileRequest(.fnew(new), key: key), finish: $0) }
        guard case .success(.sids(let senderID, let ids)) = created else { return #expect(Bool(false)) }
        let source = ChunkFile(try FileDescriptor(reading: "\(path)/source"), start: 0, size: UInt32(size))
        #expect(try wait(world) { sender.upload(source, id: senderID, key: key, finish: $0) } == .success(.ok))
        #expect(sender.version == 3)

        let receiver = FileRelaySession(with: address, loop: world.loop)
        let first = try target("first")
        let answer = try wait(world) {
            receiver.download(into: first, digest: digest, id: ids[0], key: recipient, finish: $0)
        }
        guard case .success(.file) = answer else { return #expect(Bool(false)) }
        #expect((try Files.read("\(path)/first", limit: size) == content) == true)

        // A recipient whose commands have an authenticator of the session key.
        let other = AuthorizationPrivateKey.x25519(X25519.PrivateKey(random: SystemRandom()))
        let added = try wait(world) {
            sender.send(FileRequest(.fadd([other.publicKey]), entityID: senderID, key: key), finish: $0)
        }
        guard case .success(.rids(let more)) = added else { return #expect(Bool(false)) }
        let second = try target("second")
        let repeated = try wait(world) {
            receiver.download(into: second, digest: digest, id: more[0], key: other, finish: $0)
        }
        guard case .success(.file) = repeated else { return #expect(Bool(false)) }
        #expect((try Files.read("\(path)/second", limit: size) == content) == true)

        let acknowledge = FileRequest(.fack, entityID: ids[0], key: recipient)
        #expect(try wait(world) { receiver.send(acknowledge, finish: $0) } == .success(.ok))
        #expect(try wait(world) { receiver.send(acknowledge, finish: $0) } == .failure(.refused(.authorization)))
        let delete = FileRequest(.fdel, entityID: senderID, key: key)
        #expect(try wait(world) { sender.send(delete, finish: $0) } == .success(.ok))
        #expect(try world.chunkFiles() == [])
        sender.close()
        receiver.close()
    }
}
