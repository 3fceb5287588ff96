import ByteCoding
import CryptoCore
import SMPProtocol

// SECURITY: an unauthorized client must not learn whether a queue exists. A command for a missing queue, or for one
// without a key of the required kind, is verified with a key without a holder. It gets the same error after the same
// work (smp-agent.md 4.3).

extension RelayCore {
    /// Returns true if the holder of one of `keys` authorized the command.
    func isAuthorized(_ request: ClientRequest, by keys: [AuthorizationKey]) -> Bool {
        let authorization = request.transmission.authorization
        guard let stranger = authorization.stranger else { return false }
        var signed = request.transmission.authorized(in: request.session)
        // The key of a queue signs the identity of the service too.
        if request.transmission.serviceSignature != nil, let service = request.service {
            signed = service.service.fingerprint + signed
        }
        // The last place is for the key without a holder. Each command takes the same steps, whether there is a key or not.
        var candidates = keys.filter { $0.kind == stranger.kind }
        let isFitting = !candidates.isEmpty
        if !isFitting { candidates.append(stranger) }
        var isValid = false
        for key in candidates where verify(authorization, signed, key, request) { isValid = true }
        return isValid && isFitting
    }

    private func verify(
        _ authorization: Authorization, _ signed: Bytes, _ key: AuthorizationKey, _ request: ClientRequest
    ) -> Bool {
        var agreed: (Secret, X25519.PublicKey)?
        let isValid = authorization.verifies(signed, key: key, correlationID: request.correlationID) { key in
            let secret = request.client.keys.agree(with: key)
            agreed = secret.map { ($0, key) }
            return secret
        }
        if isValid, let (secret, key) = agreed { request.client.keys.keep(secret, with: key) }
        return isValid
    }

    /// Returns the queue of a recipient's command.
    func recipientQueue(_ request: ClientRequest, mayBeBlocked: Bool = false) throws -> Queue {
        let queue = try queues.queue(recipientID: request.entityID)
        guard isAuthorized(request, by: queue?.recipientKeys ?? []), let queue else {
            throw ProtocolError.authorization
        }
        if !mayBeBlocked { try refuseBlocked(queue) }
        try queues.touch(queue, today: today)
        return queue
    }
}

extension AuthorizationKey {
    enum Kind {
        case ed25519
        case ed448
        case x25519
    }

    var kind: Kind {
        switch self {
        case .ed25519: .ed25519
        case .ed448: .ed448
        case .x25519: .x25519
        }
    }
}

extension Authorization {
    /// A key without a holder, of the kind that this authorization needs; nil without an authorization.
    var stranger: AuthorizationKey? {
        switch self {
        case .none: nil
        case .signature(let signature) where signature.count == Ed448.signatureSize: Strangers.ed448
        case .signature: Strangers.ed25519
        case .authenticator: Strangers.x25519
        }
    }
}

/// Keys whose private parts were discarded.
private enum Strangers {
    static let ed25519 = AuthorizationKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()).publicKey)
    static let ed448 = AuthorizationKey.ed448(Ed448.PrivateKey(random: SystemRandom()).publicKey)
    static let x25519 = AuthorizationKey.x25519(X25519.PrivateKey(random: SystemRandom()).publicKey)
}
