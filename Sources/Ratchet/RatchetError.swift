public import ByteCoding

/// An error of encrypting or decrypting (smp-agent.md 8.6).
///
/// After an error the caller keeps its previous state: a failed step has no effect. The reference implementation keeps
/// the advanced state if only the body was damaged. There, a good copy of that message is a duplicate; here, it is
/// decrypted. Peers cannot tell the difference.
public enum RatchetError: Error, Hashable, Sendable {
    // Sending

    /// The initiator cannot send before it received the first message.
    case notReady
    /// The message does not fit into its padded size.
    case messageTooLarge
    /// The chain has reached its last number. The next message of the peer begins a new chain.
    case chainExhausted

    // Receiving

    /// The bytes are not a ratchet message, or an authentic header has an invalid format.
    case malformed(DecodeError)
    /// No key decrypts the header: the header is damaged, from another ratchet, or from an expired chain.
    case headerNotAuthentic
    /// The last received message, once more, or another one with its number.
    case duplicate
    /// An older message of the current chain, already received or with a deleted key. The newest message of the chain
    /// is `by` numbers later.
    case earlier(by: Int)
    /// A message of a former chain, already received or with a deleted key.
    case formerChain
    /// The gap before this message exceeds the limit of 512 skipped keys. The value is the gap, including this message.
    case tooManySkipped(Int)
    /// The header is authentic, but the body is not.
    case bodyNotAuthentic
    /// The peer's ratchet key contributes no secret (RFC 7748 6.2).
    case invalidKey
    /// The peer accepted a KEM key that was never proposed, or the peer's KEM key is invalid.
    case invalidKEM

    // Either

    /// The cryptographic library failed.
    case libraryFailed
}

/// The effect of an error on the synchronisation of the ratchets (smp-agent.md 7.12).
public enum Resynchronization: Hashable, Sendable {
    /// No effect: the ratchet is intact.
    case none
    /// The user may start a ratchet synchronisation. The error may concern one message only.
    case allowed
    /// The connection needs a ratchet synchronisation before any further message.
    case required
}

extension RatchetError {
    /// The effect of the error on ratchet synchronisation (smp-agent.md 8.6). The agent ignores it for known messages.
    public var resynchronization: Resynchronization {
        switch self {
        case .notReady, .messageTooLarge, .chainExhausted, .malformed, .libraryFailed: .none
        // The agent ignores known messages: another one with a used number shows that a copy of the ratchet is in use.
        case .duplicate: .allowed
        // A header of a former chain is authentic, so both sides still have the same ratchet.
        case .earlier, .formerChain, .bodyNotAuthentic: .allowed
        // The peer cannot begin another chain before it has received a message of this one.
        case .headerNotAuthentic, .tooManySkipped, .invalidKey, .invalidKEM: .required
        }
    }
}
