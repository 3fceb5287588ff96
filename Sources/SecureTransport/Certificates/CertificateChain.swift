public import ByteCoding
internal import COpenSSL
public import CryptoCore

/// The certificates of a server, leaf first, in DER.
public struct CertificateChain: Hashable, Sendable {
    /// The certificates, leaf first, in DER.
    public let certificates: [Bytes]

    /// Creates a certificate chain from its parts.
    public init(_ certificates: [Bytes]) {
        self.certificates = certificates
    }

    /// The key of a leaf certificate, which signs the server's session keys.
    public enum LeafKey: Hashable, Sendable {
        /// An Ed25519 key, as in SMP relays.
        case ed25519(Ed25519.PublicKey)
        /// An Ed448 key.
        case ed448(Ed448.PublicKey)
    }

    /// Verifies that the chain belongs to the server with this fingerprint (smp-agent.md 2.3).
    ///
    /// The checks, in this order: two to four certificates; the SHA-256 of the second one is the fingerprint; each
    /// certificate is signed by the next, and the last by itself; the key of the leaf; validity today. Names are not
    /// compared with the host, because the fingerprint identifies the server.
    ///
    /// - Parameter fingerprint: 32 bytes, from the address of the server.
    /// - Returns: The key of the leaf certificate.
    /// - Throws: ``IdentityError``. ``IdentityError/notYetValid`` and ``IdentityError/expired`` occur only for an
    ///   otherwise valid chain.
    public func verify(fingerprint: Bytes) throws(IdentityError) -> LeafKey {
        guard (2...4).contains(certificates.count) else { throw .chainLength(certificates.count) }
        guard constantTimeEqual(SHA256.hash(certificates[1]), fingerprint) else { throw .fingerprint }
        let parsed = ParsedCertificates(certificates)
        guard parsed.arePath() else { throw .path }
        guard let key = parsed.leafKey() else { throw .keyType }
        try parsed.checkValidity()
        return key
    }

    /// Verifies the chain of a client that proved to have the key of the first certificate.
    ///
    /// - Returns: The key, and the SHA-256 of the certificate that identifies the client: the second one, or the only
    ///   one.
    /// - Throws: ``IdentityError``.
    public func verifyClient() throws(IdentityError) -> (key: LeafKey, fingerprint: Bytes) {
        guard certificates.count > 1 else {
            guard let key = leafKey else { throw .keyType }
            return (key, SHA256.hash(certificates[0]))
        }
        let fingerprint = SHA256.hash(certificates[1])
        return (try verify(fingerprint: fingerprint), fingerprint)
    }

    /// The key of the first certificate, without verification.
    var leafKey: LeafKey? { ParsedCertificates(Array(certificates.prefix(1))).leafKey() }

    /// Installs the certificates and the key of the first one in a server context.
    func install(in context: OpaquePointer, key: Ed25519.PrivateKey) throws(CryptoError) {
        guard let leaf = certificates.first,
            unsafe SSL_CTX_use_certificate_ASN1(context, Int32(leaf.count), leaf) == 1
        else { throw .libraryFailed }
        for certificate in certificates.dropFirst() {
            let extra = unsafe certificate.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return unsafe d2i_X509(nil, &start, buffer.count)
            }
            // The context takes ownership of the extra certificate on success.
            guard unsafe SSL_CTX_ctrl(context, SSL_CTRL_EXTRA_CHAIN_CERT, 0, UnsafeMutableRawPointer(extra)) == 1 else {
                unsafe X509_free(extra)
                throw .libraryFailed
            }
        }
        let privateKey = try SigningKey(key)
        guard unsafe SSL_CTX_use_PrivateKey(context, privateKey.pointer) == 1 else { throw .libraryFailed }
    }
}

/// OpenSSL certificates, freed at the end of their life.
@safe
private final class ParsedCertificates {
    private let pointers: [OpaquePointer?]

    init(_ certificates: [Bytes]) {
        unsafe pointers = certificates.map { der in
            unsafe der.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                guard let certificate = unsafe d2i_X509(nil, &start, buffer.count) else { return nil }
                // Bytes after the certificate would be covered by the fingerprint, but by no signature.
                let end = unsafe buffer.baseAddress?.advanced(by: buffer.count)
                guard unsafe start == end else {
                    unsafe X509_free(certificate)
                    return nil
                }
                return unsafe certificate
            }
        }
    }

    deinit {
        unsafe pointers.forEach { unsafe X509_free($0) }
    }

    /// Returns true if path validation (RFC 5280 section 6) succeeds from the first certificate to the last, the trust
    /// anchor, without regard to time, and the path consists of all certificates in order.
    func arePath() -> Bool {
        let all = unsafe pointers.compactMap { unsafe $0 }
        guard unsafe all.count == pointers.count, let leaf = unsafe all.first, let root = unsafe all.last else {
            return false
        }
        guard let store = unsafe X509_STORE_new(), let untrusted = unsafe OPENSSL_sk_new_null(),
            let context = unsafe X509_STORE_CTX_new()
        else { return false }
        defer {
            unsafe X509_STORE_CTX_free(context)
            unsafe OPENSSL_sk_free(untrusted)
            unsafe X509_STORE_free(store)
        }
        unsafe all.dropFirst().dropLast().forEach { unsafe OPENSSL_sk_push(untrusted, UnsafeRawPointer($0)) }
        guard unsafe X509_STORE_add_cert(store, root) == 1,
            unsafe X509_STORE_CTX_init(context, store, leaf, untrusted) == 1
        else { return false }
        // Without the second flag the anchor's own signature is not verified.
        unsafe X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_NO_CHECK_TIME | X509_V_FLAG_CHECK_SS_SIGNATURE))
        guard unsafe X509_verify_cert(context) == 1 else { return false }
        // SECURITY: OpenSSL finds any path from the leaf to the anchor. A path without the pinned certificate would
        // prove nothing: [own leaf, pinned certificate, own root].
        let path = unsafe X509_STORE_CTX_get0_chain(context)
        guard unsafe Int(OPENSSL_sk_num(path)) == all.count else { return false }
        return unsafe all.indices.allSatisfy { index in
            guard let certificate = unsafe OPENSSL_sk_value(path, Int32(index)) else { return false }
            return unsafe X509_cmp(OpaquePointer(certificate), all[index]) == 0
        }
    }

    /// Checks the validity with the clock of this machine.
    ///
    /// - Throws: ``IdentityError/notYetValid`` or ``IdentityError/expired``.
    func checkValidity() throws(IdentityError) {
        for index in unsafe pointers.indices {
            guard let certificate = unsafe pointers[index] else { throw .path }
            // X509_cmp_current_time(3): negative for the past, zero for an unreadable time.
            let begin = unsafe X509_cmp_current_time(X509_get0_notBefore(certificate))
            let end = unsafe X509_cmp_current_time(X509_get0_notAfter(certificate))
            guard begin != 0, end != 0 else { throw .path }
            guard begin < 0 else { throw .notYetValid }
            guard end > 0 else { throw .expired }
        }
    }

    func leafKey() -> CertificateChain.LeafKey? {
        guard let leaf = unsafe pointers.first ?? nil, let key = unsafe X509_get0_pubkey(leaf) else { return nil }
        var raw = Bytes(repeating: 0, count: Ed448.PublicKey.rawSize)
        var count = raw.count
        guard unsafe EVP_PKEY_get_raw_public_key(key, &raw, &count) == 1 else { return nil }
        let bytes = Bytes(raw.prefix(count))
        switch unsafe EVP_PKEY_get_id(key) {
        case EVP_PKEY_ED25519: return (try? Ed25519.PublicKey(raw: bytes)).map { .ed25519($0) }
        case EVP_PKEY_ED448: return (try? Ed448.PublicKey(raw: bytes)).map { .ed448($0) }
        default: return nil
        }
    }
}
