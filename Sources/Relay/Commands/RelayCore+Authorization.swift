import ByteCoding
import CryptoCore
import SMPProtocol

// SECURITY: who may not use a queue must not learn whether it exists. A command about a queue that does not exist, or
// without a key of the kind that its authorization needs, is verified with a key that nobody has: the same error after
// the same work.

extension RelayCore {
    /// Whether a command was authorized by the holder of one of `keys`.
    func isAuthorized(_ request: ClientRequest, by keys: [AuthorizationKey]) -> Bool {
        let authorization = request.transmission.authorization
        guard let stranger = authorization.stranger else { return false }
        let signed = request.transmission.authorized(in: request.session)
        let fitting = keys.filter { $0.kind == stranger.kind }
        guard !fitting.isEmpty else {
            _ = verify(authorization, signed, stranger, request)
            return false
        }
        return fitting.contains { verify(authorization, signed, $0, request) }
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

    /// The queue that a command of its recipient is about.
    func recipientQueue(_ request: ClientRequest) throws -> Queue {
        let queue = try queues.queue(recipientID: request.entityID)
        guard isAuthorized(request, by: queue?.recipientKeys ?? []), let queue else {
            throw ProtocolError.authorization
        }
        try queues.touch(queue, today: today)
        return queue
    }
}

extension AuthorizationKey {
    fileprivate enum Kind {
        case ed25519
        case ed448
        case x25519
    }

    fileprivate var kind: Kind {
        switch self {
        case .ed25519: .ed25519
        case .ed448: .ed448
        case .x25519: .x25519
        }
    }
}

extension Authorization {
    /// A key that nobody has, of the kind that this authorization needs; nil if there is no authorization.
    fileprivate var stranger: AuthorizationKey? {
        switch self {
        case .none: nil
        case .signature(let signature) where signature.count == Ed448.signatureSize: Strangers.ed448
        case .signature: Strangers.ed25519
        case .authenticator: Strangers.x25519
        }
    }
}

/// Keys whose private parts were never kept.
private enum Strangers {
    static let ed25519 = AuthorizationKey.ed25519(Ed25519.PrivateKey(random: SystemRandom()).publicKey)
    static let ed448 = AuthorizationKey.ed448(Ed448.PrivateKey(random: SystemRandom()).publicKey)
    static let x25519 = AuthorizationKey.x25519(X25519.PrivateKey(random: SystemRandom()).publicKey)
}
