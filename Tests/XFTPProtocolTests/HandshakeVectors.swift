import ByteCoding
import CryptoCore
import SMPProtocol
import TestSupport
import Testing
import XFTPProtocol

/// `xftp.json` and smp-agent.md 14.17: the hellos.
@Suite struct HandshakeVectors {
    @Test(arguments: VectorFile.cases("xftp", kind: "clientHello"))
    func requests(vector: Vector) throws {
        let request = FileHelloRequest(challenge: vector.field("challenge")?.bytes)
        #expect(request.encoded == vector["bytes"].bytes)
        Damage.check(vector["bytes"].bytes) { try FileHelloRequest(decoding: $0) }
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "parseClientHello"))
    func parsedRequests(vector: Vector) {
        let request = try? FileHelloRequest(decoding: vector["bytes"].bytes)
        #expect((request == nil) == vector.has("error"))
        #expect(request?.challenge == vector.field("challenge")?.bytes)
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "serverHandshake"))
    func relayHellos(vector: Vector) throws {
        let bytes = vector["bytes"].bytes
        let hello = try FileServerHello(decoding: bytes)
        #expect(hello.encoded == bytes)
        #expect(hello.versions == XFTP.versions)
        #expect(hello.sessionID == vector["sessionId"].bytes)
        #expect(hello.credentials.chain == vector["certificateChain"].list.map(\.bytes))
        #expect(hello.credentials.signedKey.key.raw == vector["serverKey"].bytes)
        #expect(hello.identityProof == vector.field("identityProof")?.bytes ?? [])
        #expect(hello.credentials.belong(to: vector["caFingerprint"].bytes))
        #expect(try FileServerHello(decoding: bytes + [1, 2, 3]) == hello)
        if hello.identityProof.isEmpty {
            // A hello without the last field equals one with an empty field.
            Damage.survive(bytes) { _ = try FileServerHello(decoding: $0) }
        } else {
            Damage.check(bytes, ignoring: Damage.unusedBits(in: bytes)) { try FileServerHello(decoding: $0) }
        }
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "serverHandshake"))
    func clientsCheckTheHello(vector: Vector) throws {
        let bytes = vector["bytes"].bytes, sessionID = vector["sessionId"].bytes
        let fingerprint = vector["caFingerprint"].bytes
        // The leaf certificate holds its key behind the header of its DER form.
        let leaf = vector["certificateChain"].list[0].bytes
        let header = Ed25519.PublicKey.derHeader
        let start = try #require(leaf.indices.first { leaf[$0...].starts(with: header) })
        let key = try Ed25519.PublicKey(raw: Bytes(leaf[(start + header.count)...].prefix(32)))
        func answer(
            _ bytes: Bytes, versions: VersionRange = XFTP.versions, sessionID: Bytes = sessionID,
            fingerprint: Bytes = fingerprint, key: Ed25519.PublicKey = key
        ) throws(TransportError) -> (FileClientHello, FileSession) {
            try FileClientHandshake(
                versions: versions, fingerprint: fingerprint, sessionID: sessionID, leafKey: .ed25519(key)
            ).answer(bytes)
        }
        let (hello, session) = try answer(bytes)
        #expect(hello == FileClientHello(version: 3, fingerprint: fingerprint))
        #expect(session == FileSession(version: 3, sessionID: sessionID, relayKey: try vector.x25519("serverKey")))
        #expect(throws: TransportError.session) { _ = try answer(bytes, sessionID: Bytes(1...32)) }
        #expect(throws: TransportError.identity) { _ = try answer(bytes, fingerprint: Bytes(1...32)) }
        #expect(throws: TransportError.version) { _ = try answer(bytes, versions: VersionRange(4, 5)) }
        let other = Ed25519.PrivateKey(random: SeededRandom(seed: 1)).publicKey
        #expect(throws: TransportError.badAuthorization) { _ = try answer(bytes, key: other) }
        #expect(throws: TransportError.handshakeSyntax) { _ = try answer(Bytes("HANDSHAKE".utf8)) }
    }

    @Test(arguments: VectorFile.cases("xftp", kind: "clientHandshake"))
    func clientHellos(vector: Vector) throws {
        let bytes = vector["bytes"].bytes
        let hello = FileClientHello(version: UInt16(vector["version"].int), fingerprint: vector["keyHash"].bytes)
        #expect(hello.encoded == bytes)
        #expect(try FileClientHello(decoding: bytes + Bytes("future".utf8)) == hello)
        Damage.check(bytes) { try FileClientHello(decoding: $0) }
    }

    @Test func specificationHello() throws {
        let bytes = VectorFile.line("XFTPClientHandshake v3").bytes
        #expect(try FileClientHello(decoding: bytes) == FileClientHello(version: 3, fingerprint: Bytes(1...32)))
    }

    @Test func relayAndClientAgree() throws {
        let random = SeededRandom(seed: 7)
        let signer = Ed25519.PrivateKey(random: random), key = X25519.PrivateKey(random: random)
        let chain: [Bytes] = [Bytes("leaf".utf8), Bytes("identity".utf8)]
        let relay = FileRelayHandshake(
            sessionID: Bytes(1...32), chain: chain, signer: signer, key: key.publicKey)
        let client = FileClientHandshake(
            fingerprint: SHA256.hash(chain[1]), sessionID: Bytes(1...32), leafKey: .ed25519(signer.publicKey))
        let (hello, session) = try client.answer(relay.hello.encoded)
        #expect(try relay.accept(hello.encoded) == session)
        #expect(throws: TransportError.version) {
            _ = try relay.accept(FileClientHello(version: 99, fingerprint: SHA256.hash(chain[1])).encoded)
        }
        #expect(throws: TransportError.identity) {
            _ = try relay.accept(FileClientHello(version: 3, fingerprint: Bytes(1...32)).encoded)
        }
        #expect(throws: TransportError.handshakeSyntax) { _ = try relay.accept([UInt8(ascii: "q")]) }
    }

    @Test func browsersGetAProof() throws {
        let random = SeededRandom(seed: 8)
        let signer = Ed25519.PrivateKey(random: random), key = X25519.PrivateKey(random: random)
        let relay = FileRelayHandshake(
            sessionID: Bytes(1...32), chain: [Bytes("leaf".utf8), Bytes("identity".utf8)], signer: signer,
            key: key.publicKey)
        let challenge = Bytes(repeating: 9, count: 32)
        let hello = relay.hello(for: FileHelloRequest(challenge: challenge), signer: signer)
        #expect(signer.publicKey.verify(hello.identityProof, of: challenge + Bytes(1...32)))
        #expect(!signer.publicKey.verify(hello.identityProof, of: Bytes(1...32) + challenge))
        #expect(hello.credentials == relay.hello.credentials && hello.versions == relay.hello.versions)
        #expect(try FileServerHello(decoding: hello.encoded) == hello)
        #expect(relay.hello(for: FileHelloRequest(), signer: signer) == relay.hello)
    }
}
