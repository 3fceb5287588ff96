import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing
import XFTPProtocol

/// `xftp.json`: commands, responses and transmissions.
@Suite struct CommandVectors {
    @Test(arguments: VectorFile.cases("xftp", kind: "command"))
    func commands(vector: Vector) throws {
        let command = try vector["value"].fileCommand(vector["tag"].text)
        for encoding in vector["encodings"].list {
            let bytes = encoding["bytes"].bytes
            #expect(command.encoded == bytes)
            #expect(try FileCommand(decoding: bytes) == command)
            Damage.check(bytes, ignoring: Damage.unusedBits(in: bytes)) { try FileCommand(decoding: $0) }
        }
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "response"))
    func responses(vector: Vector) throws {
        let answer = try vector["value"].fileAnswer(vector["tag"].text)
        for encoding in vector["encodings"].list {
            let bytes = encoding["bytes"].bytes
            for version in encoding["versions"].list {
                #expect(answer.encoded(version: UInt16(version.int)) == bytes)
            }
            let read = try FileAnswer(decoding: bytes)
            if encoding["versions"].list.count == 3 { #expect(read == answer) }
            Damage.check(bytes, ignoring: Damage.unusedBits(in: bytes)) { try FileAnswer(decoding: $0) }
        }
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "parse"))
    func parsing(vector: Vector) throws {
        let bytes = vector["bytes"].bytes
        let reencoded: Bytes
        do throws(CommandError) {
            if vector["as"].text == "command" {
                reencoded = try FileCommand(decoding: bytes).encoded
            } else {
                reencoded = try FileAnswer(decoding: bytes).encoded(version: 3)
            }
        } catch {
            #expect(vector["error"].text == "CMD \(error.rawValue)")
            return
        }
        #expect(reencoded == vector["reencoded"].bytes)
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "transmission"))
    func transmissions(vector: Vector) throws {
        let relayKey = try vector.field("serverSessionPublicKey").map { try X25519.PublicKey(raw: $0.bytes) }
        let session = FileSession(version: 3, sessionID: vector["sessionId"].bytes, relayKey: relayKey)
        let recorded = try Batch.transmissions(of: vector["block"]["content"].bytes)
        let read = try Transmission(decoding: recorded[0], session: session.transmission)
        #expect(read.correlationID.bytes == vector["corrId"].bytes)
        #expect(read.entityID.bytes == vector["entityId"].bytes)
        let command = try FileCommand(decoding: read.command)
        try command.tag.checkCredentials(
            isAuthorized: read.authorization.isPresent, hasEntity: !read.entityID.isEmpty)

        let made: Transmission
        if let key = try vector.field("key")?.authorizationPrivateKey() {
            #expect(read.authorized(in: session.transmission) == vector["signedPart"].bytes)
            made = try Transmission(
                command.encoded, entityID: read.entityID, correlationID: read.correlationID, key: key,
                session: session.transmission, relayKey: relayKey)
        } else {
            made = Transmission(
                correlationID: read.correlationID, entityID: read.entityID, command: command.encoded)
        }
        #expect(made == read)
        let block = try FileBlock.encode(made, session: session)
        #expect(LongBytes(vector["block"]["padded"]).matches(block))
        #expect(try FileBlock.decode(block, session: session) == read)
        Damage.check(recorded[0]) { try Transmission(decoding: $0, session: session.transmission) }
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "responseTransmission"))
    func responseTransmissions(vector: Vector) throws {
        let session = FileSession(version: 3, sessionID: vector["sessionId"].bytes)
        let recorded = try Batch.transmissions(of: vector["block"]["content"].bytes)
        let read = try Transmission(decoding: recorded[0], session: session.transmission)
        guard case .file = try FileAnswer(decoding: read.command) else {
            Issue.record("not FILE")
            return
        }
        #expect(LongBytes(vector["block"]["padded"]).matches(try FileBlock.encode(read, session: session)))
    }

    /// `smp-agent.md` 14.17.
    @Test(arguments: ["FNEW", "FADD", "FGET"])
    func specificationCommands(line: String) throws {
        let bytes = VectorFile.line(line).bytes
        let command = try FileCommand(decoding: bytes)
        #expect(command.tag.rawValue == line)
        #expect(command.encoded == bytes)
    }

    /// `smp-agent.md` 14.17.
    @Test(arguments: ["SIDS", "RIDS", "FILE"])
    func specificationAnswers(line: String) throws {
        let bytes = VectorFile.line(line).bytes
        let answer = try FileAnswer(decoding: bytes)
        #expect(answer.tag.rawValue == line)
        #expect(answer.encoded(version: 3) == bytes)
    }

    /// `smp-agent.md` 14.17: a block with FPUT, signed by the key in FNEW.
    @Test func specificationBlock() throws {
        let start = VectorFile.line("FPUT block first 160 bytes").bytes
        let block = start + Bytes(repeating: UInt8(ascii: "#"), count: XFTP.blockSize - start.count)
        let session = FileSession(version: 3, sessionID: Bytes(0x65...0x84))
        let transmission = try FileBlock.decode(block, session: session)
        #expect(try FileCommand(decoding: transmission.command) == .fput)
        #expect(transmission.correlationID.isEmpty)
        #expect(transmission.entityID.bytes == Bytes(1...16))
        guard case .fnew(let chunk) = try FileCommand(decoding: VectorFile.line("FNEW").bytes) else {
            Issue.record("not FNEW")
            return
        }
        let authorized = transmission.authorized(in: session.transmission)
        #expect(
            transmission.authorization.verifies(
                authorized, key: chunk.senderKey, correlationID: .empty, relayKey: nil))
        #expect(try FileBlock.encode(transmission, session: session) == block)
    }

    @Test func blocksHaveOneTransmission() throws {
        let session = FileSession(version: 3, sessionID: Bytes(1...32))
        let ping = Transmission(correlationID: .empty, entityID: .empty, command: FileCommand.ping.encoded)
        let encoded = ping.encoded(in: session.transmission)
        for content in [[], [0], Batch.content([encoded, encoded]), [1] + encoded] {
            #expect(throws: Transmission.Failure.malformed(.empty)) {
                try FileBlock.decode(try FileBlock.padded(content), session: session)
            }
        }
        #expect(throws: Transmission.Failure.malformed(.empty)) {
            try FileBlock.decode(Bytes(try FileBlock.encode(ping, session: session).dropLast()), session: session)
        }
        let other = FileSession(version: 3, sessionID: Bytes(2...33))
        #expect(throws: Transmission.Failure.otherSession(.empty)) {
            try FileBlock.decode(try FileBlock.encode(ping, session: session), session: other)
        }
    }

    @Test func credentialsOfCommands() {
        func check(_ tag: FileCommandTag, _ isAuthorized: Bool, _ hasEntity: Bool) -> CommandError? {
            do throws(CommandError) {
                try tag.checkCredentials(isAuthorized: isAuthorized, hasEntity: hasEntity)
                return nil
            } catch {
                return error
            }
        }
        #expect(check(.fnew, true, false) == nil)
        #expect(check(.fnew, false, false) == .noAuthorization)
        #expect(check(.fnew, true, true) == .hasAuthorization)
        #expect(check(.ping, false, false) == nil)
        #expect(check(.ping, true, false) == .hasAuthorization)
        #expect(check(.ping, false, true) == .hasAuthorization)
        for tag in FileCommandTag.allCases where tag != .fnew && tag != .ping {
            #expect(check(tag, true, true) == nil)
            #expect(check(tag, false, true) == .noAuthorization)
            #expect(check(tag, true, false) == .noAuthorization)
        }
    }
}
