import ByteCoding
package import CryptoCore

/// The sending chain: the own messages since the last agreement.
package struct SendingChain: Sendable {
    /// The current chain key.
    package private(set) var chainKey: ChainKey
    /// The key that encrypts the headers of the chain.
    package let headerKey: HeaderKey
    /// The peer's ratchet key from which the chain was derived.
    package let peerKey: X448.PublicKey
    /// The number of messages in the chain, which is the number of the next message.
    package private(set) var count: UInt32

    init(chainKey: ChainKey, headerKey: HeaderKey, peerKey: X448.PublicKey, count: UInt32 = 0) {
        self.chainKey = chainKey
        self.headerKey = headerKey
        self.peerKey = peerKey
        self.count = count
    }

    /// Advances the chain by one message and returns the keys of that message.
    ///
    /// - Throws: ``RatchetError/chainExhausted`` after 2^32 - 1 messages.
    mutating func next() throws(RatchetError) -> ChainKey.Step {
        guard count < .max else { throw .chainExhausted }
        let step = chainKey.step()
        chainKey = step.chainKey
        count += 1
        return step
    }
}

/// The receiving chain: the peer's messages since the last agreement.
package struct ReceivingChain: Sendable {
    /// The largest number of missing messages in a row (smp-agent.md 8.7). The limit bounds the derivations and stored
    /// keys that one message can cause.
    private static let maximumSkip = 512

    /// The current chain key.
    package private(set) var chainKey: ChainKey
    /// The key that decrypts the headers of the chain.
    package let headerKey: HeaderKey
    /// The number of messages received or skipped, which is the number of the next message.
    package private(set) var count: UInt32

    init(chainKey: ChainKey, headerKey: HeaderKey, count: UInt32 = 0) {
        self.chainKey = chainKey
        self.headerKey = headerKey
        self.count = count
    }

    /// Advances the chain to message `number` and returns the keys of the skipped messages.
    ///
    /// - Parameter isPostQuantum: True if a KEM secret protects the chain.
    /// - Throws: ``RatchetError/duplicate``, ``RatchetError/earlier(by:)`` or ``RatchetError/tooManySkipped(_:)``.
    mutating func skip(to number: UInt32, isPostQuantum: Bool) throws(RatchetError) -> [SkippedKey] {
        // As signed 64-bit numbers, because the peer chose one of them.
        let distance = Int(number) - Int(count)
        guard distance != -1 else { throw .duplicate }
        guard distance >= 0 else { throw .earlier(by: -distance - 1) }
        guard distance <= ReceivingChain.maximumSkip else { throw .tooManySkipped(distance + 1) }
        var skipped: [SkippedKey] = []
        skipped.reserveCapacity(distance)
        for number in count..<number {
            skipped.append(
                SkippedKey(
                    headerKey: headerKey, number: number, messageKey: takeKey(), isPostQuantum: isPostQuantum))
        }
        return skipped
    }

    /// Advances the chain past message `number` and returns its key and the keys of the skipped messages.
    mutating func take(
        _ number: UInt32, isPostQuantum: Bool
    ) throws(RatchetError) -> (key: MessageKey, skipped: [SkippedKey]) {
        guard number < .max else { throw .malformed(.invalid("message number")) }
        let skipped = try skip(to: number, isPostQuantum: isPostQuantum)
        return (takeKey(), skipped)
    }

    private mutating func takeKey() -> MessageKey {
        let step = chainKey.step()
        chainKey = step.chainKey
        count += 1
        return step.messageKey
    }
}
