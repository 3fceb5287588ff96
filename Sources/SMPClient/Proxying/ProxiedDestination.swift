import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport

/// A relay behind a proxy, as it has proved to be: what is needed to say something to it that the proxy cannot read.
struct ProxiedDestination: Sendable {
    /// The session between proxy and destination. Commands are authorized for it, with the version of client and
    /// destination.
    let transmission: TransmissionSession
    /// The destination's key of that session.
    let relayKey: X25519.PublicKey

    /// Checks what a proxy says about a relay: certificates and session key must be those of the address, which a proxy
    /// that wants to read along cannot show.
    init(_ session: ProxiedSession, of server: ServerAddress) throws(SessionError) {
        let leaf: CertificateChain.LeafKey
        do throws(IdentityError) {
            leaf = try CertificateChain(session.credentials.chain).verify(fingerprint: server.fingerprint)
        } catch {
            throw .connection(.wrongIdentity(error))
        }
        let signedKey = session.credentials.signedKey
        guard signedKey.isSigned(by: leaf.certificateKey) else { throw .handshake(.badAuthorization) }
        guard let version = SMP.proxiedVersions.agreed(with: session.versions) else { throw .handshake(.version) }
        // Without an id, commands could be repeated in other sessions.
        guard !session.sessionID.isEmpty else { throw .handshake(.session) }
        transmission = TransmissionSession(version: version, sessionID: session.sessionID)
        relayKey = signedKey.key
    }

    /// The session's id, which PFWD names.
    var sessionID: EntityID { EntityID(transmission.sessionID) }
}
