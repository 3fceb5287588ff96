import ByteCoding
import Ratchet
import TestSupport

/// Two parties and everything that can happen between them, in an order that a seed decides, beside a simple model that
/// knows what each message must do.
struct RatchetModel {
    /// Where a message is.
    private enum Fate {
        case travelling
        case read
        case lost
        /// Not read, and the key that waited for it was dropped.
        case expired
    }

    private struct Message {
        let text: String
        let sealed: Bytes
        /// Which of the sender's chains, counted from the first, and which position in it.
        let chain: Int
        let number: Int
        let isPostQuantum: Bool
        var fate = Fate.travelling
    }

    private struct Side {
        var party: Party
        /// The chain it sends in; -1 before there is one.
        var sendingChain: Int
        /// The peer's chain it reads, and how far.
        var readingChain = -1
        var next = 0
        var messages: [Message] = []

        /// Whether the reader has gone past a message, so that it needs a skipped key.
        func hasPassed(_ message: Message) -> Bool {
            message.chain < readingChain || (message.chain == readingChain && message.number < next)
        }
    }

    /// What the model found wrong.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How often each thing happened, to see that a schedule has them all.
    enum Event: Hashable, CaseIterable {
        case sent, readInOrder, readLate, advanced, lost, duplicate, damaged, reloaded, expired
    }

    private(set) var counts: [Event: Int] = [:]
    private var sides: [Side]
    private var random: SeededRandom
    private let switchesKEM: Bool

    init(_ beginning: Beginning, seed: UInt64) throws {
        let (alice, bob) = try beginning.parties(seed: seed)
        sides = [Side(party: alice, sendingChain: -1), Side(party: bob, sendingChain: 0)]
        random = SeededRandom(seed: seed)
        switchesKEM = beginning.aliceUsesKEM && beginning.bobUsesKEM
    }

    /// Does `steps` random things, then delivers what still travels.
    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            let side = pick(2)
            switch pick(100) {
            case 0..<35: try send(from: side)
            case 35..<60: try deliverFirst(to: side)
            case 60..<72: try deliverAny(to: side)
            case 72..<78: lose(to: side)
            case 78..<86: try duplicate(to: side)
            case 86..<94: try damage(to: side)
            case 94..<99: try reload(side)
            default: try expire(side)
            }
        }
        for side in [0, 1] {
            while travelling(to: side) > 0 {
                try deliverAny(to: side)
            }
        }
    }

    private mutating func pick(_ count: Int) -> Int {
        Int.random(in: 0..<count, using: &random)
    }

    private mutating func count(_ event: Event) {
        counts[event, default: 0] += 1
    }

    /// The positions, among the messages to a side, of those with a fate.
    private func positions(to side: Int, _ fates: Fate...) -> [Int] {
        sides[1 - side].messages.indices.filter { fates.contains(sides[1 - side].messages[$0].fate) }
    }

    private func travelling(to side: Int) -> Int {
        positions(to: side, .travelling).count
    }

    // MARK: - Events

    private mutating func send(from side: Int) throws {
        let text = "\(side) says \(random.next())"
        // Off only in a chain that the peer reads: see `PostQuantumTests.disabling_kem_in_unread_chain_requires_an_earlier_message`.
        let isRead = sides[1 - side].readingChain == sides[side].sendingChain
        let setting = switchesKEM && pick(30) == 0 ? pick(2) == 0 || !isRead : nil
        let number = Int(sides[side].party.state.sending?.count ?? 0)
        do throws(RatchetError) {
            let sealed = try sides[side].party.send(text, postQuantum: setting)
            let message = Message(
                text: text, sealed: sealed, chain: sides[side].sendingChain, number: number,
                isPostQuantum: sides[side].party.state.sendsPostQuantum)
            sides[side].messages.append(message)
            count(.sent)
        } catch {
            guard error == .notReady, sides[side].sendingChain < 0 else { throw error }
        }
    }

    private mutating func deliverFirst(to side: Int) throws {
        guard let position = positions(to: side, .travelling).first else { return }
        try deliver(position, to: side)
    }

    private mutating func deliverAny(to side: Int) throws {
        guard let position = positions(to: side, .travelling).randomElement(using: &random) else { return }
        try deliver(position, to: side)
    }

    private mutating func deliver(_ position: Int, to side: Int) throws {
        let message = sides[1 - side].messages[position]
        let text = try sides[side].party.read(message.sealed)
        guard text == message.text else { throw Failure(description: "another text") }
        guard sides[side].party.readPostQuantum == message.isPostQuantum else {
            throw Failure(description: "another protection")
        }
        sides[1 - side].messages[position].fate = .read
        guard !sides[side].hasPassed(message) else { return count(.readLate) }
        if message.chain > sides[side].readingChain {
            sides[side].readingChain = message.chain
            sides[side].sendingChain += 1
            count(.advanced)
        }
        sides[side].next = message.number + 1
        count(.readInOrder)
    }

    private mutating func lose(to side: Int) {
        guard let position = positions(to: side, .travelling).randomElement(using: &random) else { return }
        sides[1 - side].messages[position].fate = .lost
        count(.lost)
    }

    /// Delivers what was read, or can no longer be read: it is refused with the error that the model expects.
    private mutating func duplicate(to side: Int) throws {
        // Recent ones mostly, because the old ones all look the same.
        let read = positions(to: side, .read, .expired).suffix(pick(3) == 0 ? .max : 8)
        guard let position = read.randomElement(using: &random) else { return }
        let message = sides[1 - side].messages[position], expected = refusal(of: message, by: side)
        do throws(RatchetError) {
            _ = try sides[side].party.read(message.sealed)
        } catch {
            guard error == expected else { throw Failure(description: "\(error), not \(expected)") }
            return count(.duplicate)
        }
        throw Failure(description: "a message was read twice")
    }

    private func refusal(of message: Message, by side: Int) -> RatchetError {
        if message.chain == sides[side].readingChain {
            let distance = sides[side].next - message.number - 1
            return distance == 0 ? .duplicate : .earlier(by: distance)
        }
        let waiting = sides[1 - side].messages.contains { other in
            other.chain == message.chain && (other.fate == .travelling || other.fate == .lost)
        }
        return waiting ? .formerChain : .headerNotAuthentic
    }

    /// Delivers a damaged copy of any message: refused, and without consequences for the true one.
    private mutating func damage(to side: Int) throws {
        guard let message = sides[1 - side].messages.randomElement(using: &random) else { return }
        var damaged = message.sealed
        if pick(4) == 0 {
            damaged.removeLast(1 + pick(damaged.count))
        } else {
            damaged[pick(damaged.count)] ^= UInt8(1 + pick(255))
        }
        guard (try? sides[side].party.read(damaged)) == nil else {
            throw Failure(description: "a damaged message was read")
        }
        count(.damaged)
    }

    private mutating func reload(_ side: Int) throws {
        try sides[side].party.reload()
        count(.reloaded)
    }

    /// Drops all keys of overtaken messages, as a store does after weeks.
    private mutating func expire(_ side: Int) throws {
        let passed = positions(to: side, .travelling, .lost).filter { position in
            sides[side].hasPassed(sides[1 - side].messages[position])
        }
        guard passed.count == sides[side].party.skipped.count else {
            throw Failure(description: "\(sides[side].party.skipped.count) keys for \(passed.count) messages")
        }
        for position in passed {
            sides[1 - side].messages[position].fate = .expired
        }
        sides[side].party.skipped = SkippedKeys()
        count(.expired)
    }
}
