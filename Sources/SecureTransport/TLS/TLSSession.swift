public import ByteCoding
internal import COpenSSL

/// The result of a TLS handshake.
public struct TLSSession: Hashable, Sendable {
    /// The session id: the client's Finished message ("tls-unique", RFC 5929 section 3, smp-agent.md 2.2). 32 bytes
    /// with TLS 1.3, 12 with TLS 1.2.
    public let sessionID: Bytes
    /// The agreed application protocol, if any.
    public let alpn: String?
    /// True on a server's side if the client got the certificate for browsers.
    public let isWeb: Bool
    /// The certificates of the other side. On the server's side they are not verified, and empty unless the server has
    /// requested them and the client has some.
    public let chain: CertificateChain

    @unsafe
    init(_ ssl: OpaquePointer, side: TLSConnection.Side, context: TLSContext) {
        isWeb = unsafe SSL_get_SSL_CTX(ssl) != context.pointer
        var finished = Bytes(repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        let size = finished.count
        let count =
            unsafe side == .client
            ? SSL_get_finished(ssl, &finished, size) : SSL_get_peer_finished(ssl, &finished, size)
        sessionID = Bytes(finished.prefix(count))
        var name: UnsafePointer<UInt8>?
        var nameCount: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &nameCount)
        alpn = unsafe name.map {
            unsafe String(decoding: UnsafeBufferPointer(start: $0, count: Int(nameCount)), as: UTF8.self)
        }
        let leaf = side == .server ? unsafe TLSSession.leaf(ssl) : nil
        chain = CertificateChain((leaf.map { [$0] } ?? []) + (unsafe TLSSession.certificates(ssl)))
    }

    /// Returns the first certificate of a client, which the chain of a server's side lacks (SSL_get_peer_cert_chain(3)).
    private static func leaf(_ ssl: OpaquePointer) -> Bytes? {
        guard let certificate = unsafe SSL_get1_peer_certificate(ssl) else { return nil }
        defer { unsafe X509_free(certificate) }
        return unsafe der(certificate)
    }

    private static func der(_ certificate: OpaquePointer?) -> Bytes? {
        var der: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509(certificate, &der)
        guard count > 0, let start = unsafe der else { return nil }
        defer { unsafe CRYPTO_free(start, nil, 0) }
        return unsafe Bytes(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private static func certificates(_ ssl: OpaquePointer) -> [Bytes] {
        guard let stack = unsafe SSL_get_peer_cert_chain(ssl) else { return [] }
        return unsafe (0..<OPENSSL_sk_num(stack)).compactMap { index in
            unsafe der(OpaquePointer(OPENSSL_sk_value(stack, index)))
        }
    }
}
