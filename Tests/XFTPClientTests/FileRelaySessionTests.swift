import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport
import SystemIO
import TestSupport
import Testing
import XFTPClient
import XFTPProtocol

/// A session with a relay in memory, over real TLS and HTTP/2.
@Suite(.timeLimit(.minutes(60))) struct FileRelaySessionTests {
    private let key = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()))
    private let recipient = AuthorizationPrivateKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()))

    private static func content(_ size: Int) -> Bytes {
        SeededRandom(seed: UInt64(size)).bytes(size)
    }

    private func parameters(answerDeadline: Duration = .seconds(20)) -> FileSessionParameters {
        var parameters = FileSessionParameters()
        parameters.answerDeadline = answerDeadline
        return parameters
    }

    private func create(
        _ content: Bytes, on session: FileRelaySession, password: ServerPassword? = nil
    ) async throws -> (sender: EntityID, recipients: [EntityID]) {
        let chunk = NewChunk(
            senderKey: key.publicKey, size: UInt32(content.count), digest: SHA256.hash(content),
            recipientKeys: [recipient.publicKey], password: password)
        let answer = try await session.answer(FileRequest(.fnew(chunk), key: key))
        guard case .sids(let sender, let recipients) = answer else { throw FileSessionError.unexpectedAnswer }
        return (sender, recipients)
    }

    @Test(arguments: [1, 2, 3] as [UInt16])
    func agreesOnAVersion(version: UInt16) throws {
        let loop = try EventLoop()
        let relay = try MemoryFileRelay(loop, versions: VersionRange(1, version))
        let address = relay.address
        try loop.run { () async throws in
            let session = FileRelaySession(with: address, loop: loop)
            #expect(try await session.answer(FileRequest(.ping)) == .pong)
            #expect(session.version == version)
            session.close()
        }
    }

    @Test(arguments: [65536, 262_144, 4_194_304])
    func chunkGoesThroughARelay(size: Int) throws {
        let loop = try EventLoop(), relay = try MemoryFileRelay(loop)
        let address = relay.address, content = Self.content(size)
        let folder = try TemporaryFolder()
        try Files.create("\(folder.path)/source", [1, 2, 3] + content + [4])
        try loop.run { () async throws in
            let session = FileRelaySession(with: address, loop: loop)
            let (sender, recipients) = try await create(content, on: session)
            let source = ChunkFile(
                try FileDescriptor(reading: "\(folder.path)/source"), start: 3, size: UInt32(size))
            #expect(try await session.upload(source, sender, key) == .ok)
            let target = try ChunkFile.target("\(folder.path)/target", start: 5, size: UInt32(size))
            guard case .file = try await session.download(target, SHA256.hash(content), recipients[0], recipient)
            else {
                Issue.record("not FILE")
                return
            }
            #expect(try Files.read("\(folder.path)/target", limit: size + 5) == Bytes(repeating: 0, count: 5) + content)
            #expect(try await session.answer(FileRequest(.fack, entityID: recipients[0], key: recipient)) == .ok)
            await #expect(throws: FileSessionError.refused(.authorization)) {
                try await session.answer(FileRequest(.fack, entityID: recipients[0], key: recipient))
            }
            let extra = AuthorizationPrivateKey.x25519(X25519.PrivateKey(random: SystemRandom()))
            let added = try await session.answer(
                FileRequest(.fadd([extra.publicKey]), entityID: sender, key: key))
            guard case .rids(let ids) = added else {
                Issue.record("not RIDS")
                return
            }
            // The relay's session key authorizes commands of this key.
            guard case .file = try await session.download(target, SHA256.hash(content), ids[0], extra) else {
                Issue.record("not FILE")
                return
            }
            #expect(try await session.answer(FileRequest(.fdel, entityID: sender, key: key)) == .ok)
            session.close()
        }
        #expect(relay.chunks.isEmpty)
    }

    @Test func relaysWithoutALPNHaveTheFirstVersion() throws {
        let loop = try EventLoop(), relay = try MemoryFileRelay(loop, alpn: "another/1")
        let address = relay.address, content = Self.content(65536), folder = try TemporaryFolder()
        try Files.create("\(folder.path)/source", content)
        try loop.run { () async throws in
            let session = FileRelaySession(with: address, loop: loop)
            let (sender, recipients) = try await create(content, on: session)
            #expect(session.version == 1)
            let source = ChunkFile(try FileDescriptor(reading: "\(folder.path)/source"), start: 0, size: 65536)
            #expect(try await session.upload(source, sender, key) == .ok)
            let target = try ChunkFile.target("\(folder.path)/target", start: 0, size: 65536)
            guard case .file = try await session.download(target, SHA256.hash(content), recipients[0], recipient)
            else {
                Issue.record("not FILE")
                return
            }
            session.close()
            // A client that wants a handshake does not go back to it.
            var parameters = FileSessionParameters()
            parameters.versions = VersionRange(2, 3)
            let newer = FileRelaySession(with: address, parameters: parameters, loop: loop)
            await #expect(throws: FileSessionError.handshake(.version)) { try await newer.answer(FileRequest(.ping)) }
        }
        #expect(try Files.read("\(folder.path)/target", limit: 65536) == content)
    }

    @Test func commandsShareAConnection() throws {
        let loop = try EventLoop(), relay = try MemoryFileRelay(loop)
        let address = relay.address
        try loop.run { () async throws in
            let session = FileRelaySession(with: address, loop: loop)
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                var missing = 50
                for _ in 0..<50 {
                    session.send(FileRequest(.ping)) { answer in
                        #expect(answer == .success(.pong))
                        missing -= 1
                        if missing == 0 { done.resume() }
                    }
                }
            }
            session.close()
        }
        #expect(relay.count(.ping) == 50)
        #expect(relay.accepted == 1)
    }

    @Test func damagedDownloadsAreRefused() throws {
        let loop = try EventLoop(), relay = try MemoryFileRelay(loop)
        let address = relay.address, content = Self.content(65536), folder = try TemporaryFolder()
        try Files.create("\(folder.path)/source", content)
        let expected: [((Bytes) -> Bytes, FileDecryptionError)] = [
            ({ Bytes($0.dropLast()) }, .size), ({ $0 + [0] }, .size),
            ({ [$0[0] ^ 1] + $0.dropFirst() }, .authentication),
            ({ $0.dropLast() + [($0.last ?? 0) ^ 1] }, .authentication), ({ _ in [] }, .size),
        ]
        for (tamper, error) in expected {
            relay.tamper = tamper
            try loop.run { () async throws in
                let session = FileRelaySession(with: address, loop: loop)
                let (sender, recipients) = try await create(content, on: session)
                let source = ChunkFile(try FileDescriptor(reading: "\(folder.path)/source"), start: 0, size: 65536)
                #expect(try await session.upload(source, sender, key) == .ok)
                let target = try ChunkFile.target("\(folder.path)/target", start: 0, size: 65536)
                await #expect(throws: FileSessionError.wrongChunk(error)) {
                    try await session.download(target, SHA256.hash(content), recipients[0], recipient)
                }
                // The session stays usable.
                #expect(try await session.answer(FileRequest(.ping)) == .pong)
                session.close()
            }
        }
        relay.tamper = { $0 }
        relay.corruptAll()
        try loop.run { () async throws in
            let session = FileRelaySession(with: address, loop: loop)
            let (sender, recipients) = try await create(content, on: session)
            let source = ChunkFile(try FileDescriptor(reading: "\(folder.path)/source"), start: 0, size: 65536)
            #expect(try await session.upload(source, sender, key) == .ok)
            let target = try ChunkFile.target("\(folder.path)/target", start: 0, size: 65536)
            await #expect(throws: FileSessionError.wrongChunk(.digest)) {
                try await session.download(target, Bytes(1...32), recipients[0], recipient)
            }
            session.close()
        }
    }

    @Test func errorsOfTheRelayArePassedOn() throws {
        let loop = try EventLoop(), relay = try MemoryFileRelay(loop)
        let address = relay.address, content = Self.content(65536), folder = try TemporaryFolder()
        try Files.create("\(folder.path)/source", Bytes(content.reversed()))
        try loop.run { () async throws in
            let session = FileRelaySession(with: address, loop: loop)
            let (sender, recipients) = try await create(content, on: session)
            let source = ChunkFile(try FileDescriptor(reading: "\(folder.path)/source"), start: 0, size: 65536)
            await #expect(throws: FileSessionError.refused(.digest)) { try await session.upload(source, sender, key) }
            let target = try ChunkFile.target("\(folder.path)/target", start: 0, size: 65536)
            await #expect(throws: FileSessionError.refused(.noFile)) {
                try await session.download(target, SHA256.hash(content), recipients[0], recipient)
            }
            // A relay that answers before it has the chunk.
            relay.intercept = { if case .fput = $0 { .err(.quota) } else { nil } }
            await #expect(throws: FileSessionError.refused(.quota)) { try await session.upload(source, sender, key) }
            // A response of another command.
            relay.intercept = { if case .ping = $0 { .ok } else { nil } }
            await #expect(throws: FileSessionError.unexpectedAnswer) { try await session.answer(FileRequest(.ping)) }
            relay.intercept = { _ in .pong }
            await #expect(throws: FileSessionError.unexpectedAnswer) { try await session.upload(source, sender, key) }
            let short = ChunkFile(try FileDescriptor(reading: "\(folder.path)/source"), start: 65000, size: 65536)
            relay.intercept = { _ in nil }
            do {
                _ = try await session.upload(short, sender, key)
                Issue.record("a file that ends early was sent")
            } catch let FileSessionError.file(error) {
                #expect(error.operation == "read the file")
            }
            #expect(try await session.answer(FileRequest(.ping)) == .pong)
            session.close()
        }
    }

    @Test func otherServersAreRefused() throws {
        let loop = try EventLoop(), relay = try MemoryFileRelay(loop)
        let wrong = ServerAddress(
            hosts: relay.address.hosts, port: relay.address.port, fingerprint: SHA256.hash([1]))
        func failure(of address: ServerAddress) throws -> FileSessionError? {
            try loop.run { () async throws in
                let session = FileRelaySession(with: address, loop: loop)
                do {
                    _ = try await session.answer(FileRequest(.ping))
                    return nil
                } catch let error as FileSessionError {
                    return error
                }
            }
        }
        #expect(try failure(of: wrong) == .connection(.wrongIdentity(.fingerprint)))
        relay.tamperHello = {
            FileServerHello(versions: VersionRange(9, 9), sessionID: $0.sessionID, credentials: $0.credentials)
        }
        #expect(try failure(of: relay.address) == .handshake(.version))
        relay.tamperHello = {
            FileServerHello(versions: $0.versions, sessionID: Bytes(1...32), credentials: $0.credentials)
        }
        #expect(try failure(of: relay.address) == .handshake(.session))
        let other = Ed25519.PrivateKey(random: SystemRandom())
        relay.tamperHello = {
            let key = SignedSessionKey($0.credentials.signedKey.key, signedBy: other)
            return FileServerHello(
                versions: $0.versions, sessionID: $0.sessionID,
                credentials: SessionCredentials(chain: $0.credentials.chain, signedKey: key))
        }
        #expect(try failure(of: relay.address) == .handshake(.badAuthorization))
        let offline = ServerAddress(hosts: [.ipv4("127.0.0.1")], port: 1, fingerprint: SHA256.hash([]))
        guard case .connection(.unreachable) = try failure(of: offline) else {
            Issue.record("a closed port was reached")
            return
        }
    }

    @Test func silentRelayEndsInAnError() throws {
        let loop = try EventLoop(), relay = try MemoryFileRelay(loop)
        relay.ignores = { _ in true }
        let address = relay.address
        try loop.run { () async throws in
            let session = FileRelaySession(
                with: address, parameters: parameters(answerDeadline: .milliseconds(200)), loop: loop)
            await #expect(throws: FileSessionError.timedOut) { try await session.answer(FileRequest(.ping)) }
            session.close()
        }
    }

    @Test func brokenConnectionEndsAllCommands() throws {
        let loop = try EventLoop(), relay = try MemoryFileRelay(loop)
        let address = relay.address
        try loop.run { () async throws in
            let session = FileRelaySession(with: address, loop: loop)
            #expect(try await session.answer(FileRequest(.ping)) == .pong)
            relay.ignores = { _ in
                relay.hangUp()
                return true
            }
            await #expect(throws: FileSessionError.self) { try await session.answer(FileRequest(.ping)) }
            await #expect(throws: FileSessionError.connection(.closed)) { try await session.answer(FileRequest(.ping)) }
        }
    }

    @Test func cancelledTransfersStayCancelled() throws {
        let loop = try EventLoop(), relay = try MemoryFileRelay(loop)
        let address = relay.address
        try loop.run { () async throws in
            let session = FileRelaySession(with: address, loop: loop)
            let transfer = session.send(FileRequest(.ping)) { _ in Issue.record("a cancelled command was answered") }
            transfer.cancel()
            #expect(try await session.answer(FileRequest(.ping)) == .pong)
            let second = session.send(FileRequest(.ping)) { _ in Issue.record("a cancelled command was answered") }
            second.cancel()
            #expect(try await session.answer(FileRequest(.ping)) == .pong)
            session.close()
        }
    }
}

extension FileRelaySession {
    fileprivate func answer(_ request: FileRequest) async throws -> FileAnswer {
        let answer: Answer = await withCheckedContinuation { done in
            send(request) { done.resume(returning: $0) }
        }
        return try answer.get()
    }

    fileprivate func upload(
        _ chunk: ChunkFile, _ id: EntityID, _ key: AuthorizationPrivateKey
    ) async throws -> FileAnswer {
        let answer: Answer = await withCheckedContinuation { done in
            upload(chunk, id: id, key: key) { done.resume(returning: $0) }
        }
        return try answer.get()
    }

    fileprivate func download(
        _ chunk: ChunkFile, _ digest: Bytes, _ id: EntityID, _ key: AuthorizationPrivateKey
    ) async throws -> FileAnswer {
        let answer: Answer = await withCheckedContinuation { done in
            download(into: chunk, digest: digest, id: id, key: key) { done.resume(returning: $0) }
        }
        return try answer.get()
    }
}

extension ChunkFile {
    fileprivate static func target(_ path: String, start: Int64, size: UInt32) throws -> ChunkFile {
        ChunkFile(try FileDescriptor(creating: path), start: start, size: size)
    }
}
