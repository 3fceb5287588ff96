import ByteCoding
internal import COpenSSL
public import CryptoCore
internal import Glibc

/// The TLS parameters and certificates of one side (smp-agent.md 2.1). One context serves any number of connections.
@safe
public final class TLSContext: @unchecked Sendable {
    // Safe because OpenSSL counts references with atomics, and the context is immutable after the initializer.
    let pointer: OpaquePointer
    /// The protocol that a server selects, which OpenSSL refers to.
    private let selected: ProtocolName?
    /// The context for clients that name the host, which OpenSSL refers to.
    private let web: TLSContext?

    private static let cipherSuites = "TLS_CHACHA20_POLY1305_SHA256"
    private static let olderCiphers = "ECDHE-ECDSA-CHACHA20-POLY1305"
    private static let groups = "X25519:X448"
    private static let signatures = "ed25519:ed448"
    /// Algorithms of certificate authorities.
    private static let webSignatures = """
        ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:RSA-PSS+SHA256:RSA-PSS+SHA384:RSA-PSS+SHA512:ed25519
        """

    /// Creates the context of a client that offers the application protocol `alpn`.
    ///
    /// TLS itself does not verify the certificates. ``CertificateChain`` does, before the first block is sent.
    ///
    /// - Throws: ``CryptoError/libraryFailed``.
    public convenience init(clientOf alpn: String) throws(CryptoError) {
        try self.init(clientOf: alpn, with: nil)
    }

    /// Creates the context of a client, which presents certificates to a server that requests them.
    package init(
        clientOf alpn: String, with certificates: (chain: CertificateChain, key: Ed25519.PrivateKey)?
    ) throws(CryptoError) {
        let context = try unsafe TLSContext.make(TLS_client_method(), minimum: TLS1_3_VERSION)
        if let certificates {
            do throws(CryptoError) {
                try unsafe certificates.chain.install(in: context, key: certificates.key)
            } catch {
                unsafe SSL_CTX_free(context)
                throw error
            }
        }
        let name = Bytes(alpn.utf8)
        let wire = [UInt8(name.count)] + name
        // Unlike its siblings, this function returns 0 for success.
        guard unsafe SSL_CTX_set_alpn_protos(context, wire, UInt32(wire.count)) == 0 else {
            unsafe SSL_CTX_free(context)
            throw .libraryFailed
        }
        unsafe pointer = context
        selected = nil
        web = nil
    }

    /// Creates the context of a server with its certificates.
    ///
    /// - Parameters:
    ///   - alpn: The protocol to select among those of a client.
    ///   - web: The certificate for clients that name the host; nil to present the same to all.
    ///   - requestsCertificates: True to ask clients for certificates. TLS proves that the client has the key of the
    ///     first one and verifies nothing else. Clients without a certificate are accepted too.
    /// - Throws: ``CryptoError/libraryFailed``, also if the files of `web` cannot be used.
    public convenience init(
        serverWith certificates: RelayCertificates, alpn: String = "smp/1", web: WebCertificate? = nil,
        requestsCertificates: Bool = false
    ) throws(CryptoError) {
        try self.init(
            serverWith: certificates.chain, key: certificates.key, alpn: alpn, web: web,
            requestsCertificates: requestsCertificates)
    }

    /// Creates the context of a server with any chain, which is not verified, and the key of its leaf.
    package init(
        serverWith chain: CertificateChain, key: Ed25519.PrivateKey, alpn: String = "smp/1",
        web certificate: WebCertificate? = nil, requestsCertificates: Bool = false
    ) throws(CryptoError) {
        let web = try certificate.map { certificate throws(CryptoError) in try TLSContext(web: certificate) }
        let context = try unsafe TLSContext.make(TLS_server_method(), minimum: TLS1_2_VERSION)
        do throws(CryptoError) {
            try unsafe chain.install(in: context, key: key)
        } catch {
            unsafe SSL_CTX_free(context)
            throw error
        }
        let selected = ProtocolName(alpn)
        unsafe SSL_CTX_set_alpn_select_cb(context, selectProtocol, Unmanaged.passUnretained(selected).toOpaque())
        if requestsCertificates {
            unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
            unsafe SSL_CTX_set_cert_verify_callback(context, { _, _ in 1 }, nil)
        }
        if let web {
            unsafe SSL_CTX_set_client_hello_cb(context, selectContext, Unmanaged.passUnretained(web).toOpaque())
        }
        unsafe pointer = context
        self.selected = selected
        self.web = web
    }

    /// Creates the context of a web server for HTTP/2.
    private init(web certificate: WebCertificate) throws(CryptoError) {
        let context = try unsafe TLSContext.make(TLS_server_method(), minimum: TLS1_3_VERSION)
        // Without a callback OpenSSL asks for the passphrase of a key on the terminal.
        unsafe SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
        let isSet =
            unsafe TLSContext.control(context, SSL_CTRL_SET_SIGALGS_LIST, TLSContext.webSignatures)
            && SSL_CTX_use_certificate_chain_file(context, certificate.chain) == 1
            && SSL_CTX_use_PrivateKey_file(context, certificate.key, SSL_FILETYPE_PEM) == 1
            && SSL_CTX_check_private_key(context) == 1
        guard isSet else {
            unsafe SSL_CTX_free(context)
            throw .libraryFailed
        }
        let selected = ProtocolName("h2")
        unsafe SSL_CTX_set_alpn_select_cb(context, selectProtocol, Unmanaged.passUnretained(selected).toOpaque())
        unsafe pointer = context
        self.selected = selected
        web = nil
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
    }

    /// OpenSSL writes to sockets in a way that raises SIGPIPE when the other side has closed. From now on such a write
    /// is an ordinary error, also on pipes. A program that should end at a broken pipe raises the signal itself.
    private static let ignoresBrokenPipes: Void = {
        _ = signal(SIGPIPE, SIG_IGN)
    }()

    private static func make(_ method: OpaquePointer?, minimum: Int32) throws(CryptoError) -> OpaquePointer {
        _ = ignoresBrokenPipes
        guard let context = unsafe SSL_CTX_new(method) else { throw .libraryFailed }
        let isSet =
            unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(minimum), nil) == 1
            && SSL_CTX_set_ciphersuites(context, cipherSuites) == 1
            && SSL_CTX_set_cipher_list(context, olderCiphers) == 1
            && control(context, SSL_CTRL_SET_GROUPS_LIST, groups)
            && control(context, SSL_CTRL_SET_SIGALGS_LIST, signatures)
        guard isSet else {
            unsafe SSL_CTX_free(context)
            throw .libraryFailed
        }
        // SECURITY: resumption would let a session outlive its keys and reuse its session id.
        unsafe SSL_CTX_set_options(context, TACIT_SSL_OPTIONS)
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        // Idle connections release their buffers of 34 KB.
        let mode = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(mode), nil)
        // A record is read with one call, without reading its header first.
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, nil)
        return unsafe context
    }

    private static func control(_ context: OpaquePointer, _ command: Int32, _ list: String) -> Bool {
        unsafe list.withCString { text in
            unsafe SSL_CTX_ctrl(context, command, 0, UnsafeMutableRawPointer(mutating: text)) == 1
        }
    }
}

/// The name of a protocol of a server.
private final class ProtocolName: Sendable {
    let bytes: Bytes

    init(_ name: String) {
        bytes = Bytes(name.utf8)
    }
}

/// Switches a connection to the context for browsers if the client names the host.
private func selectContext(
    _ connection: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    var name: UnsafePointer<UInt8>?, count = 0
    guard let connection = unsafe connection, let argument = unsafe argument,
        unsafe SSL_client_hello_get0_ext(connection, UInt32(TLSEXT_TYPE_server_name), &name, &count) == 1
    else { return SSL_CLIENT_HELLO_SUCCESS }
    let web = unsafe Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue()
    guard unsafe SSL_set_SSL_CTX(connection, web.pointer) != nil else { return SSL_CLIENT_HELLO_ERROR }
    return SSL_CLIENT_HELLO_SUCCESS
}

/// Selects the protocol of a connection (RFC 7301 3.2). A client without a matching offer gets none.
private func selectProtocol(
    _ connection: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredCount: UInt32,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let offered = unsafe offered, let chosen = unsafe chosen, let chosenCount = unsafe chosenCount,
        let argument = unsafe argument
    else {
        return SSL_TLSEXT_ERR_NOACK
    }
    let names = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    let wanted = unsafe Unmanaged<ProtocolName>.fromOpaque(argument).takeUnretainedValue().bytes
    var start = 0
    while start < names.count {
        let count = Int(unsafe names[start])
        guard start + 1 + count <= names.count else { break }
        let name = unsafe names[(start + 1)..<(start + 1 + count)]
        if unsafe name.elementsEqual(wanted) {
            unsafe chosen.pointee = offered + start + 1
            unsafe chosenCount.pointee = UInt8(count)
            return SSL_TLSEXT_ERR_OK
        }
        start += 1 + count
    }
    return SSL_TLSEXT_ERR_NOACK
}
