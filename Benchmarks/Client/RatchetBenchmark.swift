import ByteCoding
import CryptoCore
import Ratchet

/// The ratchet without anything around it.
struct RatchetBenchmark {
    private struct Side {
        var state: RatchetState
        var skipped = SkippedKeys()

        mutating func send(_ message: Bytes, paddedSize: Int) throws(RatchetError) -> Bytes {
            let (next, sealed) = try state.encrypting(message, paddedSize: paddedSize)
            state = next
            return sealed
        }

        mutating func receive(_ message: Bytes, _ random: any RatchetRandomness) throws(RatchetError) {
            let opened = try state.decrypting(message, skipped: skipped, random: random)
            state = opened.state
            skipped.apply(opened.skipped)
        }
    }

    /// The padded size of every message between agents (agent v7).
    private static let paddedSize = 15840
    private static let unit = "messages/s"

    private let random = RandomRatchetKeys(SystemRandom())
    private var alice: Side
    private var bob: Side

    init() throws {
        let initiator = X3DHPrivateKeys(random: random), joiner = X3DHPrivateKeys(random: random)
        let version = RatchetVersion.supported.max
        alice = Side(
            state: try .initiator(
                own: initiator, peer: joiner.parameters(for: version), maximumVersion: version, isPostQuantum: false,
                random: random))
        bob = Side(
            state: try .joiner(
                own: joiner, peer: initiator.parameters(for: version), maximumVersion: version, random: random))
        try alice.receive(bob.send([], paddedSize: 100), random)
    }

    /// Measures everything.
    func run() throws {
        var (alice, bob) = (alice, bob)
        // Each message is the first of a new chain: its recipient makes a key and two agreements.
        var isAlicesTurn = true
        try Rate.measure("ratchet steps", "steps/s") {
            if isAlicesTurn {
                try bob.receive(alice.send([1, 2, 3], paddedSize: 100), random)
            } else {
                try alice.receive(bob.send([1, 2, 3], paddedSize: 100), random)
            }
            isAlicesTurn.toggle()
        }
        // The side that received last may send a new chain.
        var (sender, recipient) = isAlicesTurn ? (bob, alice) : (alice, bob)
        let text = Bytes(repeating: 0x61, count: 1000)
        var lost = sender
        try Rate.measure("encrypt 15,840 bytes", RatchetBenchmark.unit) {
            _ = try lost.send(text, paddedSize: RatchetBenchmark.paddedSize)
        }
        for _ in 0..<5 {
            let messages = try (0..<2000).map { _ in try sender.send(text, paddedSize: RatchetBenchmark.paddedSize) }
            let start = ContinuousClock.now
            for message in messages { try recipient.receive(message, random) }
            Rate.print("decrypt 15,840 bytes", messages.count, since: start, RatchetBenchmark.unit)
        }
    }
}
