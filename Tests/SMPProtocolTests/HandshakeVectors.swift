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
        let handshake = Self.clientHandshake(vector), key = try Self.clientKey(vector)
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
    }

    @Test(arguments: VectorFile.cases("smp-handshake").filter { !$0["clientBlocks"].list.isEmpty })
    func relay(vector: Vector) throws {
        let content = vector["clientBlocks"].list[0]["content"].bytes
        let recorded = try ClientHello(decoding: content)
        #expect(recorded.encoded == content)
        #expect((recorded.service != nil) == content.isLongerThanAHello)
        let hello = try ServerHello(decoding: vector["serverBlocks"].list[0]["content"].bytes)
        let handshake = try Self.relayHandshake(vector)
        #expect(handshake.hello.versions == hello.versions)
        #expect((handshake.hello.credentials?.chain.count ?? 0) >= 2)
        let result = try handshake.accept(content)
        #expect(result.isProxy == (vector["proxyServer"].bool && recorded.version >= SMP.proxyFlag))
        guard let version = vector["serverResult"].field("version") else { return }
        #expect(Int(result.transmission.version) == version.int)
        #expect(result.cipher.isEncrypting == vector["serverResult"]["blockEncryption"].bool)
    }

    /// The blocks behind the handshake, each sealed by the side that sent it and opened by the other.
    @Test(arguments: VectorFile.cases("smp-handshake").filter { $0.has("blocksAfter") })
    func blocksGoBothWays(vector: Vector) throws {
        let (_, session) = try Self.clientHandshake(vector)
            .answer(vector["serverBlocks"].list[0]["content"].bytes, key: Self.clientKey(vector))
        var client = session.cipher
        var relay = try Self.relayHandshake(vector).accept(vector["clientBlocks"].list[0]["content"].bytes).cipher
        let blocks = vector["blocksAfter"].list
        #expect(blocks.count == 4)
        for block in blocks {
            let plain = block["plain"].bytes, isFromClient = block["from"].text == "client"
            let sealed = isFromClient ? try client.seal(plain) : try relay.seal(plain)
            #expect(LongBytes(block["wire"]).matches(sealed))
            #expect((isFromClient ? try relay.open(sealed) : try client.open(sealed)) == plain)
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
        Damage.check(client, ignoring: Damage.unusedBits(in: client)) { try ClientHello(decoding: $0) }
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

    // MARK: - The two sides

    private static func clientHandshake(_ vector: Vector) -> ClientHandshake {
        ClientHandshake(
            versions: range(vector["clientVersions"]), fingerprint: vector["clientExpectsKeyHash"].bytes,
            sessionID: vector["sessionId"].bytes, leafKey: leafKey(vector), isProxy: vector["proxyServer"].bool)
    }

    private static func clientKey(_ vector: Vector) throws -> X25519.PrivateKey? {
        try vector.field("clientSessionPrivateKey").map { try X25519.PrivateKey(Secret(copying: $0.bytes)) }
    }

    private static func relayHandshake(_ vector: Vector) throws -> RelayHandshake {
        let hello = try ServerHello(decoding: vector["serverBlocks"].list[0]["content"].bytes)
        return RelayHandshake(
            versions: range(vector["serverVersions"]), hasALPN: vector.has("alpn"),
            sessionID: vector["sessionId"].bytes, chain: hello.credentials?.chain ?? chain,
            signer: Ed25519.PrivateKey(random: SystemRandom()),
            key: try X25519.PrivateKey(Secret(copying: vector["serverSessionPrivateKey"].bytes)))
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
