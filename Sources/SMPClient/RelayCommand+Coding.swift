import ByteCoding
import CryptoCore
import SMPProtocol

extension RelayCommand {
    /// The bytes of the command in a batch of a session.
    ///
    /// - Parameter relayKey: The relay's session key, for authenticators.
    func encoded(
        _ correlationID: CorrelationID, in session: TransmissionSession, relayKey: X25519.PublicKey?
    ) throws(SessionError) -> Bytes {
        if case .send(_, let body) = command, body.count > SMP.maximumBody(version: session.version) {
            throw .tooLarge
        }
        let bytes = command.encoded(version: session.version)
        guard let key else {
            return Transmission(correlationID: correlationID, entityID: entityID, command: bytes).encoded(in: session)
        }
        do throws(CryptoError) {
            return try Transmission(
                bytes, entityID: entityID, correlationID: correlationID, key: key, session: session,
                relayKey: relayKey
            ).encoded(in: session)
        } catch {
            throw .unusableKey
        }
    }

    /// Whether the relay asks another one before it answers.
    var isAnsweredByAnother: Bool {
        switch command {
        case .prxy, .pfwd: true
        default: false
        }
    }
}

extension Transmission {
    /// What the relay says in it; an `ERR` is a failure.
    func answer(version: UInt16) -> RelaySession.Answer {
        guard let message = try? RelayMessage(decoding: command, version: version),
            (try? message.tag.checkEntity(isPresent: !entityID.isEmpty)) != nil
        else { return .failure(.unexpectedAnswer) }
        if case .err(let error) = message { return .failure(.refused(error)) }
        return .success(message)
    }
}
