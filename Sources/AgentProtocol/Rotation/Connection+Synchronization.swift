public import ByteCoding
public import CryptoCore
public import Ratchet

/// The synchronisation of the ratchets of both sides (smp-agent.md 7.12). The cases have the names of the reference
/// implementation.
public enum RatchetSynchronization: Int64, CaseIterable, Hashable, Sendable {
    /// The ratchets are in sync.
    case ok
    /// A message could not be decrypted; others may be readable.
    case allowed
    /// No message can be decrypted.
    case required
    /// The own keys for a new ratchet were queued.
    case started
    /// There is a new ratchet, without a received message yet.
    case agreed

    /// True if the other side can decrypt messages of this side.
    public var allowsSending: Bool {
        switch self {
        case .ok, .allowed: true
        case .required, .started, .agreed: false
        }
    }
}

/// The ratchet synchronisation of a connection (smp-agent.md 7.12).
///
/// Each side sends keys outside of any ratchet, and creates the ratchet with the keys of the other side. The side whose
/// keys have the smaller hash becomes the initiator and waits. The other side reports that it is ready, and the
/// initiator confirms.
///
/// Some builds of clients 7.0 compare the hashes as signed bytes (network-7.md 5.5): if the first different byte has its
/// highest bit set on one side only, both sides take the same role. This side keeps the keys of such an agreement until
/// the first message, and exchanges the roles if nothing else comes.
///
/// With the post-quantum KEM, the keys propose a KEM key. Neither side can accept the proposal with keys that it
/// already sent. The first message in the new ratchet repeats a proposal, and the response accepts it.
extension Connection {
    /// True if a ratchet synchronisation can start.
    public var canSynchronize: Bool {
        status == .ready && agentVersion >= AgentVersion.synchronizes
            && (synchronization == .allowed || synchronization == .required)
    }

    /// Starts a ratchet synchronisation.
    ///
    /// - Parameter force: True to start even if the ratchets seem to be in sync or an earlier attempt is unanswered.
    /// - Throws: ``Connection/Failure/notReady``, ``Connection/Failure/incompatible``.
    public mutating func synchronize(
        force: Bool, random: any RandomSource
    ) throws(Connection.Failure) -> ConnectionStep {
        guard status == .ready, canSynchronize || force else { throw .notReady }
        guard agentVersion >= AgentVersion.synchronizes else { throw .incompatible }
        var step = ConnectionStep()
        sendRatchetKeys(version: RatchetVersion.supported.max, &step, random: random)
        change(to: .started, &step)
        return step
    }

    /// Updates the state after a new message that cannot be decrypted.
    public mutating func note(_ error: RatchetError) -> ConnectionStep {
        var step = ConnectionStep()
        // Without a ratchet on both sides there is none to lose.
        guard status == .ready else { return step }
        switch (error.resynchronization, synchronization) {
        case (.allowed, .ok), (.allowed, .allowed), (.allowed, .required): change(to: .allowed, &step)
        case (.required, .ok), (.required, .allowed), (.required, .required): change(to: .required, &step)
        case (.none, _), (_, .started), (_, .agreed): break
        }
        return step
    }

    // MARK: - Messages of the other side

    /// Reads the other side's keys for a new ratchet. Repeated keys are filtered out before.
    mutating func receiveRatchetKeys(
        _ parameters: RatchetParameters, info: Bytes, at time: Timestamp, random: any RandomSource
    ) throws(ReceptionError) -> ConnectionStep {
        guard status == .ready else { throw .unexpected }
        guard RatchetVersion.supported.contains(parameters.version) else { throw .incompatible }
        var step = ConnectionStep()
        // The keys have a number in the sequence of their sender.
        received.advance(over: info)
        switch synchronization {
        case .ok, .allowed, .required:
            sendRatchetKeys(version: parameters.version, answering: parameters, &step, random: random)
        case .started: break
        case .agreed:
            // Both sides cannot have made the same ratchet: one has to start again.
            forgetAgreement()
            change(to: .required, &step)
            return step
        }
        guard let keys = agreementKeys else { throw .unexpected }
        let begins = keys.begins(with: parameters)
        do throws(RatchetError) {
            ratchet = try newRatchet(keys, parameters, begins: begins, random: random)
        } catch {
            throw .ratchet(error)
        }
        if keys.hasClearOrder(with: parameters) {
            forgetAgreement()
        } else {
            uncertainAgreement = UncertainAgreement(parameters: parameters, waitsSince: begins ? nil : time)
        }
        step.forgetsSkippedKeys = true
        change(to: .agreed, &step)
        if begins { sendReady(&step) }
        return step
    }

    /// Returns a ratchet from the keys of both sides.
    ///
    /// - Parameter begins: True if this side sends the first message.
    private func newRatchet(
        _ own: X3DHPrivateKeys, _ other: RatchetParameters, begins: Bool, random: any RandomSource
    ) throws(RatchetError) -> RatchetState {
        let maximum = RatchetVersion.supported.max, keys = RandomRatchetKeys(random)
        if begins { return try .joiner(own: own, peer: other, maximumVersion: maximum, random: keys) }
        return try .initiator(
            own: own, peer: other, maximumVersion: maximum, isPostQuantum: isPostQuantum, random: keys)
    }

    private mutating func forgetAgreement() {
        agreementKeys = nil
        uncertainAgreement = nil
    }

    // MARK: - The same role on both sides

    /// Decrypts the first message of the other side, as the side that waits for it. Returns nil unless this side sends a
    /// first message too.
    func decryptWaiting(_ encrypted: Bytes, random: any RandomSource) -> DecryptedMessage? {
        guard synchronization == .agreed, let uncertainAgreement, let agreementKeys, ratchet?.sending != nil else {
            return nil
        }
        let ratchet = try? newRatchet(agreementKeys, uncertainAgreement.parameters, begins: false, random: random)
        return try? ratchet?.decrypting(encrypted, skipped: SkippedKeys(), random: RandomRatchetKeys(random))
    }

    /// Keeps a first message of the other side, where this side is the one to send it. The other side took the same role,
    /// or waited too long: then it reads the first message of this side, and its answer follows.
    ///
    /// - Returns: False if the message decides the roles.
    mutating func holdFirstMessage(_ decrypted: DecryptedMessage, at time: Timestamp) -> Bool {
        guard let uncertainAgreement, let agreementKeys, agreementKeys.begins(with: uncertainAgreement.parameters),
            case .message(let header, .ratchetReady)? = try? AgentMessage(decoding: decrypted.message)
        else { return false }
        _ = received.receive(header, message: decrypted.message)
        self.uncertainAgreement?.otherRatchet = decrypted.state
        self.uncertainAgreement?.waitsSince = time
        return true
    }

    /// Exchanges the roles after ``UncertainAgreement/patience``, because both sides have the same one.
    ///
    /// If the other side is only late, it cannot read the message of the exchanged role, and its own is read with the
    /// former role.
    ///
    /// - Throws: ``Connection/Failure/notReady`` if this side does not wait that long.
    public mutating func exchangeRoles(
        at time: Timestamp, random: any RandomSource
    ) throws(Connection.Failure) -> ConnectionStep {
        guard status == .ready, synchronization == .agreed, let agreement = uncertainAgreement, let agreementKeys,
            let since = agreement.waitsSince, since + UncertainAgreement.patience <= time
        else { throw .notReady }
        var step = ConnectionStep()
        uncertainAgreement?.waitsSince = nil
        if let otherRatchet = agreement.otherRatchet {
            ratchet = otherRatchet
            noteDecryption(&step)
        } else {
            do throws(RatchetError) {
                ratchet = try newRatchet(agreementKeys, agreement.parameters, begins: true, random: random)
            } catch {
                throw .ratchet(error)
            }
        }
        sendReady(&step)
        return step
    }

    /// Reads EREADY: the other side has the new ratchet.
    ///
    /// - Parameter couldSend: True if this side was able to send through the ratchet before.
    mutating func receiveReady(couldSend: Bool, _ step: inout ConnectionStep) {
        if !couldSend { sendReady(&step) }
    }

    /// Records a decrypted message: the ratchets are in sync.
    mutating func noteDecryption(_ step: inout ConnectionStep) {
        switch synchronization {
        case .ok, .started: break
        case .allowed, .required, .agreed:
            forgetAgreement()
            change(to: .ok, &step)
        }
    }

    // MARK: - Messages of this side

    private mutating func sendReady(_ step: inout ConnectionStep) {
        let body = AgentMessageBody.ratchetReady(lastReceived: received.lastNumber)
        // A new ratchet that cannot send has no message yet.
        guard let message = try? message(body, kind: .ratchetReady, notifies: true) else { return }
        step.tasks.append(.send(message))
    }

    /// Creates new keys, which have a number in the sequence although no ratchet encrypts them.
    ///
    /// - Parameter other: The keys that they answer; nil for the first ones.
    private mutating func sendRatchetKeys(
        version: UInt16, answering other: RatchetParameters? = nil, _ step: inout ConnectionStep,
        random: any RandomSource
    ) {
        let keys = ratchetKeys(answering: other, random: random)
        let info = AgentMessage.ratchetInfo([]).encoded
        let number = sent.nextHeader.number
        sent.advance(over: info)
        let envelope = AgentEnvelope(
            version: AgentVersion.supported.max, .ratchetKey(keys.parameters(for: version), info: info))
        agreementKeys = keys
        uncertainAgreement = nil
        step.tasks.append(
            .send(
                OutgoingMessage(
                    kind: .ratchetKey, number: number, hash: sent.lastHash, notifies: true, envelope: envelope.encoded))
        )
    }

    /// Returns new keys whose order with those of the other side is clear.
    ///
    /// Every second key pair has an order that signed and unsigned bytes agree on.
    private func ratchetKeys(answering other: RatchetParameters?, random: any RandomSource) -> X3DHPrivateKeys {
        var keys = X3DHPrivateKeys(proposesKEM: isPostQuantum, random: RandomRatchetKeys(random))
        guard let other else { return keys }
        for _ in 0..<Connection.mostKeys {
            if keys.hasClearOrder(with: other) { break }
            keys = X3DHPrivateKeys(proposesKEM: isPostQuantum, random: RandomRatchetKeys(random))
        }
        return keys
    }

    /// The most key pairs that are made for one answer. One in 2^32 answers needs more.
    private static let mostKeys = 32

    private mutating func change(to state: RatchetSynchronization, _ step: inout ConnectionStep) {
        guard synchronization != state else { return }
        synchronization = state
        step.events.append(.rsync(state))
    }
}

/// An agreement in which the other side may have the same role, with the keys in ``Connection/agreementKeys``.
public struct UncertainAgreement: Sendable {
    /// How long this side waits for a message before it exchanges the roles.
    public static let patience = Duration.seconds(60)

    /// The keys of the other side.
    public let parameters: RatchetParameters
    /// The time of the last message, while this side waits for one; nil after it exchanged the roles, or if it sent the
    /// first message.
    public internal(set) var waitsSince: Timestamp?
    /// The ratchet that read a first message of the other side, where this side is the one to send it.
    public internal(set) var otherRatchet: RatchetState?

    /// Creates an agreement from stored values.
    public init(parameters: RatchetParameters, waitsSince: Timestamp?, otherRatchet: RatchetState? = nil) {
        self.parameters = parameters
        self.waitsSince = waitsSince
        self.otherRatchet = otherRatchet
    }
}

extension RatchetParameters {
    /// The hash of the keys, which both sides compare and which detects a repeated delivery.
    public var ratchetKeyHash: Bytes {
        SHA256.hash(key1.raw + key2.raw)
    }
}

extension X3DHPrivateKeys {
    /// Returns true if the side of these keys sends the first message: their hash is larger.
    fileprivate func begins(with other: RatchetParameters) -> Bool {
        other.ratchetKeyHash.lexicographicallyPrecedes(parameters(for: other.version).ratchetKeyHash)
    }

    /// Returns true if unsigned and signed bytes of the hashes have the same order.
    fileprivate func hasClearOrder(with other: RatchetParameters) -> Bool {
        let hashes = zip(parameters(for: other.version).ratchetKeyHash, other.ratchetKeyHash)
        guard let (left, right) = hashes.first(where: { $0 != $1 }) else { return true }
        return left & 0x80 == right & 0x80
    }
}
