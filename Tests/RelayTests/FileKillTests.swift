import AttackSupport
import ByteCoding
import CryptoCore
import Glibc
import Relay
import SMPProtocol
import SystemIO
import TestSupport
import Testing
import XFTPProtocol

/// The program itself, killed in the middle of uploads: a chunk whose FPUT was answered is there, complete, and others can be
/// uploaded again.
@Suite(.timeLimit(.minutes(60))) struct FileKillTests {
    @Test func answered_uploads_survive_a_kill() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/relay"
        var settings = RelaySettings(hosts: [try TransportHost(text: "127.0.0.1")], port: 0)
        settings.listen = try TransportHost(text: "127.0.0.1")
        settings.filePort = 0
        try settings.chooseFreePorts()
        let addresses = try RelayFolder.create(at: path, settings: settings)
        let port = try #require(addresses.fileAddress?.port), loop = try EventLoop()
        var random = SeededRandom(seed: 12)
        var stored: [TestChunk] = [], pending: [TestChunk] = [], deleted: [TestChunk] = []
        for round in 0..<6 {
            let relay = try RelayProcess(path)
            let client = try FileRelayClient(port: port, fingerprint: addresses.address.fingerprint, loop: loop)
            try client.greet()
            for chunk in stored {
                #expect((try client.download(chunk) == chunk.data) == true, "what was answered is there")
            }
            for chunk in deleted { #expect(throws: FileRelayError.authorization) { try client.download(chunk) } }
            // What was not answered may be there or not, and can be uploaded again.
            for chunk in pending {
                #expect(try client.ask(.fput, of: chunk.senderID, key: chunk.sender, body: chunk.data).answer == .ok)
                #expect((try client.download(chunk) == chunk.data) == true)
            }
            stored += pending
            pending = []
            if let chunk = stored.popLast(), round > 0 {
                #expect(try client.ask(.fdel, of: chunk.senderID, key: chunk.sender).answer == .ok)
                deleted.append(chunk)
            }
            let size = [65536, 262_144, 1_048_576][round % 3]
            let chunks = try (0..<12).map { _ in try client.announce(TestChunk(random.bytes(size))) }
            let streams = try chunks.map {
                (try client.post(try client.block(.fput, of: $0.senderID, key: $0.sender) + $0.data), $0)
            }
            // The end comes while the others are on their way.
            let answered = Int.random(in: 1...8, using: &random)
            try client.run("some uploads are answered") {
                streams.count { client.responses[$0.0]?.isComplete == true } >= answered
            }
            #expect(try relay.end(by: SIGKILL) == .signalled(SIGKILL))
            try client.run("the connection is closed") { client.end != nil }
            for (stream, chunk) in streams {
                if client.responses[stream]?.isComplete == true { stored.append(chunk) } else { pending.append(chunk) }
            }
        }
        #expect(stored.count > 10)
        let relay = try RelayProcess(path)
        let client = try FileRelayClient(port: port, fingerprint: addresses.address.fingerprint, loop: loop)
        try client.greet()
        for chunk in stored { #expect((try client.download(chunk) == chunk.data) == true) }
        // Nothing is there that belongs to no chunk.
        let known = stored.count + pending.count
        #expect(try Files.names(in: "\(path)/files").count <= known)
        #expect(try relay.end(by: SIGTERM) == .exited(0))
    }
}
