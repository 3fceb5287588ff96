package import ByteCoding
internal import COpenSSL
package import CryptoCore
import Glibc

/// An X.509 certificate to sign or to read.
@safe
package final class CertificateDraft {
    private let certificate: OpaquePointer

    /// The lifetime in days.
    private static let lifetime = 999_999

    /// Creates a certificate for a key, valid for 999,999 days from now.
    ///
    /// - Throws: ``CryptoError/libraryFailed``.
    package init(key: Ed25519.PrivateKey, serial: Bytes) throws(CryptoError) {
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

    /// Reads a signed certificate: an issuer, or one to inspect.
    ///
    /// - Throws: ``CryptoError/libraryFailed``.
    package init(decoding der: Bytes) throws(CryptoError) {
        let certificate = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_X509(nil, &start, buffer.count)
        }
        guard let certificate = unsafe certificate else { throw .libraryFailed }
        unsafe self.certificate = certificate
    }

    deinit {
        unsafe X509_free(certificate)
    }

    /// Returns the validity as Unix times in seconds.
    func validity() throws(CryptoError) -> ClosedRange<Int64> {
        let begin = try unsafe seconds(X509_get0_notBefore(certificate))
        let end = try unsafe seconds(X509_get0_notAfter(certificate))
        guard begin <= end else { throw .libraryFailed }
        return begin...end
    }

    /// Sets the validity as Unix times in seconds.
    package func setValidity(_ seconds: ClosedRange<Int64>) throws(CryptoError) {
        guard unsafe ASN1_TIME_set(X509_getm_notBefore(certificate), Int(seconds.lowerBound)) != nil,
            unsafe ASN1_TIME_set(X509_getm_notAfter(certificate), Int(seconds.upperBound)) != nil
        else { throw .libraryFailed }
    }

    private func seconds(_ time: UnsafePointer<ASN1_TIME>?) throws(CryptoError) -> Int64 {
        var parts = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { throw .libraryFailed }
        return unsafe Int64(timegm(&parts))
    }

    /// Sets the subject.
    ///
    /// - Throws: ``CryptoError/libraryFailed``.
    package func setSubject(commonName: String, organisation: String?) throws(CryptoError) {
        let name = unsafe X509_get_subject_name(certificate)
        for (field, value) in [("CN", commonName), ("O", organisation ?? "")] where !value.isEmpty {
            let added = unsafe X509_NAME_add_entry_by_txt(
                name, field, MBSTRING_FLAG | 1, Bytes(value.utf8), Int32(value.utf8.count), -1, 0)
            guard added == 1 else { throw .libraryFailed }
        }
    }

    /// Adds the extensions of a certificate authority (smp-agent.md 2.3). Without an issuer the certificate is
    /// self-signed.
    package func addAuthorityExtensions(issuer: CertificateDraft?) throws(CryptoError) {
        try add(
            [
                (NID_basic_constraints, "critical,CA:TRUE"), (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid:always"),
            ], issuer: issuer)
    }

    /// Adds the extensions of an online certificate (smp-agent.md 2.3).
    package func addServerExtensions(issuer: CertificateDraft) throws(CryptoError) {
        try add(
            [
                (NID_basic_constraints, "CA:FALSE"), (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid:always"),
                (NID_key_usage, "digitalSignature,nonRepudiation,keyAgreement"), (NID_ext_key_usage, "serverAuth"),
            ], issuer: issuer)
    }

    /// Adds extensions in OpenSSL's notation.
    private func add(_ extensions: [(Int32, String)], issuer: CertificateDraft?) throws(CryptoError) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, (issuer ?? self).certificate, certificate, nil, nil, 0)
        for (identifier, value) in extensions {
            guard let made = unsafe X509V3_EXT_conf_nid(nil, &context, identifier, value) else { throw .libraryFailed }
            defer { unsafe X509_EXTENSION_free(made) }
            guard unsafe X509_add_ext(certificate, made, -1) == 1 else { throw .libraryFailed }
        }
    }

    /// Signs the certificate and returns it in DER.
    ///
    /// - Throws: ``CryptoError/libraryFailed``.
    package func sign(by issuer: CertificateDraft?, with key: Ed25519.PrivateKey) throws(CryptoError) -> Bytes {
        try sign(by: issuer, with: .ed25519(key))
    }

    /// Signs the certificate and returns it in DER.
    ///
    /// - Throws: ``CryptoError/libraryFailed``.
    package func sign(by issuer: CertificateDraft?, with key: IdentityKey) throws(CryptoError) -> Bytes {
        let signer = try SigningKey(key)
        let name = unsafe X509_get_subject_name((issuer ?? self).certificate)
        // Both algorithms contain their hash: there is no digest parameter.
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
