import ByteCoding
import CryptoCore
import SMPProtocol
import SecureTransport

/// One command on its way through a proxy: PFWD, and what its answer is read with (SMP v8). Its key is made for it alone.
struct ForwardedRequest: Sendable {
    /// What to send to the proxy.
    let command: RelayCommand
    private let correlationID: CorrelationID
    private let transmission: TransmissionSession
    private let secret: Secret

    init(
        _ command: RelayCommand, to destination: ProxiedDestination, random: any RandomSource
    ) throws(SessionError) {
        let correlationID = command.correlationID ?? CorrelationID(random: random)
        let bytes = try command.encoded(
            correlationID, in: destination.transmission, relayKey: destination.relayKey)
        let key = X25519.PrivateKey(random: random)
        guard let secret = try? key.agree(with: destination.relayKey) else { throw .handshake(.badAuthorization) }
        // The only thing that can be wrong is the size.
        guard let encrypted = try? Forwarding.seal(bytes, correlationID: correlationID, secret: secret) else {
            throw .tooLarge
        }
        self.command = RelayCommand(
            .pfwd(version: destination.transmission.version, key: key.publicKey, encrypted: encrypted),
            entityID: destination.sessionID, correlationID: correlationID)
        self.correlationID = correlationID
        self.secret = secret
        transmission = destination.transmission
    }

    /// Reads the destination's answer from PRES.
    func answer(in encrypted: Bytes) -> RelaySession.Answer {
        guard let bytes = try? Forwarding.openAnswer(encrypted, correlationID: correlationID, secret: secret),
            let answer = try? Transmission(decoding: bytes, session: transmission),
            answer.correlationID == correlationID
        else { return .failure(.connection(.invalidTraffic)) }
        return answer.answer(version: transmission.version)
    }
}
