public import ByteCoding
internal import COpenSSL
public import CryptoCore

/// The certificates of a relay (smp-agent.md 2.3): a self-signed identity certificate, whose key can be kept offline,
/// and the online certificate that it signed.
public struct RelayCertificates: Sendable {
    /// The online certificate and the identity certificate, in DER.
    public let chain: CertificateChain
    /// The key of the online certificate.
    public let key: Ed25519.PrivateKey

    /// The SHA-256 of the identity certificate, the fingerprint in addresses.
    public var fingerprint: Bytes { SHA256.hash(chain.certificates[1]) }

    /// Creates the certificates from stored values.
    ///
    /// - Throws: ``IdentityError`` unless there are two certificates and the key belongs to the first.
    public init(chain: CertificateChain, key: Ed25519.PrivateKey) throws(IdentityError) {
        guard chain.certificates.count == 2 else { throw .chainLength(chain.certificates.count) }
        let leaf = try chain.verify(fingerprint: SHA256.hash(chain.certificates[1]))
        guard leaf == .ed25519(key.publicKey) else { throw .keyType }
        self.chain = chain
        self.key = key
    }

    /// Returns true if this is the key of the identity certificate.
    public func isIdentityKey(_ key: IdentityKey) -> Bool {
        RelayCertificates.isKey(key, of: chain.certificates[1])
    }

    private static func isKey(_ key: IdentityKey, of identity: Bytes) -> Bool {
        CertificateChain([identity]).leafKey == key.publicKey
    }

    /// Creates certificates for a relay at `host`, valid for 999,999 days from now.
    ///
    /// - Returns: The certificates and the key of the identity certificate.
    /// - Throws: ``CryptoError/libraryFailed``.
    public static func generate(
        host: String, random: any RandomSource
    ) throws(CryptoError) -> (certificates: RelayCertificates, identityKey: IdentityKey) {
        let key = Ed25519.PrivateKey(random: random), identityKey = IdentityKey.ed25519(key)
        let identity = try CertificateDraft(key: key, serial: random.bytes(16))
        try identity.setSubject(commonName: "SMP server CA", organisation: "SimpleX")
        try identity.addAuthorityExtensions(issuer: nil)
        let identityDER = try identity.sign(by: nil, with: identityKey)
        return (try make(host, identity, identityDER, identityKey, random), identityKey)
    }

    /// Creates the certificates of a relay at `host` that has the identity of a former relay.
    ///
    /// - Parameters:
    ///   - identity: The identity certificate in DER.
    ///   - identityKey: The key of the identity certificate.
    /// - Throws: ``IdentityError/keyType`` for the key of another certificate, ``IdentityError/path`` for a certificate
    ///   that cannot sign the online certificate.
    public static func generate(
        host: String, identity: Bytes, identityKey: IdentityKey, random: any RandomSource
    ) throws(IdentityError) -> RelayCertificates {
        guard isKey(identityKey, of: identity) else { throw .keyType }
        do throws(CryptoError) {
            return try make(host, try CertificateDraft(decoding: identity), identity, identityKey, random)
        } catch {
            throw .path
        }
    }

    /// Returns the same identity with a new online certificate and key.
    ///
    /// - Parameter identityKey: The key of the identity certificate.
    /// - Throws: ``CryptoError/libraryFailed``.
    public func renewed(
        host: String, identityKey: IdentityKey, random: any RandomSource
    ) throws(CryptoError) -> RelayCertificates {
        let identity = try CertificateDraft(decoding: chain.certificates[1])
        return try RelayCertificates.make(host, identity, chain.certificates[1], identityKey, random)
    }

    private static func make(
        _ host: String, _ identity: CertificateDraft, _ identityDER: Bytes, _ identityKey: IdentityKey,
        _ random: any RandomSource
    ) throws(CryptoError) -> RelayCertificates {
        let key = Ed25519.PrivateKey(random: random)
        let online = try CertificateDraft(key: key, serial: random.bytes(16))
        try online.setSubject(commonName: String(host.prefix(64)), organisation: nil)
        try online.addServerExtensions(issuer: identity)
        let onlineDER = try online.sign(by: identity, with: identityKey)
        do throws(IdentityError) {
            return try RelayCertificates(chain: CertificateChain([onlineDER, identityDER]), key: key)
        } catch {
            throw .libraryFailed
        }
    }

    /// Returns the validity of the online certificate as Unix times in seconds.
    public func validity() throws(CryptoError) -> ClosedRange<Int64> {
        try CertificateDraft(decoding: chain.certificates[0]).validity()
    }
}

/// A private key in OpenSSL's form, freed at the end of its life.
@safe
final class SigningKey {
    let pointer: OpaquePointer

    convenience init(_ key: Ed25519.PrivateKey) throws(CryptoError) {
        try self.init(.ed25519(key))
    }

    init(_ key: IdentityKey) throws(CryptoError) {
        let (type, seed) = key.parts
        let pointer = unsafe seed.withUnsafeBytes { seed in
            unsafe EVP_PKEY_new_raw_private_key(
                type, nil, seed.baseAddress?.assumingMemoryBound(to: UInt8.self), seed.count)
        }
        guard let pointer = unsafe pointer else { throw .libraryFailed }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }
}
