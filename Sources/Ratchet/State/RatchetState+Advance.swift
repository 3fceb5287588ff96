import ByteCoding
import CryptoCore

extension RatchetState {
    /// The Diffie-Hellman step: two agreements with the new key of the peer give a receiving chain, which is returned,
    /// and a sending chain.
    ///
    /// The header keys of these chains were derived one step before; those derived now are for the chains after.
    mutating func advance(
        _ header: MessageHeader, _ random: any RatchetRandomness
    ) throws(RatchetError) -> ReceivingChain {
        let secrets = try postQuantum.step(header.kem, version: versions.current, random: random)
        let newKey = random.x448PrivateKey()
        let received: RootKey.Step, sent: RootKey.Step
        do throws(CryptoError) {
            received = rootKey.step(
                agreement: try ratchetKey.agree(with: header.ratchetKey), kemSecret: secrets.receiving)
            sent = received.rootKey.step(
                agreement: try newKey.agree(with: header.ratchetKey), kemSecret: secrets.sending)
        } catch {
            throw RatchetError(agreement: error)
        }
        let chain = ReceivingChain(chainKey: received.chainKey, headerKey: nextReceivingHeaderKey)
        previousCount = sending?.count ?? 0
        sending = SendingChain(
            chainKey: sent.chainKey, headerKey: nextSendingHeaderKey, peerKey: header.ratchetKey)
        nextReceivingHeaderKey = received.nextHeaderKey
        nextSendingHeaderKey = sent.nextHeaderKey
        rootKey = sent.rootKey
        ratchetKey = newKey
        return chain
    }
}

extension RatchetState.Versions {
    /// Goes to the largest version that both sides speak, if that is an upgrade.
    mutating func agree(peerMaximum: UInt16) {
        current = max(current, min(peerMaximum, maximum))
    }
}
