public import ByteCoding
public import CryptoCore

/// The result of the handshake for a client (smp-agent.md 3.1).
public struct SMPSession: Sendable {
    /// The version and session id.
    public let transmission: TransmissionSession
    /// The server hello: the offered versions, and from version 7 the certificates with the signed session key.
    public let hello: ServerHello
    /// The relay's session key for authenticators. From version 7.
    public let relayKey: X25519.PublicKey?
    /// The secret with which a proxy encrypts forwarded commands; nil for other clients.
    public let proxySecret: Secret?
    /// The encryption of all blocks after the hellos.
    public var cipher: BlockCipher

    /// The version of the session.
    public var version: UInt16 { transmission.version }
}

/// The client's part of the handshake: reads a server hello, returns a client hello.
public struct ClientHandshake: Sendable {
    private let versions: VersionRange
    private let fingerprint: Bytes
    private let sessionID: Bytes
    private let leafKey: CertificateKey
    private let isProxy: Bool

    /// Creates the client's part of a handshake.
    ///
    /// - Parameters:
    ///   - versions: The versions of the client.
    ///   - fingerprint: The fingerprint in the address, already verified by TLS.
    ///   - sessionID: The identifier of this TLS connection.
    ///   - leafKey: The key of the certificate that the server presented in TLS.
    ///   - isProxy: True if the client forwards commands of others.
    public init(
        versions: VersionRange, fingerprint: Bytes, sessionID: Bytes, leafKey: CertificateKey, isProxy: Bool = false
    ) {
        self.versions = versions
        self.fingerprint = fingerprint
        self.sessionID = sessionID
        self.leafKey = leafKey
        self.isProxy = isProxy
    }

    /// Checks the server hello and returns the client hello with the session (smp-agent.md 3.2, 3.3).
    ///
    /// - Parameter key: The client's session key, or nil to leave blocks unencrypted.
    /// - Throws: ``TransportError/handshakeSyntax``, ``TransportError/session``, ``TransportError/version`` or
    ///   ``TransportError/identity``.
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

    /// Returns the highest common version. A proxy stays below block encryption with relays that lack the proxy flag:
    /// those relays would encrypt.
    private func agreedVersion(_ offered: VersionRange) -> UInt16? {
        guard let version = versions.agreed(with: offered) else { return nil }
        guard isProxy, version < SMP.proxyFlag else { return version }
        let limit = VersionRange(min(versions.min, 10), 10)
        return limit.agreed(with: offered)
    }
}

/// The relay's part of the handshake: returns a server hello, reads a client hello.
public struct RelayHandshake: Sendable {
    /// The server hello to send.
    public let hello: ServerHello
    private let fingerprint: Bytes
    private let key: X25519.PrivateKey

    /// The result of the handshake for a relay.
    public struct Result: Sendable {
        /// The version and session id.
        public let transmission: TransmissionSession
        /// The encryption of all blocks after the hellos.
        public let cipher: BlockCipher
        /// The client's session key, with which a proxy encrypts forwarded commands.
        public let clientKey: X25519.PublicKey?
        /// True if the client forwards commands of others.
        public let isProxy: Bool
        /// The service certificate of the client.
        public let service: ServiceHello?
    }

    /// Creates the relay's part of a handshake.
    ///
    /// - Parameters:
    ///   - versions: The versions of the relay.
    ///   - hasALPN: True if TLS agreed on an ALPN name. Without one, the relay offers version 6 only.
    ///   - sessionID: The identifier of this TLS connection.
    ///   - chain: The certificates that the relay presented, leaf first.
    ///   - signer: The key of the leaf certificate.
    ///   - key: The relay's session key.
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

    /// Checks the client hello. After an error the relay closes the connection without a response.
    ///
    /// - Throws: ``TransportError``.
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
