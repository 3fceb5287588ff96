public import ByteCoding
internal import COpenSSL
public import CryptoCore

/// The certificates of a relay: a self-signed one, whose hash is the relay's identity and whose key can be kept offline,
/// and the online certificate that it signed.
public struct RelayCertificates: Sendable {
    /// Leaf first, DER: the online certificate and the identity certificate.
    public let chain: CertificateChain
    /// The key of the online certificate.
    public let key: Ed25519.PrivateKey

    /// The SHA-256 of the identity certificate: what an address carries.
    public var fingerprint: Bytes { SHA256.hash(chain.certificates[1]) }

    /// Certificates that were made before. The key must belong to the first of two certificates.
    public init(chain: CertificateChain, key: Ed25519.PrivateKey) throws(IdentityError) {
        guard chain.certificates.count == 2 else { throw .chainLength(chain.certificates.count) }
        let leaf = try chain.verify(fingerprint: SHA256.hash(chain.certificates[1]))
        guard leaf == .ed25519(key.publicKey) else { throw .keyType }
        self.chain = chain
        self.key = key
    }

    /// New certificates for a relay at `host`, valid from now on for 999,999 days, which is for ever.
    ///
    /// - Returns: The certificates and the key of the identity certificate.
    public static func generate(
        host: String, random: any RandomSource
    ) throws(CryptoError) -> (certificates: RelayCertificates, identityKey: Ed25519.PrivateKey) {
        let identityKey = Ed25519.PrivateKey(random: random), key = Ed25519.PrivateKey(random: random)
        let identity = try CertificateDraft(key: identityKey, serial: random.bytes(16))
        try identity.setSubject(commonName: "SMP server CA", organisation: "SimpleX")
        try identity.add(
            [
                (NID_basic_constraints, "critical,CA:TRUE"), (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid:always"),
            ], issuer: nil)
        let identityDER = try identity.sign(by: nil, with: identityKey)
        let online = try CertificateDraft(key: key, serial: random.bytes(16))
        try online.setSubject(commonName: String(host.prefix(64)), organisation: nil)
        try online.add(
            [
                (NID_basic_constraints, "CA:FALSE"), (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid:always"),
                (NID_key_usage, "digitalSignature,nonRepudiation,keyAgreement"), (NID_ext_key_usage, "serverAuth"),
            ], issuer: identity)
        let onlineDER = try online.sign(by: identity, with: identityKey)
        do throws(IdentityError) {
            let chain = CertificateChain([onlineDER, identityDER])
            return (try RelayCertificates(chain: chain, key: key), identityKey)
        } catch {
            throw .libraryFailed
        }
    }

    /// Gives a server context these certificates.
    func install(in context: OpaquePointer) throws(CryptoError) {
        let identity = chain.certificates[1], leaf = chain.certificates[0]
        guard unsafe SSL_CTX_use_certificate_ASN1(context, Int32(leaf.count), leaf) == 1 else { throw .libraryFailed }
        let extra = unsafe identity.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_X509(nil, &start, buffer.count)
        }
        // The context takes over the extra certificate when it accepts it.
        guard unsafe SSL_CTX_ctrl(context, SSL_CTRL_EXTRA_CHAIN_CERT, 0, UnsafeMutableRawPointer(extra)) == 1 else {
            unsafe X509_free(extra)
            throw .libraryFailed
        }
        let privateKey = try SigningKey(key)
        guard unsafe SSL_CTX_use_PrivateKey(context, privateKey.pointer) == 1 else { throw .libraryFailed }
    }
}

/// An Ed25519 key in OpenSSL's form, freed at the end of its life.
@safe
final class SigningKey {
    let pointer: OpaquePointer

    init(_ key: Ed25519.PrivateKey) throws(CryptoError) {
        let pointer = unsafe key.seed.withUnsafeBytes { seed in
            unsafe EVP_PKEY_new_raw_private_key(
                EVP_PKEY_ED25519, nil, seed.baseAddress?.assumingMemoryBound(to: UInt8.self), seed.count)
        }
        guard let pointer = unsafe pointer else { throw .libraryFailed }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }
}

/// A certificate that is being made.
@safe
private final class CertificateDraft {
    private let certificate: OpaquePointer

    /// Lifetime in seconds: 999,999 days.
    private static let lifetime = 999_999

    init(key: Ed25519.PrivateKey, serial: Bytes) throws(CryptoError) {
        guard let certificate = unsafe X509_new() else { throw .libraryFailed }
        unsafe self.certificate = certificate
        // RFC 5280 section 4.1.2.2: serial numbers are positive.
        let positive = [serial[0] & 0x7f] + serial.dropFirst()
        let number = unsafe BN_bin2bn(positive, Int32(positive.count), nil)
        defer { unsafe BN_free(number) }
        let publicKey = try SigningKey(key)
        let isSet =
            unsafe X509_set_version(certificate, 2) == 1
            && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
            && X509_gmtime_adj(X509_getm_notBefore(certificate), 0) != nil
            && X509_time_adj_ex(X509_getm_notAfter(certificate), Int32(CertificateDraft.lifetime), 0, nil) != nil
            && X509_set_pubkey(certificate, publicKey.pointer) == 1
        guard isSet else { throw .libraryFailed }
    }

    deinit {
        unsafe X509_free(certificate)
    }

    func setSubject(commonName: String, organisation: String?) throws(CryptoError) {
        let name = unsafe X509_get_subject_name(certificate)
        for (field, value) in [("CN", commonName), ("O", organisation ?? "")] where !value.isEmpty {
            let added = unsafe X509_NAME_add_entry_by_txt(
                name, field, MBSTRING_FLAG | 1, Bytes(value.utf8), Int32(value.utf8.count), -1, 0)
            guard added == 1 else { throw .libraryFailed }
        }
    }

    /// Adds extensions in OpenSSL's notation. Without an issuer the certificate issues itself.
    func add(_ extensions: [(Int32, String)], issuer: CertificateDraft?) throws(CryptoError) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, (issuer ?? self).certificate, certificate, nil, nil, 0)
        for (identifier, value) in extensions {
            guard let made = unsafe X509V3_EXT_conf_nid(nil, &context, identifier, value) else { throw .libraryFailed }
            defer { unsafe X509_EXTENSION_free(made) }
            guard unsafe X509_add_ext(certificate, made, -1) == 1 else { throw .libraryFailed }
        }
    }

    /// Signs the certificate and returns its DER.
    func sign(by issuer: CertificateDraft?, with key: Ed25519.PrivateKey) throws(CryptoError) -> Bytes {
        let signer = try SigningKey(key)
        let name = unsafe X509_get_subject_name((issuer ?? self).certificate)
        // Ed25519 hashes by itself: no digest is named.
        guard unsafe X509_set_issuer_name(certificate, name) == 1,
            unsafe X509_sign(certificate, signer.pointer, nil) > 0
        else { throw .libraryFailed }
        var der: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509(certificate, &der)
        guard count > 0, let start = unsafe der else { throw .libraryFailed }
        defer { unsafe CRYPTO_free(start, nil, 0) }
        return unsafe Bytes(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
