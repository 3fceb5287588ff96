import AttackSupport
import ByteCoding
import CryptoCore
import HTTP2
import Relay
import SMPProtocol
import SecureTransport
import Store
import SystemIO
import TestSupport
import Testing
import XFTPProtocol

/// A file relay over loopback: what `xftp_conformance.py` leaves open.
@Suite(.timeLimit(.minutes(60))) struct FileRelayTests {
    @Test(arguments: [65536, 262_144, 1_048_576, 4_194_304]) func a_chunk_is_stored_and_sent(size: Int) throws {
        let world = try RelayWorld.forFiles()
        let client = try world.connectToFiles()
        let chunk = try client.upload(size: size, recipients: 2)
        let downloads = try (0..<2).map { try client.download(chunk, as: $0) }
        #expect((downloads == [chunk.data, chunk.data]) == true)
        #expect(try world.chunkFiles().count == 1)
        let statistics = try #require(world.server?.statistics)
        #expect(statistics.createdFiles == 1 && statistics.uploadedFiles == 1 && statistics.uploadedBytes == size)
        #expect(statistics.downloadedFiles == 2 && statistics.downloadedBytes == 2 * size)
    }

    @Test func chunks_survive_a_restart() throws {
        let world = try RelayWorld.forFiles()
        var client = try world.connectToFiles()
        let chunk = try client.upload(recipients: 2),
            announced = try client.announce(TestChunk(chunk.data))
        #expect(try client.ask(.fack, of: chunk.ids[0], key: chunk.keys[0]).answer == .ok)
        world.stop()
        try world.start()
        client = try world.connectToFiles()
        #expect(throws: FileRelayError.authorization) { try client.download(chunk, as: 0) }
        #expect((try client.download(chunk, as: 1) == chunk.data) == true)
        #expect(throws: FileRelayError.noFile) { try client.download(announced) }
        #expect(
            try client.ask(.fput, of: announced.senderID, key: announced.sender, body: announced.data)
                .answer == .ok)
        #expect(try world.chunkFiles().count == 2)
    }

    @Test func messages_and_files_have_one_relay() throws {
        let world = try RelayWorld.forFiles()
        let messages = try world.connect(), files = try world.connectToFiles()
        _ = try world.makeQueue(messages)
        _ = try files.upload()
        #expect(try world.ask(messages, .ping) == .pong)
        let server = try #require(world.server)
        #expect(server.statistics.connections == 2 && server.statistics.createdQueues == 1)
        let texts = server.addresses.texts(withPassword: true)
        #expect(texts.count == 2 && texts[1].hasPrefix("xftp://") && texts[1].hasSuffix(":\(server.filePort ?? 0)"))
        let state = try RelayState(of: world.path)
        #expect(state.files?.chunks == 1 && state.files?.bytes == 65536 && state.files?.announced == 0)
        #expect(state.address.texts(withPassword: false) == texts)
    }

    @Test func a_relay_without_the_port_has_no_files() throws {
        let world = try RelayWorld()
        #expect(world.server?.filePort == nil && world.server?.addresses.fileAddress == nil)
        #expect(try !Files.exists("\(world.path)/files.db") && RelayState(of: world.path).files == nil)
    }

    // MARK: - Uploads

    @Test func a_wrong_upload_leaves_nothing() throws {
        let world = try RelayWorld.forFiles()
        let client = try world.connectToFiles()
        let chunk = try client.announce(TestChunk(SystemRandom().bytes(65536)))
        let other = SystemRandom().bytes(65536)
        for (body, error) in [
            (other, FileRelayError.digest), (chunk.data + [0], .size), (Bytes(chunk.data.dropLast()), .size),
            ([], .size),
        ] {
            let answer = try client.ask(.fput, of: chunk.senderID, key: chunk.sender, body: body).answer
            #expect(answer == .err(error))
            #expect(try world.chunkFiles() == [])
        }
        #expect(world.server?.statistics.failedUploads == 4)
        #expect(
            try client.ask(.fput, of: chunk.senderID, key: chunk.sender, body: chunk.data).answer == .ok)
        // A repetition changes nothing, not even with other bytes.
        #expect(try client.ask(.fput, of: chunk.senderID, key: chunk.sender, body: other).answer == .ok)
        #expect((try client.download(chunk) == chunk.data) == true)
    }

    @Test func an_upload_that_stops_leaves_nothing() throws {
        let world = try RelayWorld.forFiles()
        let client = try world.connectToFiles()
        let chunk = try client.announce(TestChunk(SystemRandom().bytes(65536)))
        let start = try client.block(.fput, of: chunk.senderID, key: chunk.sender) + chunk.data.prefix(30_000)
        func begin(_ client: FileRelayClient) throws -> HTTP2StreamID {
            var pieces: [HTTP2Piece] = [.bytes(start), .wait]
            let stream = try client.http.request(.post("/", authority: "localhost")) { _ in pieces.removeFirst() }
            client.pump()
            try world.run("the draft is there") { (try? world.chunkFiles().count) == 1 }
            return stream
        }
        // A stream that is reset.
        let stream = try begin(client)
        try client.http.reset(stream)
        client.pump()
        try world.run("the draft is removed") { (try? world.chunkFiles().isEmpty) == true }
        // A connection that ends.
        _ = try begin(client)
        client.close()
        try world.run("the draft is removed") { (try? world.chunkFiles().isEmpty) == true }
        // A relay that ends.
        let again = try world.connectToFiles()
        let newStart = try again.block(.fput, of: chunk.senderID, key: chunk.sender) + chunk.data.prefix(30_000)
        var pieces: [HTTP2Piece] = [.bytes(newStart), .wait]
        _ = try again.http.request(.post("/", authority: "localhost")) { _ in pieces.removeFirst() }
        again.pump()
        try world.run("the draft is there") { (try? world.chunkFiles().count) == 1 }
        world.stop()
        #expect(try world.chunkFiles() == [])
        try world.start()
        let last = try world.connectToFiles()
        #expect(try last.ask(.fput, of: chunk.senderID, key: chunk.sender, body: chunk.data).answer == .ok)
    }

    @Test func a_silent_upload_ends() throws {
        let world = try RelayWorld.forFiles(limits: {
            $0.uploadSilence = .milliseconds(50)
            $0.lookInterval = .milliseconds(20)
        })
        let client = try world.connectToFiles()
        let chunk = try client.announce(TestChunk(SystemRandom().bytes(65536)))
        let start = try client.block(.fput, of: chunk.senderID, key: chunk.sender) + chunk.data.prefix(30_000)
        var pieces: [HTTP2Piece] = [.bytes(start), .wait, .last(Bytes(chunk.data.dropFirst(30_000)))]
        let stream = try client.http.request(.post("/", authority: "localhost")) { _ in pieces.removeFirst() }
        client.pump()
        try world.run("the upload ends") { world.server?.statistics.failedUploads == 1 }
        #expect(try world.chunkFiles() == [])
        try client.http.resume(stream)
        client.pump()
        let block = try client.response(stream)
        let transmission = try FileBlock.decode(block, session: try #require(client.session))
        #expect(try FileAnswer(decoding: transmission.command) == .err(.timeout))
    }

    @Test func two_uploads_of_a_chunk_do_not_disturb_each_other() throws {
        let world = try RelayWorld.forFiles { $0.durability = .full }
        let clients = try (0..<2).map { _ in try world.connectToFiles() }
        let chunk = try clients[0].announce(TestChunk(SystemRandom().bytes(1 << 20)))
        let streams = try clients.map {
            try $0.post(try $0.block(.fput, of: chunk.senderID, key: chunk.sender) + chunk.data)
        }
        for (client, stream) in zip(clients, streams) {
            let transmission = try FileBlock.decode(
                try client.response(stream), session: try #require(client.session))
            #expect(try FileAnswer(decoding: transmission.command) == .ok)
        }
        #expect(try world.chunkFiles().count == 1)
        #expect((try clients[1].download(chunk) == chunk.data) == true)
        #expect(try RelayState(of: world.path).files?.bytes == 1 << 20)
    }

    // MARK: - Limits

    @Test func the_quota_counts_what_is_stored() throws {
        let world = try RelayWorld.forFiles { $0.fileMegabytes = 1 }
        let client = try world.connectToFiles()
        let chunks = try (0..<3).map { _ in try client.upload(size: 262_144) }
        let late = try client.announce(TestChunk(SystemRandom().bytes(262_144)))
        let answer = try client.ask(.fput, of: late.senderID, key: late.sender, body: late.data).answer
        #expect(answer == .err(.quota) && world.server?.statistics.refusedFiles == 1)
        #expect(try client.ask(.fdel, of: chunks[0].senderID, key: chunks[0].sender).answer == .ok)
        #expect(try client.ask(.fput, of: late.senderID, key: late.sender, body: late.data).answer == .ok)
        #expect(try world.chunkFiles().count == 3)
    }

    @Test func only_received_bytes_use_space() throws {
        let world = try RelayWorld.forFiles { $0.fileMegabytes = 5 }
        let client = try world.connectToFiles()
        let begun = try (0..<10).map { _ in try client.beginUpload(size: 4 << 20) }
        try world.run("the drafts are there") { (try? world.chunkFiles().count) == 10 }
        _ = try client.upload(size: 4 << 20)
        // The bytes that do not fit are refused when they arrive.
        try client.go(on: begun[0])
        #expect(try client.answer(to: begun[0]) == .err(.quota))
        try world.run("its draft is removed") { (try? world.chunkFiles().count) == 10 }
        for upload in begun.dropFirst() { try client.http.reset(try #require(upload.stream)) }
        client.pump()
        try world.run("no draft is left") { (try? world.chunkFiles().count) == 1 }
        // Uploads that ended use no space: 1 MB minus the rows is left.
        for _ in 0..<3 { _ = try client.upload(size: 262_144) }
        #expect(world.server?.statistics.refusedFiles == 1)
    }

    @Test func a_begun_upload_without_data_gives_its_place_to_a_new_one() throws {
        let world = try RelayWorld.forFiles(limits: {
            $0.uploadsPerAddress = 3
            $0.uploadYield = .milliseconds(1)
        })
        let client = try world.connectToFiles(from: "127.0.0.2")
        let begun = try (0..<3).map { _ in try client.beginUpload() }
        try world.run("the drafts are there") { (try? world.chunkFiles().count) == 3 }
        try client.go(on: begun[0], 1000)
        _ = try client.ask(.ping)
        _ = try client.upload()
        #expect(world.server?.statistics.limitedUploads == 1)
        // The one that was silent for longest has ended, the others can go on.
        for (upload, answer) in zip(begun, [FileAnswer.ok, .err(.timeout), .ok]) {
            try client.go(on: upload)
            #expect(try client.answer(to: upload) == answer)
        }
    }

    @Test func an_address_has_a_share_of_uploads() throws {
        let world = try RelayWorld.forFiles(limits: {
            $0.uploadsPerAddress = 3
            $0.uploadYield = .seconds(3600)
        })
        let client = try world.connectToFiles(from: "127.0.0.2"), again = try world.connectToFiles(from: "127.0.0.2")
        let begun = try (0..<3).map { _ in try client.beginUpload() }
        try world.run("the drafts are there") { (try? world.chunkFiles().count) == 3 }
        let late = try again.announce(TestChunk(SystemRandom().bytes(65536)))
        func tryAgain() throws -> FileAnswer {
            try again.ask(.fput, of: late.senderID, key: late.sender, body: late.data).answer
        }
        #expect(try tryAgain() == .err(.timeout))
        #expect(world.server?.statistics.limitedUploads == 1)
        _ = try world.connectToFiles(from: "127.0.0.3").upload()
        try client.go(on: begun[0])
        #expect(try client.answer(to: begun[0]) == .ok)
        #expect(try tryAgain() == .ok)
        client.close()
        try world.run("the drafts are removed") { (try? world.chunkFiles().count) == 3 }
        #expect(try world.chunkFiles().allSatisfy { !$0.hasSuffix(".part") })
    }

    @Test func a_slow_upload_ends() throws {
        let world = try RelayWorld.forFiles(limits: {
            $0.uploadRate = 1 << 30
            $0.uploadSilence = .milliseconds(200)
            $0.lookInterval = .milliseconds(20)
        })
        let client = try world.connectToFiles(), upload = try client.beginUpload()
        // A byte at a time, but not so often that the frames themselves are too many.
        var lastTime = ContinuousClock.now
        try world.run("the upload ends") {
            if ContinuousClock.now - lastTime > .milliseconds(20) {
                try? client.go(on: upload, 1)
                lastTime = .now
            }
            return world.server?.statistics.slowUploads == 1
        }
        try client.go(on: upload)
        #expect(try client.answer(to: upload) == .err(.timeout))
        #expect(try world.chunkFiles() == [])
    }

    @Test func announcements_count_too() throws {
        let world = try RelayWorld.forFiles { $0.fileMegabytes = 1 }
        let client = try world.connectToFiles()
        var accepted = 0
        for _ in 0..<100 {
            let chunk = TestChunk(Bytes(repeating: 1, count: 65536), recipients: 200)
            guard case .sids = try client.ask(chunk.new(), key: chunk.sender).answer else { continue }
            accepted += 1
        }
        #expect(accepted == 20)
    }

    @Test func a_nearly_full_disk_is_a_full_relay() throws {
        final class Disk: @unchecked Sendable { var free = 100 << 20 }
        let disk = Disk()
        let world = try RelayWorld.forFiles(limits: { $0.freeSpace = { disk.free } })
        let client = try world.connectToFiles()
        let chunk = try client.upload(), late = try client.announce(TestChunk(chunk.data))
        disk.free = 64 << 20
        #expect(try client.ask(late.new(), key: late.sender).answer == .err(.quota))
        let answer = try client.ask(.fput, of: late.senderID, key: late.sender, body: late.data).answer
        #expect(answer == .err(.quota))
        // What is there can be received and deleted.
        #expect((try client.download(chunk) == chunk.data) == true)
        #expect(try client.ask(.fdel, of: chunk.senderID, key: chunk.sender).answer == .ok)
    }

    @Test func an_address_range_creates_a_limited_number_of_chunks() throws {
        let world = try RelayWorld.forFiles(limits: { $0.filesPerHour = 3 })
        let client = try world.connectToFiles()
        for _ in 0..<3 { _ = try client.announce(TestChunk(Bytes(repeating: 1, count: 65536))) }
        let chunk = TestChunk(Bytes(repeating: 1, count: 65536))
        #expect(try client.ask(chunk.new(), key: chunk.sender).answer == .err(.quota))
    }

    @Test func an_address_has_a_share_of_the_space() throws {
        let world = try RelayWorld.forFiles(limits: { $0.spacePerAddress = 3 * 65536 })
        let client = try world.connectToFiles(from: "127.0.0.2")
        let late = try client.announce(TestChunk(SystemRandom().bytes(65536)))
        func tryAgain() throws -> FileAnswer {
            try client.ask(.fput, of: late.senderID, key: late.sender, body: late.data).answer
        }
        let stored = try (0..<3).map { _ in try client.upload() }
        #expect(try tryAgain() == .err(.quota))
        let next = TestChunk(late.data)
        #expect(try client.ask(next.new(), key: next.sender).answer == .err(.quota))
        #expect(world.server?.statistics.refusedFiles == 2)
        // Other addresses have their own, and downloads need none.
        _ = try world.connectToFiles(from: "127.0.0.3").upload()
        #expect((try client.download(stored[0]) == stored[0].data) == true)
        // A deleted chunk makes room for another one, whoever deletes it.
        let owner = try world.connectToFiles(from: "127.0.0.3")
        #expect(try owner.ask(.fdel, of: stored[0].senderID, key: stored[0].sender).answer == .ok)
        #expect(try tryAgain() == .ok)
        #expect(try client.ask(next.new(), key: next.sender).answer == .err(.quota))
    }

    @Test func begun_uploads_count_in_the_space_of_their_address() throws {
        let world = try RelayWorld.forFiles(limits: { $0.spacePerAddress = 3 * 65536 })
        let client = try world.connectToFiles(from: "127.0.0.2")
        let begun = try (0..<3).map { _ in try client.beginUpload() }
        try world.run("the drafts are there") { (try? world.chunkFiles().count) == 3 }
        let next = TestChunk(SystemRandom().bytes(65536))
        #expect(try client.ask(next.new(), key: next.sender).answer == .err(.quota))
        try client.http.reset(try #require(begun[0].stream))
        client.pump()
        try world.run("the draft is removed") { (try? world.chunkFiles().count) == 2 }
        _ = try client.upload()
        // Chunks from before a start belong to no address.
        world.stop()
        try world.start()
        for _ in 0..<3 { _ = try world.connectToFiles(from: "127.0.0.2").upload() }
    }

    @Test func new_files_need_the_password() throws {
        let password = try ServerPassword("secret")
        let world = try RelayWorld.forFiles { $0.password = password }
        let client = try world.connectToFiles(), chunk = TestChunk(Bytes(repeating: 1, count: 65536))
        for given in [nil, try ServerPassword("other")] {
            let answer = try client.ask(chunk.new(password: given), key: chunk.sender).answer
            #expect(answer == .err(.authorization))
        }
        guard case .sids = try client.ask(chunk.new(password: password), key: chunk.sender).answer else {
            return #expect(Bool(false))
        }
    }

    @Test func a_relay_can_refuse_new_files_after_a_reload() throws {
        let world = try RelayWorld.forFiles()
        let client = try world.connectToFiles()
        let chunk = try client.upload()
        let path = "\(world.path)/relay.conf"
        let text = String(decoding: try Files.read(path, limit: 65536), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0 == "new_files = on" ? "new_files = off" : String($0) }
        try Files.replace(path, Bytes((lines.joined(separator: "\n") + "\n").utf8))
        #expect(try world.server?.reload().changes.map(\.name) == ["new_files"])
        #expect(try client.ask(chunk.new(), key: chunk.sender).answer == .err(.authorization))
        #expect((try client.download(chunk) == chunk.data) == true)
    }

    // MARK: - Expiry

    @Test func chunks_expire() throws {
        let world = try RelayWorld.forFiles()
        world.stop()
        let start = SystemClock.milliseconds()
        final class Clock { var hours: Int64 = 0 }
        let clock = Clock()
        // The elapsed time agrees with the clock, so that it is trusted.
        func restart() throws {
            var limits = RelayLimits.loopback
            let begin = ContinuousClock.now
            let hours = clock.hours
            limits.steadyClock = { begin + .seconds(3600 * (clock.hours - hours)) }
            limits.housekeepingInterval = .milliseconds(20)
            try world.start(limits: limits) { Timestamp(milliseconds: start + clock.hours * 3_600_000) }
        }
        try restart()
        let client = try world.connectToFiles()
        let old = try client.upload(recipients: 2)
        clock.hours = 24
        let young = try client.upload()
        clock.hours = 47
        #expect((try client.download(old) == old.data) == true)
        clock.hours = 50
        try world.run("the old chunk expires") { world.server?.statistics.expiredFiles == 1 }
        #expect(throws: FileRelayError.authorization) { try client.download(old) }
        #expect((try client.download(young) == young.data) == true)
        #expect(try world.chunkFiles().count == 1)
        clock.hours = 80
        try world.run("the young chunk expires") { world.server?.statistics.expiredFiles == 2 }
        #expect(try world.chunkFiles() == [] && RelayState(of: world.path).files?.chunks == 0)
    }

    // MARK: - Crashes and backups

    @Test func the_start_removes_what_a_crash_left() throws {
        let world = try RelayWorld.forFiles()
        let client = try world.connectToFiles()
        let lost = try client.upload(), kept = try client.upload()
        world.stop()
        let files = "\(world.path)/files"
        try Files.remove("\(files)/\(try #require(try world.chunkFiles().first))")
        for name in ["77", "2-5.part", "notes"] { try Files.create("\(files)/\(name)", [1]) }
        try world.start()
        #expect(try world.chunkFiles().count == 2 && world.chunkFiles().last == "notes")
        let again = try world.connectToFiles()
        #expect((try again.download(kept) == kept.data) == true)
        #expect(throws: FileRelayError.noFile) { try again.download(lost) }
        #expect(try again.ask(.fput, of: lost.senderID, key: lost.sender, body: lost.data).answer == .ok)
        #expect((try again.download(lost) == lost.data) == true)
    }

    @Test func a_damaged_file_is_an_error() throws {
        let world = try RelayWorld.forFiles()
        let client = try world.connectToFiles()
        let chunk = try client.upload()
        try Files.replace("\(world.path)/files/\(try #require(try world.chunkFiles().first))", [1, 2, 3])
        #expect(throws: FileRelayError.fileIO) { try client.download(chunk) }
        #expect(try client.ask(.ping).answer == .pong)
    }

    @Test func a_backup_has_the_files() throws {
        let world = try RelayWorld.forFiles()
        let client = try world.connectToFiles()
        let chunk = try client.upload()
        let archive = "\(world.folder.path)/backup.tar", copy = "\(world.folder.path)/copy"
        let backup = try RelayBackup.make(of: world.path, at: archive)
        #expect(backup.names.contains("files.db") && backup.names.contains("files"))
        #expect(try client.ask(.fdel, of: chunk.senderID, key: chunk.sender).answer == .ok)
        world.stop()
        try Files.createFolder(copy)
        let unpacked = try Subprocess("/usr/bin/tar", ["tar", "-xf", archive, "-C", copy], environment: [:]).finish()
        #expect(unpacked.ending == .exited(0))
        try RelayFolder.delete(at: world.path)
        #expect(!Files.exists(world.path))
        try Files.move(copy, to: world.path)
        try world.start()
        #expect((try world.connectToFiles().download(chunk) == chunk.data) == true)
    }

    // MARK: - Clients

    @Test func version_1_has_no_handshake() throws {
        let world = try RelayWorld.forFiles()
        let client = try world.connectToFiles(alpn: "other")
        #expect(client.session?.version == 1)
        let chunk = try client.upload()
        #expect((try client.download(chunk) == chunk.data) == true)
    }

    @Test func many_transfers_share_a_connection() throws {
        let world = try RelayWorld.forFiles()
        let client = try world.connectToFiles()
        // The settings of the relay are known from here on.
        let chunks = try (0..<40).map { _ in try client.announce(TestChunk(SystemRandom().bytes(262_144))) }
        let uploads = try chunks.map {
            try client.post(try client.block(.fput, of: $0.senderID, key: $0.sender) + $0.data)
        }
        for stream in uploads { _ = try client.response(stream) }
        #expect(world.server?.statistics.uploadedFiles == 40)
        for chunk in chunks { #expect((try client.download(chunk) == chunk.data) == true) }
    }

    @Test func garbage_ends_the_connection_only() throws {
        let world = try RelayWorld.forFiles()
        var random = SeededRandom(seed: 3)
        let good = try world.connectToFiles()
        for round in 0..<30 {
            let client = try world.connectToFiles()
            client.sendRaw(random.bytes(Int.random(in: 1...40_000, using: &random)))
            if round % 2 == 0 { client.close() }
        }
        #expect(try good.ask(.ping).answer == .pong)
        let raw = FileDescriptor(owning: try LoopbackSocket.connect(try #require(world.server?.filePort)))
        try raw.write(random.bytes(1000))
        try world.run("the handshake fails") { (world.server?.statistics.failedHandshakes ?? 0) > 0 }
        #expect(try good.ask(.ping).answer == .pong)
    }

    @Test func damaged_blocks_are_answered() throws {
        let world = try RelayWorld.forFiles()
        let client = try world.connectToFiles()
        var random = SeededRandom(seed: 4)
        let chunk = TestChunk(Bytes(repeating: 1, count: 65536))
        let block = try client.block(chunk.new(), key: chunk.sender)
        for _ in 0..<300 {
            var damaged = block
            damaged[Int.random(in: 0..<300, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            let stream = try client.post(damaged)
            let body = try client.response(stream)
            #expect(body.count == XFTP.blockSize)
        }
        #expect(try client.ask(.ping).answer == .pong)
    }

    @Test func idle_connections_are_closed() throws {
        let world = try RelayWorld.forFiles(limits: {
            $0.idleLimit = .milliseconds(100)
            $0.housekeepingInterval = .milliseconds(50)
        })
        let client = try world.connectToFiles()
        try world.run("the connection ends") { client.end != nil }
        #expect(world.server?.statistics.connections == 0)
    }

    @Test func a_connection_without_a_handshake_is_closed() throws {
        let world = try RelayWorld.forFiles(limits: { $0.handshakeDeadline = .milliseconds(200) })
        let server = try #require(world.server)
        let client = try FileRelayClient(
            port: try #require(server.filePort), fingerprint: server.address.fingerprint, loop: world.loop)
        try world.run("the connection ends") { client.end != nil }
        #expect(server.statistics.failedHandshakes == 1)
    }
}
