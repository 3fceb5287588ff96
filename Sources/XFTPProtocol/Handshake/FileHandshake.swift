public import ByteCoding
public import CryptoCore
public import SMPProtocol

/// The client's part of the handshake: reads a relay's hello, returns a client's hello.
public struct FileClientHandshake: Sendable {
    private let versions: VersionRange
    private let fingerprint: Bytes
    private let sessionID: Bytes
    private let leafKey: CertificateKey

    /// Creates the client's part of a handshake.
    ///
    /// - Parameters:
    ///   - versions: The versions of the client.
    ///   - fingerprint: The fingerprint in the address, already verified by TLS.
    ///   - sessionID: The identifier of this TLS connection.
    ///   - leafKey: The key of the certificate that the relay presented in TLS.
    public init(
        versions: VersionRange = XFTP.versions, fingerprint: Bytes, sessionID: Bytes, leafKey: CertificateKey
    ) {
        self.versions = versions
        self.fingerprint = fingerprint
        self.sessionID = sessionID
        self.leafKey = leafKey
    }

    /// Checks the relay's hello and returns the client's hello with the session (smp-agent.md 10.2).
    ///
    /// - Parameter hello: The content of the block.
    /// - Throws: ``TransportError/handshakeSyntax``, ``TransportError/session``, ``TransportError/version``,
    ///   ``TransportError/identity`` or ``TransportError/badAuthorization``.
    public func answer(_ hello: Bytes) throws(TransportError) -> (hello: FileClientHello, session: FileSession) {
        guard let hello = try? FileServerHello(decoding: hello) else { throw .handshakeSyntax }
        guard constantTimeEqual(hello.sessionID, sessionID) else { throw .session }
        guard hello.credentials.belong(to: fingerprint) else { throw .identity }
        guard hello.credentials.signedKey.isSigned(by: leafKey) else { throw .badAuthorization }
        guard let version = versions.agreed(with: hello.versions) else { throw .version }
        let session = FileSession(
            version: version, sessionID: sessionID, relayKey: hello.credentials.signedKey.key)
        return (FileClientHello(version: version, fingerprint: fingerprint), session)
    }
}

/// The relay's part of the handshake: returns a relay's hello, reads a client's hello.
public struct FileRelayHandshake: Sendable {
    /// The hello to send.
    public let hello: FileServerHello
    private let fingerprint: Bytes

    /// Creates the relay's part of a handshake.
    ///
    /// - Parameters:
    ///   - versions: The versions of the relay.
    ///   - sessionID: The identifier of this TLS connection.
    ///   - chain: The certificates that the relay presented, leaf first.
    ///   - signer: The key of the leaf certificate.
    ///   - key: The relay's session key of this connection.
    public init(
        versions: VersionRange = XFTP.versions, sessionID: Bytes, chain: [Bytes], signer: Ed25519.PrivateKey,
        key: X25519.PublicKey
    ) {
        precondition(chain.count >= 2, "the second certificate is the identity of a relay")
        let credentials = SessionCredentials(chain: chain, signedKey: SignedSessionKey(key, signedBy: signer))
        hello = FileServerHello(versions: versions, sessionID: sessionID, credentials: credentials)
        fingerprint = SHA256.hash(chain[1])
    }

    /// Returns the hello for a browser, with the proof that the relay has the online key.
    public func hello(for request: FileHelloRequest, signer: Ed25519.PrivateKey) -> FileServerHello {
        guard let challenge = request.challenge else { return hello }
        return FileServerHello(
            versions: hello.versions, sessionID: hello.sessionID, credentials: hello.credentials,
            identityProof: signer.sign(challenge + hello.sessionID))
    }

    /// Checks the client's hello and returns the session. After an error the relay responds with
    /// ``FileRelayError/handshake``.
    ///
    /// - Parameter hello: The content of the block.
    /// - Throws: ``TransportError``.
    public func accept(_ hello: Bytes) throws(TransportError) -> FileSession {
        guard let hello = try? FileClientHello(decoding: hello) else { throw .handshakeSyntax }
        guard constantTimeEqual(hello.fingerprint, fingerprint) else { throw .identity }
        guard self.hello.versions.contains(hello.version) else { throw .version }
        return FileSession(
            version: hello.version, sessionID: self.hello.sessionID, relayKey: self.hello.credentials.signedKey.key)
    }
}
