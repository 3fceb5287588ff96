import ByteCoding
import CryptoCore
import SecureTransport
import TestSupport
import Testing

@Suite struct CertificateTests {
    let made: (certificates: RelayCertificates, identityKey: Ed25519.PrivateKey)

    init() throws {
        made = try RelayCertificates.generate(host: "relay.example", random: SystemRandom())
    }

    @Test func aNewChainProvesItsFingerprint() throws {
        let chain = made.certificates.chain
        let leaf = try chain.verify(fingerprint: made.certificates.fingerprint)
        #expect(leaf == .ed25519(made.certificates.key.publicKey))
    }

    @Test func otherFingerprintsAreRefused() throws {
        let other = try RelayCertificates.generate(host: "relay.example", random: SystemRandom()).certificates
        #expect(throws: IdentityError.fingerprint) {
            try made.certificates.chain.verify(fingerprint: other.fingerprint)
        }
        #expect(throws: IdentityError.fingerprint) { try made.certificates.chain.verify(fingerprint: []) }
    }

    @Test func chainsOfOtherLengthsAreRefused() {
        let chain = made.certificates.chain.certificates
        for count in [0, 1, 5] {
            let wrong = CertificateChain((0..<count).map { chain[min($0, 1)] })
            #expect(throws: IdentityError.chainLength(count)) {
                try wrong.verify(fingerprint: made.certificates.fingerprint)
            }
        }
    }

    @Test func aLeafOfAnotherIssuerIsRefused() throws {
        let other = try RelayCertificates.generate(host: "relay.example", random: SystemRandom()).certificates
        let mixed = CertificateChain([other.chain.certificates[0], made.certificates.chain.certificates[1]])
        #expect(throws: IdentityError.path) { try mixed.verify(fingerprint: made.certificates.fingerprint) }
    }

    @Test func damagedLeavesAreRefused() {
        let chain = made.certificates.chain.certificates
        let original = LeafKey(made.certificates)
        for damaged in Damage.variants(of: chain[0]) + [chain[0] + [0]] {
            let result = try? CertificateChain([damaged, chain[1]]).verify(fingerprint: made.certificates.fingerprint)
            // OpenSSL forgives other spellings of the same DER lengths, but never another key.
            #expect(result == nil || result == original.key)
        }
    }

    @Test func keysAndCertificatesSurviveTheirFiles() throws {
        let der = made.certificates.key.der
        #expect(try Ed25519.PrivateKey(der: der).publicKey == made.certificates.key.publicKey)
        let text = PEM.encode(der, label: "PRIVATE KEY")
        #expect(try PEM.decode("noise\n" + text, label: "PRIVATE KEY") == der)
        #expect(throws: DecodeError.self) { try PEM.decode(text, label: "CERTIFICATE") }
        #expect(throws: DecodeError.self) { try Ed25519.PrivateKey(der: Bytes(der.dropLast())) }
        let again = try RelayCertificates(chain: made.certificates.chain, key: Ed25519.PrivateKey(der: der))
        #expect(again.fingerprint == made.certificates.fingerprint)
        #expect(throws: IdentityError.keyType) {
            try RelayCertificates(chain: made.certificates.chain, key: made.identityKey)
        }
    }

    private struct LeafKey {
        let key: CertificateChain.LeafKey

        init(_ certificates: RelayCertificates) {
            key = .ed25519(certificates.key.publicKey)
        }
    }
}
