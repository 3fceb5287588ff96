import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing

/// `smp-handshake.json`: whole handshakes, with the blocks that follow them.
@Suite struct HandshakeVectors {
    @Test(arguments: VectorFile.cases("smp-handshake"))
    func serverHello(vector: Vector) throws {
        let content = vector["serverBlocks"].list[0]["content"].bytes
        let hello = try ServerHello(decoding: content)
        #expect(hello.encoded == content)
        #expect(hello.sessionID == vector["sessionId"].bytes)
        let block = try BlockCipher().sealed(content)
        #expect(SHA256.hash(block) == LongBytes(vector["serverBlocks"].list[0]["block"]).sha256)
        if let credentials = hello.credentials {
            let key = try X25519.PrivateKey(Secret(copying: vector["serverSessionPrivateKey"].bytes))
            #expect(credentials.signedKey.key == key.publicKey)
        }
    }

    @Test(arguments: VectorFile.cases("smp-handshake"))
    func client(vector: Vector) throws {
        let result = vector["clientResult"]
        let leaf = Self.leafKey(vector)
        let handshake = ClientHandshake(
            versions: Self.range(vector["clientVersions"]), fingerprint: vector["clientExpectsKeyHash"].bytes,
            sessionID: vector["sessionId"].bytes, leafKey: leaf, isProxy: vector["proxyServer"].bool)
        let key = try vector.field("clientSessionPrivateKey").map {
            try X25519.PrivateKey(Secret(copying: $0.bytes))
        }
        let hello = vector["serverBlocks"].list[0]["content"].bytes
        if let error = result.field("error")?.text, !error.contains("BAD_SERVICE") {
            let expected: TransportError = error.contains("BAD_AUTH") ? .badAuthorization : .version
            #expect(throws: expected) { try handshake.answer(hello, key: key) }
            return
        }
        // This program presents no service certificate: such handshakes are compared without it.
        let (answer, session) = try handshake.answer(hello, key: key)
        let recorded = try ClientHello(decoding: vector["clientBlocks"].list[0]["content"].bytes)
        let withoutService = ClientHello(
            version: recorded.version, fingerprint: recorded.fingerprint, key: recorded.key,
            isProxy: recorded.isProxy)
        #expect(answer == withoutService)
        guard !result.has("error") else { return }
        #expect(Int(session.version) == result["version"].int)
        #expect(session.cipher.isEncrypting == result["blockEncryption"].bool)
        try Self.replay(vector, session.cipher, as: "client")
    }

    @Test(arguments: VectorFile.cases("smp-handshake").filter { !$0["clientBlocks"].list.isEmpty })
    func relay(vector: Vector) throws {
        let content = vector["clientBlocks"].list[0]["content"].bytes
        let recorded = try ClientHello(decoding: content)
        #expect(recorded.encoded == content)
        #expect((recorded.service != nil) == content.isLongerThanAHello)
        let hello = try ServerHello(decoding: vector["serverBlocks"].list[0]["content"].bytes)
        let chain = hello.credentials?.chain ?? Self.chain
        let handshake = RelayHandshake(
            versions: Self.range(vector["serverVersions"]), hasALPN: vector.has("alpn"),
            sessionID: vector["sessionId"].bytes, chain: chain, signer: Ed25519.PrivateKey(random: SystemRandom()),
            key: try X25519.PrivateKey(Secret(copying: vector["serverSessionPrivateKey"].bytes)))
        #expect(handshake.hello.versions == hello.versions)
        #expect((handshake.hello.credentials?.chain.count ?? 0) >= 2)
        let result = try handshake.accept(content)
        #expect(result.isProxy == (vector["proxyServer"].bool && recorded.version >= SMP.proxyFlag))
        guard let version = vector["serverResult"].field("version") else { return }
        #expect(Int(result.transmission.version) == version.int)
        #expect(result.cipher.isEncrypting == vector["serverResult"]["blockEncryption"].bool)
        try Self.replay(vector, result.cipher, as: "server")
    }

    /// Sends and receives the recorded blocks with one side's cipher.
    private static func replay(_ vector: Vector, _ cipher: BlockCipher, as side: String) throws {
        var cipher = cipher
        // What the other side sends is made with the other side's cipher, which this test does not have: the recorded
        // hash of the block is compared instead.
        for block in vector["blocksAfter"].list where block["from"].text == side {
            let sealed = try cipher.seal(block["plain"].bytes)
            #expect(SHA256.hash(sealed) == LongBytes(block["wire"]).sha256)
        }
    }

    @Test(arguments: VectorFile.cases("smp-handshake").filter { $0["serverBlocks"].list.count == 2 })
    func serviceAnswers(vector: Vector) throws {
        let content = vector["serverBlocks"].list[1]["content"].bytes
        #expect(try ServiceAnswer(decoding: content).encoded == content)
    }

    @Test func damagedHellosAreRefusedOrDifferent() throws {
        let vector = try #require(
            VectorFile.cases("smp-handshake").first { $0["name"].text == "client max version 18, server 6-18" })
        let client = vector["clientBlocks"].list[0]["content"].bytes
        // Position 47 is the count of unused bits in the DER of the client's key.
        Damage.check(client, ignoring: [35 + 1 + 11]) { try ClientHello(decoding: $0) }
        let server = vector["serverBlocks"].list[0]["content"].bytes
        let handshake = ClientHandshake(
            versions: SMP.versions, fingerprint: vector["clientExpectsKeyHash"].bytes,
            sessionID: vector["sessionId"].bytes, leafKey: Self.leafKey(vector))
        let original = try ServerHello(decoding: server)
        for damaged in Damage.variants(of: server) {
            // What no check here covers: the offered range, the leaf certificate (TLS checks it), the unused bits.
            guard let (_, session) = try? handshake.answer(damaged, key: nil) else { continue }
            #expect(session.relayKey == original.credentials?.signedKey.key)
            #expect(session.transmission.sessionID == original.sessionID)
        }
    }

    // MARK: - Recorded certificates

    /// The recorded chain, for cases whose hello shows none.
    static let chain: [Bytes] = {
        let hellos = VectorFile.cases("smp-handshake").compactMap {
            try? ServerHello(decoding: $0["serverBlocks"].list[0]["content"].bytes)
        }
        return hellos.lazy.compactMap { $0.credentials?.chain }.first ?? []
    }()

    /// The key of the leaf certificate: the only DER public key of an Ed25519 certificate stands behind this header.
    static func leafKey(_ vector: Vector) -> CertificateKey {
        let leaf = chain[0]
        let header = Ed25519.PublicKey.derHeader
        for start in leaf.indices.dropLast(header.count + 32) where leaf[start...].starts(with: header) {
            let raw = Bytes(leaf[(start + header.count)..<(start + header.count + 32)])
            if let key = try? Ed25519.PublicKey(raw: raw) { return .ed25519(key) }
        }
        fatalError("the recorded leaf has no Ed25519 key")
    }

    static func range(_ vector: Vector) -> VersionRange {
        VersionRange(UInt16(vector["min"].int), UInt16(vector["max"].int))
    }
}

extension BlockCipher {
    fileprivate func sealed(_ content: Bytes) throws -> Bytes {
        var cipher = self
        return try cipher.seal(content)
    }
}

extension Bytes {
    /// A hello without a service certificate has 82 bytes at the most.
    fileprivate var isLongerThanAHello: Bool { count > 82 }
}
