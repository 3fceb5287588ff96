import ByteCoding
import CryptoCore
import Ratchet

/// What a message costs: one that goes on in its chain, and one that begins a chain, without and with the KEM.
func measureRatchet() throws {
    for usesKEM in [false, true] {
        let name = usesKEM ? "with KEM" : "without KEM"
        var conversation = try Conversation(usesKEM: usesKEM)
        try measure("encrypt in a chain \(name)", prepare: {}) {
            _ = try conversation.alice.encrypting(Conversation.text, paddedSize: Conversation.paddedSize)
        }
        try measure("decrypt in a chain \(name)", prepare: { try conversation.messageInChain() }) { message in
            _ = try conversation.alice.decrypting(message, skipped: SkippedKeys(), random: conversation.random)
        }
        try measure("decrypt a new chain \(name)", prepare: { try conversation.messageOfNewChain() }) { message in
            _ = try conversation.alice.decrypting(message, skipped: SkippedKeys(), random: conversation.random)
        }
    }
}

/// Two ratchets that have heard of each other.
private struct Conversation {
    static let text = Bytes(repeating: 0x61, count: 100)
    /// What is left for messages where the KEM is used (agent v7).
    static let paddedSize = 13618

    let random = RandomRatchetKeys(SystemRandom())
    private(set) var alice: RatchetState
    private var bob: RatchetState

    init(usesKEM: Bool) throws {
        let keys = X3DHPrivateKeys(proposesKEM: usesKEM, random: random)
        let version = RatchetVersion.postQuantum, offer = keys.offer(RatchetVersion.supported).parameters(for: version)
        let answer = try X3DHPrivateKeys(answering: offer, usesKEM: usesKEM, random: random)
        bob = try .joiner(own: answer, peer: offer, maximumVersion: version, random: random)
        alice = try .initiator(
            own: keys, peer: answer.parameters(for: version), maximumVersion: version, isPostQuantum: usesKEM,
            random: random)
        _ = try messageInChain()
    }

    /// A message of bob, of whose chain alice has read another.
    mutating func messageInChain() throws -> Bytes {
        let first = try bob.encrypting(Conversation.text, paddedSize: Conversation.paddedSize)
        alice = try alice.decrypting(first.message, skipped: SkippedKeys(), random: random).state
        let second = try first.state.encrypting(Conversation.text, paddedSize: Conversation.paddedSize)
        bob = first.state
        return second.message
    }

    /// A message of bob after one of alice, who has not read it.
    mutating func messageOfNewChain() throws -> Bytes {
        _ = try messageInChain()
        let question = try alice.encrypting(Conversation.text, paddedSize: Conversation.paddedSize)
        bob = try bob.decrypting(question.message, skipped: SkippedKeys(), random: random).state
        alice = question.state
        return try bob.encrypting(Conversation.text, paddedSize: Conversation.paddedSize).message
    }
}
