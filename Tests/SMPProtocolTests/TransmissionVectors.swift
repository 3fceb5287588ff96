import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

/// `smp-transmissions.json`: authorization, transmissions and batches.
@Suite struct TransmissionVectors {
    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "transmission"))
    func transmissions(vector: Vector) throws {
        if vector.has("error") {
            // An authenticator without a session key of the relay.
            let key = AuthorizationPrivateKey.x25519(X25519.PrivateKey(random: SystemRandom()))
            #expect(throws: CryptoError.invalidKey) {
                try Authorization.make(
                    for: vector["signedPart"].bytes, key: key, correlationID: .empty, relayKey: nil)
            }
            return
        }
        let session = TransmissionSession(
            version: UInt16(vector["version"].int), sessionID: vector["sessionId"].bytes)
        let correlationID = CorrelationID(vector["corrId"].bytes)
        let plain = Transmission(
            correlationID: correlationID, entityID: EntityID(vector["entityId"].bytes),
            command: vector["commandBytes"].bytes)
        #expect(plain.authorized(in: session) == vector["signedPart"].bytes)
        let relayKey = try vector.field("serverSessionPublicKey").map { try X25519.PublicKey(raw: $0.bytes) }
        let key = try vector.field("key")?.authorizationPrivateKey()
        let transmission = try authorized(plain, vector, session: session, key: key, relayKey: relayKey)
        #expect(transmission.encoded(in: session) == vector["transmission"].bytes)
        #expect(vector["transmission"].bytes.suffix(vector["sentPart"].bytes.count) == vector["sentPart"].bytes[...])
        #expect(try Transmission(decoding: vector["transmission"].bytes, session: session) == transmission)
        Damage.check(vector["transmission"].bytes) { try Transmission(decoding: $0, session: session) }
        let batch = vector["batch"].list[0]
        let content = Batch.content([transmission.encoded(in: session)])
        #expect(content == batch["block"].bytes)
        #expect(SHA256.hash(try Padding.pad(content, to: SMP.blockSize)) == LongBytes(batch["paddedBlock"]).sha256)
    }

    /// Makes the authorization and checks it as a relay would.
    private func authorized(
        _ plain: Transmission, _ vector: Vector, session: TransmissionSession, key: AuthorizationPrivateKey?,
        relayKey: X25519.PublicKey?
    ) throws -> Transmission {
        guard let key else { return plain }
        let data = vector["authorizedBytes"].bytes
        let authorization = try Authorization.make(
            for: data, key: key, correlationID: plain.correlationID, relayKey: relayKey)
        let recorded = vector["authorization"]
        #expect(authorization.bytes == recorded["bytes"].bytes)
        if case .x25519 = key {
            // The relay's private key is not recorded; the other end of the agreement is checked in BoxVectors.
        } else {
            let id = plain.correlationID
            #expect(authorization.verifies(data, key: key.publicKey, correlationID: id, relayKey: nil))
            #expect(!authorization.verifies(data + [0], key: key.publicKey, correlationID: id, relayKey: nil))
        }
        return Transmission(
            authorization: authorization, serviceSignature: recorded.field("serviceSignature")?.bytes,
            correlationID: plain.correlationID, entityID: plain.entityID, command: plain.command)
    }

    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "batch"))
    func batches(vector: Vector) throws {
        let lengths: [Int] =
            if let count = vector["contentLengths"].countOfEqual {
                Array(repeating: vector["contentLengths"]["each"].int, count: count)
            } else {
                vector["contentLengths"].list.map(\.int)
            }
        // Each is an empty authorization and a content of so many letters.
        let transmissions = lengths.map { [0] + Bytes(repeating: UInt8(ascii: "A"), count: $0) }
        let parts = Batch.parts(transmissions)
        let recorded = vector["blocks"].list
        #expect(parts.count == recorded.count)
        for (part, block) in zip(parts, recorded) {
            guard case .block(let content, let count) = part else {
                #expect(block.has("error"))
                continue
            }
            #expect(count == block["transmissions"].int)
            #expect(SHA256.hash(content) == block["block"].hash)
            let padded = try Padding.pad(content, to: SMP.blockSize)
            #expect(SHA256.hash(padded) == LongBytes(block["paddedBlock"]).sha256)
            #expect(try Batch.transmissions(of: content).count == count)
        }
    }

    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "parseBlockByServer"))
    func relayReadsBlocks(vector: Vector) throws {
        try checkBlock(vector) { transmission, session in
            let command = try ClientCommand(decoding: transmission.command, version: session.version)
            try command.tag.checkCredentials(
                isAuthorized: transmission.authorization.isPresent, hasEntity: !transmission.entityID.isEmpty)
        }
        for result in vector["results"].list where result.has("signedPart") {
            let session = Self.session(vector)
            let transmissions = try Batch.transmissions(of: vector["block"].bytes)
                .compactMap { try? Transmission(decoding: $0, session: session) }
            let found = try #require(transmissions.first { $0.correlationID.bytes == result["corrId"].bytes })
            #expect(found.authorized(in: session) == result["signedPart"].bytes)
            if case .dictionary = result["authorization"] {
                let recorded = result["authorization"]
                #expect(found.authorization.bytes == recorded["bytes"].bytes)
                #expect(found.serviceSignature == recorded.field("serviceSignature")?.bytes)
            } else {
                #expect(!found.authorization.isPresent)
            }
        }
    }

    @Test(arguments: VectorFile.cases("smp-transmissions", kind: "parseBlockByClient"))
    func clientReadsBlocks(vector: Vector) throws {
        try checkBlock(vector) { transmission, session in
            let message = try RelayMessage(decoding: transmission.command, version: session.version)
            try message.tag.checkEntity(isPresent: !transmission.entityID.isEmpty)
        }
    }

    private static func session(_ vector: Vector) -> TransmissionSession {
        TransmissionSession(version: UInt16(vector["version"].int), sessionID: vector["sessionId"].bytes)
    }

    /// What a transmission turns out to be: its ids, and its command in hexadecimal or the words of its error.
    private static func outcome(
        _ bytes: Bytes, _ session: TransmissionSession, check: (Transmission, TransmissionSession) throws -> Void
    ) -> (Bytes, Bytes, String) {
        let transmission: Transmission
        do throws(Transmission.Failure) {
            transmission = try Transmission(decoding: bytes, session: session)
        } catch {
            switch error {
            case .malformed(let id): return (id.bytes, [], "BLOCK")
            case .otherSession(let id): return (id.bytes, [], "SESSION")
            }
        }
        let (correlationID, entityID) = (transmission.correlationID.bytes, transmission.entityID.bytes)
        do {
            try check(transmission, session)
            return (correlationID, entityID, Hex.encode(transmission.command))
        } catch {
            return (correlationID, entityID, (error as? CommandError).map { "CMD \($0.rawValue)" } ?? "\(error)")
        }
    }

    /// Reads a block and compares ids, contents and errors of all its transmissions with the recorded ones.
    private func checkBlock(
        _ vector: Vector, check: (Transmission, TransmissionSession) throws -> Void
    ) throws {
        let session = Self.session(vector)
        var found = [(Bytes(), Bytes(), "BLOCK")]
        if let transmissions = try? Batch.transmissions(of: vector["block"].bytes) {
            found = transmissions.map { Self.outcome($0, session, check: check) }
        }
        let recorded = vector["results"].list.map { result in
            let what = result.field("error") ?? result.field("command") ?? result["message"]
            return (result["corrId"].bytes, result["entityId"].bytes, what.text)
        }
        #expect(found.map { "\($0)" } == recorded.map { "\($0)" })
        Damage.survive(vector["block"].bytes) { damaged in
            for bytes in try Batch.transmissions(of: damaged) {
                let transmission = try Transmission(decoding: bytes, session: session)
                try check(transmission, session)
            }
        }
    }

    @Test func sizes() throws {
        let vector = try #require(VectorFile.cases("smp-transmissions", kind: "sizes").first)
        #expect(SMP.blockSize == vector["block"].int)
        for size in vector["maxMessageLengthByVersion"].list {
            #expect(SMP.maximumBody(version: UInt16(size["version"].int)) == size["maxBody"].int)
        }
        #expect(MessageEnvelope.confirmationSize == vector["confirmationPadded"].int)
        #expect(MessageEnvelope.messageSize == vector["messagePadded"].int)
    }
}

extension Vector {
    fileprivate var countOfEqual: Int? {
        if case .dictionary(let fields) = self { fields["count"]?.int } else { nil }
    }

    /// The hash of bytes that are recorded in full, or as length and hash.
    fileprivate var hash: Bytes {
        if case .string = self { SHA256.hash(bytes) } else { LongBytes(self).sha256 }
    }
}
