package import ByteCoding
package import CryptoCore
package import SMPProtocol
package import SecureTransport

/// The verified introduction of a client as a service: a program with many queues, which subscribes to all of them with
/// one command (smp-agent.md 3.4, SMP v19).
package struct ServiceCredentials: Sendable {
    /// The role of the service.
    package let role: ServiceHello.Role
    /// The SHA-256 of the certificate that identifies the service.
    package let fingerprint: Bytes
    /// The key that signs the commands of this session.
    package let key: Ed25519.PublicKey

    /// Creates credentials from their parts.
    package init(role: ServiceHello.Role, fingerprint: Bytes, key: Ed25519.PublicKey) {
        self.role = role
        self.fingerprint = fingerprint
        self.key = key
    }

    /// Verifies the introduction in a client's hello.
    ///
    /// - Parameter presented: The certificates that the client presented in TLS, which proved that it has the key of the
    ///   first one.
    /// - Throws: ``TransportError/badAuthorization``.
    package init(verifying hello: ServiceHello, presented: CertificateChain) throws(TransportError) {
        guard !presented.certificates.isEmpty, presented.certificates == hello.chain,
            let identity = try? presented.verifyClient(), let signed = try? SignedServiceKey(der: hello.signedKey),
            signed.isSigned(by: CertificateKey(identity.key))
        else { throw .badAuthorization }
        self.init(role: hello.role, fingerprint: identity.fingerprint, key: signed.key)
    }
}

extension CertificateKey {
    init(_ key: CertificateChain.LeafKey) {
        switch key {
        case .ed25519(let key): self = .ed25519(key)
        case .ed448(let key): self = .ed448(key)
        }
    }
}
