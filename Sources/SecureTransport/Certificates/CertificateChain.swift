public import ByteCoding
internal import COpenSSL
public import CryptoCore

/// The certificates that a server presented, leaf first, as DER.
public struct CertificateChain: Hashable, Sendable {
    public let certificates: [Bytes]

    public init(_ certificates: [Bytes]) {
        self.certificates = certificates
    }

    /// The key of a leaf certificate, which signs what else the server has to prove.
    public enum LeafKey: Hashable, Sendable {
        case ed25519(Ed25519.PublicKey)
        case ed448(Ed448.PublicKey)
    }

    /// Checks that the chain belongs to the server with this fingerprint: length, fingerprint of the second certificate,
    /// signatures and validity of the path to the last one, in this order. Names are not checked.
    public func verify(fingerprint: Bytes) throws(IdentityError) -> LeafKey {
        guard (2...4).contains(certificates.count) else { throw .chainLength(certificates.count) }
        guard constantTimeEqual(SHA256.hash(certificates[1]), fingerprint) else { throw .fingerprint }
        let parsed = ParsedCertificates(certificates)
        guard parsed.pathIsValid() else { throw .path }
        guard let key = parsed.leafKey() else { throw .keyType }
        return key
    }
}

/// Certificates of OpenSSL, freed at the end of their life.
@safe
private final class ParsedCertificates {
    private let pointers: [OpaquePointer?]

    init(_ certificates: [Bytes]) {
        unsafe pointers = certificates.map { der in
            unsafe der.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                guard let certificate = unsafe d2i_X509(nil, &start, buffer.count) else { return nil }
                // Bytes behind the certificate would be covered by the fingerprint but by no signature.
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

    /// RFC 5280 section 6, with the last certificate as the trust anchor.
    func pathIsValid() -> Bool {
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
        return unsafe X509_STORE_add_cert(store, root) == 1
            && X509_STORE_CTX_init(context, store, leaf, untrusted) == 1
            && X509_verify_cert(context) == 1
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
