import AttackSupport
import ByteCoding
import CryptoCore
import SecureTransport
import SystemIO
import TestSupport
import Testing

@Suite struct CertificateTests {
    let made: (certificates: RelayCertificates, identityKey: IdentityKey)

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

    @Test func forgedChainsAreRefused() throws {
        let pinned = made.certificates.chain.certificates[1]
        let forged = try PresentedChain.forged(pinned: pinned)
        #expect(forged.count >= 10)
        for chain in forged {
            let expected: IdentityError = chain.chain.certificates[1] == pinned ? .path : .fingerprint
            #expect(throws: expected, "\(chain.name)") {
                try chain.chain.verify(fingerprint: made.certificates.fingerprint)
            }
        }
    }

    @Test func chainsOfOperatorsAreAccepted() throws {
        for presented in try PresentedChain.genuine() {
            let leaf = try presented.chain.verify(fingerprint: presented.fingerprint)
            #expect(leaf == .ed25519(presented.key.publicKey), "\(presented.name)")
        }
    }

    /// The signature of the last certificate is its own, and stands at its end.
    @Test func theLastCertificateSignsItself() throws {
        for presented in try PresentedChain.genuine() where presented.chain.certificates.count > 2 {
            var certificates = presented.chain.certificates
            let last = certificates.count - 1
            certificates[last][certificates[last].count - 1] ^= 1
            #expect(throws: IdentityError.path, "\(presented.name)") {
                try CertificateChain(certificates).verify(fingerprint: presented.fingerprint)
            }
        }
    }

    @Test func validityIsJudgedAfterEverythingElse() throws {
        let now = SystemClock.milliseconds() / 1000, hour: Int64 = 3600
        for (validity, expected) in [
            (now - 2 * hour...now - hour, IdentityError.expired), (now + hour...now + 2 * hour, .notYetValid),
        ] {
            for presented in try PresentedChain.genuine(validity: validity) {
                #expect(throws: expected) { try presented.chain.verify(fingerprint: presented.fingerprint) }
                #expect(throws: IdentityError.fingerprint) {
                    try presented.chain.verify(fingerprint: made.certificates.fingerprint)
                }
            }
            // A forged chain that has expired is a forged chain.
            let root = try IssuedCertificate.authority("own root")
            let leaf = try IssuedCertificate.leaf(by: root, validity: validity)
            let forged = PresentedChain("", leaf, made.certificates.chain.certificates[1], root.der)
            #expect(throws: IdentityError.path) {
                try forged.chain.verify(fingerprint: made.certificates.fingerprint)
            }
        }
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
            guard case .ed25519(let key) = made.identityKey else { throw IdentityError.path }
            return try RelayCertificates(chain: made.certificates.chain, key: key)
        }
    }

    private struct LeafKey {
        let key: CertificateChain.LeafKey

        init(_ certificates: RelayCertificates) {
            key = .ed25519(certificates.key.publicKey)
        }
    }
}
