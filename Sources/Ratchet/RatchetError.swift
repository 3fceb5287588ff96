public import ByteCoding

/// Why a ratchet refused to encrypt or to decrypt.
///
/// After an error the caller goes on with the state that it had: nothing of a failed step is kept. The reference
/// implementation keeps the advanced state when only the body was damaged, so a good copy of that message that arrives
/// later is a duplicate there, and is read here. Peers cannot tell the difference.
public enum RatchetError: Error, Hashable, Sendable {
    // Sending

    /// The initiator cannot send before it received the first message.
    case notReady
    /// The message does not fit into its padded size.
    case messageTooLarge
    /// The chain has used up its numbers; a message of the peer begins a new one.
    case chainExhausted

    // Receiving

    /// The bytes are not a ratchet message, or a header that the peer did encrypt cannot be read.
    case malformed(DecodeError)
    /// No key opens the header: it is from another ratchet, from a chain that was left long ago, or damaged.
    case headerNotAuthentic
    /// The message directly before the expected one, which was received.
    case duplicate
    /// A message further back in the current chain, which was received or whose key was dropped. The last message of
    /// the chain is `by` numbers later.
    case earlier(by: Int)
    /// A message of a chain that was left, which was received or whose key was dropped.
    case formerChain
    /// More messages are missing in a row (counting this one) than keys are kept for.
    case tooManySkipped(Int)
    /// The header is authentic and the body is not.
    case bodyNotAuthentic
    /// The peer sent a ratchet key that adds no secret.
    case invalidKey
    /// The peer answered a KEM key that was never proposed, or its own is no key.
    case invalidKEM

    // Either

    /// The cryptographic library failed.
    case libraryFailed
}

/// What an error means for the ratchet of a connection.
public enum Resynchronization: Hashable, Sendable {
    /// Nothing: the ratchet is as good as before.
    case none
    /// The user may start a re-synchronisation: the error may be of one message only.
    case allowed
    /// Nothing more can be exchanged before a re-synchronisation.
    case required
}

extension RatchetError {
    /// What the error means for re-synchronisation (agent v7), unless the agent knows that it saw the message before.
    public var resynchronization: Resynchronization {
        switch self {
        case .notReady, .messageTooLarge, .chainExhausted, .malformed, .duplicate, .libraryFailed: .none
        // A header of a former chain is authentic, so both sides still have the same ratchet.
        case .earlier, .formerChain, .bodyNotAuthentic: .allowed
        // The peer cannot begin another chain before this one was read.
        case .headerNotAuthentic, .tooManySkipped, .invalidKey, .invalidKEM: .required
        }
    }
}
