import Agent
import ByteCoding
import CryptoCore
import Ratchet

extension FuzzTarget {
    /// Messages from somebody who has the keys of a ratchet and writes any header he likes.
    ///
    /// The first byte chooses the state and the chain; the rest is the plaintext of a header.
    static let ratchet = FuzzTarget(name: "ratchet") { input in
        _ = try? conversations[0].reader.decrypting(input, skipped: conversations[0].skipped, random: toyKeys)
        roundTrip(input, RatchetParameters.self)
        guard let choice = input.first else { return }
        let conversation = conversations[Int(choice & 31) % conversations.count]
        let message = conversation.message(
            header: Bytes(input.dropFirst()), isNewChain: choice & 32 != 0, version: choice & 64 != 0 ? 2 : 3,
            hasOwnKey: choice & 128 != 0)
        guard let message,
            let opened = try? conversation.reader.decrypting(
                message, skipped: conversation.skipped, random: toyKeys)
        else { return }
        var skipped = conversation.skipped
        skipped.apply(opened.skipped)
        promise(skipped.count < 2000, "a message left \(skipped.count) keys")
        reuse(opened.state)
    }

    /// What was stored, and came back damaged.
    static let stored = FuzzTarget(name: "stored") { input in
        roundTrip(
            input, { try StoredForm(RatchetState(stored: Secret(copying: $0)).stored()) }, \.bytes)
        roundTrip(input, { try StoredForm(SkippedKey(stored: Secret(copying: $0)).stored()) }, \.bytes)
        roundTrip(input, { try StoredForm(X3DHPrivateKeys(stored: Secret(copying: $0)).stored()) }, \.bytes)
        roundTrip(input, AgentEvent.Content.self)
        if let state = try? RatchetState(stored: Secret(copying: input)) { reuse(state) }
    }

    private struct StoredForm: Equatable {
        let bytes: Bytes

        init(_ secret: Secret) { bytes = secret.copyBytes() }
    }

    /// Nothing that can be read or stored may trap when it is used.
    private static func reuse(_ state: RatchetState) {
        for setting in [nil, true, false] as [Bool?] {
            guard let sent = try? state.encrypting([1, 2, 3], paddedSize: 100, postQuantum: setting) else { continue }
            _ = sent.state.stored()
        }
        _ = try? state.decrypting(someMessage ?? [], skipped: SkippedKeys(), random: toyKeys)
        let again = try? RatchetState(stored: state.stored())
        promise(again?.stored().isEqual(to: state.stored()) == true, "a state does not survive the store")
    }

    private static let toyKeys = ToyRatchetKeys(source: FixedRandom(seed: 9))
    private static let someMessage = conversations[0].message(
        header: [], isNewChain: false, version: 3, hasOwnKey: true)
    private static let conversations = [false, true].flatMap { usesKEM in
        Conversation.Moment.allCases.map { Conversation(usesKEM: usesKEM, moment: $0) }
    }
}

/// Two parties of a ratchet, the first of which is hostile.
private struct Conversation: Sendable {
    let writer: RatchetState
    let reader: RatchetState
    let skipped: SkippedKeys

    /// What comes next: the first message, another one of the same chain, or the first after an answer.
    enum Moment: CaseIterable {
        case first
        case underWay
        case answered
    }

    init(usesKEM: Bool, moment: Moment) {
        do {
            (writer, reader, skipped) = try Conversation.begin(usesKEM: usesKEM, moment: moment)
        } catch {
            fatalError("the conversation does not begin: \(error)")
        }
    }

    private static func begin(
        usesKEM: Bool, moment: Moment
    ) throws(RatchetError) -> (RatchetState, RatchetState, SkippedKeys) {
        let random = ToyRatchetKeys(source: FixedRandom(seed: 3)), other = ToyRatchetKeys(source: FixedRandom(seed: 4))
        let initiator = X3DHPrivateKeys(proposesKEM: usesKEM, random: random)
        let offer = initiator.offer(RatchetVersion.supported).parameters(for: 3)
        let joiner = try X3DHPrivateKeys(answering: offer, usesKEM: usesKEM, random: other)
        let writer = try RatchetState.joiner(own: joiner, peer: offer, maximumVersion: 3, random: other)
        let reader = try RatchetState.initiator(
            own: initiator, peer: joiner.parameters(for: 3), maximumVersion: 3, isPostQuantum: usesKEM, random: random)
        var skipped = SkippedKeys()
        if moment == .first { return (writer, reader, skipped) }
        // The second message is read before the first, so that a key waits.
        let first = try writer.encrypting([1], paddedSize: 100)
        let second = try first.state.encrypting([2], paddedSize: 100)
        let read = try reader.decrypting(second.message, skipped: skipped, random: random)
        skipped.apply(read.skipped)
        if moment == .underWay { return (second.state, read.state, skipped) }
        let answer = try read.state.encrypting([3], paddedSize: 100)
        let answered = try second.state.decrypting(answer.message, skipped: SkippedKeys(), random: other)
        return (answered.state, answer.state, skipped)
    }

    /// A message whose header holds any bytes, but the writer's ratchet key, unless it `hasOwnKey`: without a key that both
    /// derive from no message goes further.
    func message(header: Bytes, isNewChain: Bool, version: UInt16, hasOwnKey: Bool) -> Bytes? {
        guard let chain = writer.sending else { return nil }
        var header = header
        let place = 2 + 1 + X448.PublicKey.derHeader.count
        if !hasOwnKey, header.count >= place + X448.PublicKey.rawSize {
            header.replaceSubrange(place..<place + X448.PublicKey.rawSize, with: writer.ratchetKey.publicKey.raw)
        }
        let key = isNewChain ? writer.nextSendingHeaderKey : chain.headerKey
        let step = step(of: header, in: chain)
        let size = version >= RatchetVersion.postQuantum ? 2310 : 88
        guard let padded = try? Padding.pad(header, to: size),
            let sealed = try? AESGCM.seal(
                padded, key: key.secret, iv: step.headerIV, associated: writer.associatedData)
        else { return nil }
        var inner = ByteWriter()
        inner.uint16(version)
        inner.raw(step.headerIV)
        inner.raw(sealed.tag)
        inner.flexible(sealed.ciphertext, version)
        var outer = ByteWriter()
        outer.flexible(inner.bytes, version)
        return try? AESGCM.sealPadded(
            [4, 5, 6], to: 100, after: outer.bytes, key: step.messageKey.secret, iv: step.messageKey.iv,
            associated: [writer.associatedData, inner.bytes])
    }

    /// The keys for the number at the end of the header, if it can be reached.
    private func step(of header: Bytes, in chain: SendingChain) -> ChainKey.Step {
        let number = header.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        var step = chain.chainKey.step()
        guard (Int(chain.count)...Int(chain.count) + 600).contains(number) else { return step }
        for _ in Int(chain.count)..<number { step = step.chainKey.step() }
        return step
    }
}

extension ByteWriter {
    fileprivate mutating func flexible(_ bytes: Bytes, _ version: UInt16) {
        version >= RatchetVersion.postQuantum ? largeBytes(bytes) : shortBytes(bytes)
    }
}
