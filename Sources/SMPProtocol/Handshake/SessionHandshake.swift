public import ByteCoding
public import CryptoCore

/// What the two hellos agree on.
public struct SMPSession: Sendable {
    public let transmission: TransmissionSession
    /// What the relay offered: the versions, and from version 7 its certificates with the signed session key.
    public let hello: ServerHello
    /// The relay's session key, for authenticators (client side). From version 7.
    public let relayKey: X25519.PublicKey?
    /// With which a proxy encrypts what it forwards: the agreement of both sides' session keys. Nil for other clients.
    public let proxySecret: Secret?
    /// The encryption of all blocks after the hellos.
    public var cipher: BlockCipher

    public var version: UInt16 { transmission.version }
}

/// The client's part of the handshake: a server hello in, a client hello out.
public struct ClientHandshake: Sendable {
    private let versions: VersionRange
    private let fingerprint: Bytes
    private let sessionID: Bytes
    private let leafKey: CertificateKey
    private let isProxy: Bool

    /// - Parameters:
    ///   - versions: What the client speaks.
    ///   - fingerprint: The fingerprint of the address; TLS has already shown that the server has it.
    ///   - sessionID: The identifier of this TLS connection.
    ///   - leafKey: The key of the certificate that the server presented in TLS.
    ///   - isProxy: Whether the client forwards commands of others.
    public init(
        versions: VersionRange, fingerprint: Bytes, sessionID: Bytes, leafKey: CertificateKey, isProxy: Bool = false
    ) {
        self.versions = versions
        self.fingerprint = fingerprint
        self.sessionID = sessionID
        self.leafKey = leafKey
        self.isProxy = isProxy
    }

    /// Checks the server hello and answers it.
    ///
    /// - Parameter key: The client's key of this connection, or nil to leave blocks unencrypted.
    /// - Returns: The client hello, and the session that both sides now have.
    public func answer(
        _ hello: Bytes, key: X25519.PrivateKey?
    ) throws(TransportError) -> (hello: ClientHello, session: SMPSession) {
        guard let hello = try? ServerHello(decoding: hello) else { throw .handshakeSyntax }
        guard constantTimeEqual(hello.sessionID, sessionID) else { throw .session }
        let relayKey = try verifiedKey(hello)
        guard let version = agreedVersion(hello.versions) else { throw .version }
        let clientKey = version >= SMP.sessionKeys ? key : nil
        var cipher = BlockCipher(), proxySecret: Secret?
        if version >= SMP.blockEncryption || isProxy, let clientKey, let relayKey {
            guard let secret = try? clientKey.agree(with: relayKey) else { throw .badAuthorization }
            if isProxy {
                proxySecret = secret
            } else {
                cipher = BlockCipher(side: .client, sessionID: sessionID, secret: secret)
            }
        }
        let answer = ClientHello(
            version: version, fingerprint: fingerprint, key: clientKey?.publicKey,
            isProxy: isProxy && version >= SMP.proxyFlag)
        let transmission = TransmissionSession(version: version, sessionID: sessionID)
        let session = SMPSession(
            transmission: transmission, hello: hello, relayKey: relayKey, proxySecret: proxySecret, cipher: cipher)
        return (answer, session)
    }

    private func verifiedKey(_ hello: ServerHello) throws(TransportError) -> X25519.PublicKey? {
        guard let credentials = hello.credentials else { return nil }
        guard credentials.belong(to: fingerprint), credentials.signedKey.isSigned(by: leafKey) else {
            throw .badAuthorization
        }
        return credentials.signedKey.key
    }

    /// A proxy stays below block encryption with relays that do not know the proxy flag: they would encrypt.
    private func agreedVersion(_ offered: VersionRange) -> UInt16? {
        guard let version = versions.agreed(with: offered) else { return nil }
        guard isProxy, version < SMP.proxyFlag else { return version }
        let limit = VersionRange(min(versions.min, 10), 10)
        return limit.agreed(with: offered)
    }
}

/// The relay's part of the handshake: a server hello out, a client hello in.
public struct RelayHandshake: Sendable {
    public let hello: ServerHello
    private let fingerprint: Bytes
    private let key: X25519.PrivateKey

    /// What a relay knows of a client after the hellos.
    public struct Result: Sendable {
        public let transmission: TransmissionSession
        public let cipher: BlockCipher
        /// The client's key, with which a proxy encrypts what it forwards.
        public let clientKey: X25519.PublicKey?
        public let isProxy: Bool
        public let service: ServiceHello?
    }

    /// - Parameters:
    ///   - versions: What the relay speaks.
    ///   - hasALPN: Without an agreed ALPN the client is taken for one of version 6.
    ///   - sessionID: The identifier of this TLS connection.
    ///   - chain: The certificates that the relay presented, leaf first.
    ///   - signer: The key of the leaf.
    ///   - key: The relay's key of this connection.
    public init(
        versions: VersionRange, hasALPN: Bool, sessionID: Bytes, chain: [Bytes], signer: Ed25519.PrivateKey,
        key: X25519.PrivateKey
    ) {
        precondition(chain.count >= 2, "the second certificate is the identity of a relay")
        let offered = hasALPN ? versions : VersionRange(versions.min)
        let credentials = SessionCredentials(
            chain: chain, signedKey: SignedSessionKey(key.publicKey, signedBy: signer))
        hello = ServerHello(versions: offered, sessionID: sessionID, credentials: credentials)
        fingerprint = SHA256.hash(chain[1])
        self.key = key
    }

    /// Checks the client hello. An error closes the connection without an answer.
    public func accept(_ hello: Bytes) throws(TransportError) -> Result {
        guard let hello = try? ClientHello(decoding: hello) else { throw .handshakeSyntax }
        guard constantTimeEqual(hello.fingerprint, fingerprint) else { throw .identity }
        guard self.hello.versions.contains(hello.version) else { throw .version }
        var cipher = BlockCipher()
        if hello.version >= SMP.blockEncryption, !hello.isProxy, let clientKey = hello.key {
            guard let secret = try? key.agree(with: clientKey) else { throw .badAuthorization }
            cipher = BlockCipher(side: .relay, sessionID: self.hello.sessionID, secret: secret)
        }
        return Result(
            transmission: TransmissionSession(version: hello.version, sessionID: self.hello.sessionID),
            cipher: cipher, clientKey: hello.key, isProxy: hello.isProxy, service: hello.service)
    }
}
