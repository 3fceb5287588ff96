public import ByteCoding
public import CryptoCore
public import Ratchet

/// Whether the ratchets of both sides fit together, and what is done about it. The cases are named after those of the
/// reference implementation.
public enum RatchetSynchronization: Int64, CaseIterable, Hashable, Sendable {
    case ok
    /// A message could not be decrypted; others may.
    case allowed
    /// Nothing can be decrypted any more.
    case required
    /// The own keys for a new ratchet are on their way.
    case started
    /// There is a new ratchet, through which nothing has come yet.
    case agreed

    /// Whether messages of this side can be read by the other.
    public var allowsSending: Bool {
        switch self {
        case .ok, .allowed: true
        case .required, .started, .agreed: false
        }
    }
}

/// A new ratchet in the place of one that is lost. Source: agent v7, as its reference implementation does it.
///
/// Each side sends keys, outside of any ratchet, and makes the ratchet when it has those of the other. Whose keys have the
/// smaller hash becomes the initiator and waits; the other one says that it is ready, and is answered in kind.
///
/// Where this side uses the post-quantum KEM, its keys propose one. Neither side can accept the proposal of the other with
/// keys that have left already: the first message through the new ratchet repeats one of them, and its answer accepts it.
extension Connection {
    /// Whether a new ratchet can be asked for.
    public var canSynchronize: Bool {
        status == .ready && agentVersion >= AgentVersion.synchronizes
            && (synchronization == .allowed || synchronization == .required)
    }

    /// Asks for a new ratchet.
    ///
    /// - Parameter force: Also if nothing seems to be wrong, or if it was asked for before without an answer.
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

    /// Draws the conclusion from a message that was not seen before and cannot be decrypted.
    public mutating func note(_ error: RatchetError) -> ConnectionStep {
        var step = ConnectionStep()
        // Before both sides have a ratchet there is none to lose.
        guard status == .ready else { return step }
        switch (error.resynchronization, synchronization) {
        case (.allowed, .ok), (.allowed, .allowed), (.allowed, .required): change(to: .allowed, &step)
        case (.required, .ok), (.required, .allowed), (.required, .required): change(to: .required, &step)
        case (.none, _), (_, .started), (_, .agreed): break
        }
        return step
    }

    // MARK: - What the other side sends

    /// The other side's keys for a new ratchet. Repeated ones do not come here.
    mutating func receiveRatchetKeys(
        _ parameters: RatchetParameters, info: Bytes, random: any RandomSource
    ) throws(ReceptionError) -> ConnectionStep {
        guard status == .ready else { throw .unexpected }
        guard RatchetVersion.supported.contains(parameters.version) else { throw .incompatible }
        var step = ConnectionStep()
        // The keys take a place in the sequence of their sender.
        received.advance(over: info)
        switch synchronization {
        case .ok, .allowed, .required: sendRatchetKeys(version: parameters.version, &step, random: random)
        case .started: break
        case .agreed:
            // Both sides cannot have made the same ratchet: somebody has to begin again.
            change(to: .required, &step)
            return step
        }
        guard let keys = agreementKeys else { throw .unexpected }
        let begins: Bool
        do throws(RatchetError) {
            (ratchet, begins) = try Connection.ratchet(keys, parameters, isPostQuantum: isPostQuantum, random: random)
        } catch {
            throw .ratchet(error)
        }
        agreementKeys = nil
        step.forgetsSkippedKeys = true
        change(to: .agreed, &step)
        if begins { sendReady(&step) }
        return step
    }

    /// The ratchet that both sides make of their keys, and whether this side sends its first message.
    private static func ratchet(
        _ own: X3DHPrivateKeys, _ other: RatchetParameters, isPostQuantum: Bool, random: any RandomSource
    ) throws(RatchetError) -> (RatchetState, Bool) {
        let maximum = RatchetVersion.supported.max, keys = RandomRatchetKeys(random)
        let waits = own.parameters(for: other.version).ratchetKeyHash.precedesOrEquals(other.ratchetKeyHash)
        guard waits else {
            return (try .joiner(own: own, peer: other, maximumVersion: maximum, random: keys), true)
        }
        return (
            try .initiator(
                own: own, peer: other, maximumVersion: maximum, isPostQuantum: isPostQuantum, random: keys), false
        )
    }

    /// EREADY: the other side has the new ratchet.
    ///
    /// - Parameter couldSend: Whether this side was able to send through the ratchet before.
    mutating func receiveReady(couldSend: Bool, _ step: inout ConnectionStep) {
        if !couldSend { sendReady(&step) }
    }

    /// A message was decrypted: the ratchets fit.
    mutating func noteDecryption(_ step: inout ConnectionStep) {
        switch synchronization {
        case .ok, .started: break
        case .allowed, .required, .agreed: change(to: .ok, &step)
        }
    }

    // MARK: - What this side sends

    private mutating func sendReady(_ step: inout ConnectionStep) {
        let body = AgentMessageBody.ratchetReady(lastReceived: received.lastNumber)
        // A new ratchet that cannot send has nothing to say yet.
        guard let message = try? message(body, kind: .ratchetReady, notifies: true) else { return }
        step.tasks.append(.send(message))
    }

    /// New keys, which take a place in the sequence although they do not go through a ratchet.
    private mutating func sendRatchetKeys(version: UInt16, _ step: inout ConnectionStep, random: any RandomSource) {
        let keys = X3DHPrivateKeys(proposesKEM: isPostQuantum, random: RandomRatchetKeys(random))
        let info = AgentMessage.ratchetInfo([]).encoded
        let number = sent.nextHeader.number
        sent.advance(over: info)
        let envelope = AgentEnvelope(
            version: AgentVersion.supported.max, .ratchetKey(keys.parameters(for: version), info: info))
        agreementKeys = keys
        step.tasks.append(
            .send(
                OutgoingMessage(
                    kind: .ratchetKey, number: number, hash: sent.lastHash, notifies: true, envelope: envelope.encoded))
        )
    }

    private mutating func change(to state: RatchetSynchronization, _ step: inout ConnectionStep) {
        guard synchronization != state else { return }
        synchronization = state
        step.events.append(.rsync(state))
    }
}

extension RatchetParameters {
    /// Names the keys: what the two sides compare, and what a repeated delivery is known by.
    public var ratchetKeyHash: Bytes {
        SHA256.hash(key1.raw + key2.raw)
    }
}

extension Bytes {
    /// The order of byte strings of one length.
    fileprivate func precedesOrEquals(_ other: Bytes) -> Bool {
        !other.lexicographicallyPrecedes(self)
    }
}
