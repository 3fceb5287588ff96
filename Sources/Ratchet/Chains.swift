import ByteCoding
package import CryptoCore

/// The own messages since the last agreement.
package struct SendingChain: Sendable {
    package private(set) var chainKey: ChainKey
    package let headerKey: HeaderKey
    /// The peer's ratchet key that the chain was agreed with.
    package let peerKey: X448.PublicKey
    /// How many messages the chain has: the number of the next one.
    package private(set) var count: UInt32

    init(chainKey: ChainKey, headerKey: HeaderKey, peerKey: X448.PublicKey, count: UInt32 = 0) {
        self.chainKey = chainKey
        self.headerKey = headerKey
        self.peerKey = peerKey
        self.count = count
    }

    /// Takes the next message from the chain.
    mutating func next() throws(RatchetError) -> ChainKey.Step {
        guard count < .max else { throw .chainExhausted }
        let step = chainKey.step()
        chainKey = step.chainKey
        count += 1
        return step
    }
}

/// The messages of the peer since the last agreement.
package struct ReceivingChain: Sendable {
    /// How many messages in a row may be missing; more are refused, because each costs a derivation and a stored key.
    private static let maximumSkip = 512

    package private(set) var chainKey: ChainKey
    package let headerKey: HeaderKey
    /// How many messages were received or skipped: the number of the next one.
    package private(set) var count: UInt32

    init(chainKey: ChainKey, headerKey: HeaderKey, count: UInt32 = 0) {
        self.chainKey = chainKey
        self.headerKey = headerKey
        self.count = count
    }

    /// Goes on to message `number`, and returns the keys of the messages between.
    ///
    /// - Parameter isPostQuantum: Whether a KEM secret protects the chain.
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

    /// Goes on to message `number` and behind it, and returns its key and the keys of the messages between.
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
