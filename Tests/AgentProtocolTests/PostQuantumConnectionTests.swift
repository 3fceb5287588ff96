import AgentProtocol
import ByteCoding
import Ratchet
import SMPProtocol
import TestSupport
import Testing

/// The post-quantum KEM in connections: when it is agreed on, what that costs, and how it is switched.
@Suite struct PostQuantumConnectionTests {
    /// What two sides want, and what becomes of it.
    struct Agreement: Sendable, CustomTestStringConvertible {
        let initiator: PostQuantumSupport
        let joiner: PostQuantumSupport

        var testDescription: String { "initiator \(initiator), joiner \(joiner)" }

        /// Whether the KEM is used.
        var isUsed: Bool { initiator != .off && joiner != .off }

        static let all = [
            Agreement(initiator: .off, joiner: .off), Agreement(initiator: .off, joiner: .on),
            Agreement(initiator: .on, joiner: .off), Agreement(initiator: .inLink, joiner: .off),
            Agreement(initiator: .on, joiner: .on), Agreement(initiator: .inLink, joiner: .on),
            Agreement(initiator: .on, joiner: .inLink),
        ]
    }

    @Test(arguments: Agreement.all)
    func kem_requires_both_sides(agreement: Agreement) throws {
        var pair = try TestPair(seed: 30, initiator: agreement.initiator, joiner: agreement.joiner)
        let supports = (agreement.initiator != .off, agreement.joiner != .off)
        #expect(
            pair.initiator.events == [
                .conf(information: Bytes("joiner".utf8), supportsPostQuantum: supports.0),
                .con(isPostQuantum: agreement.isUsed),
            ])
        #expect(
            pair.joiner.events == [
                .joined, .info(Bytes("initiator".utf8), supportsPostQuantum: supports.1),
                .con(isPostQuantum: agreement.isUsed),
            ])
        for text in ["one", "two"] {
            try pair.exchange(text)
            #expect(pair.initiator.readPostQuantum == agreement.isUsed)
            #expect(pair.joiner.readPostQuantum == agreement.isUsed)
            #expect(pair.initiator.connection.sendsPostQuantum == agreement.isUsed)
        }
        #expect(pair.initiator.connection.largestMessage == (supports.0 ? 13_573 : 15_795))
        #expect(pair.joiner.connection.largestMessage == (supports.1 ? 13_573 : 15_795))
    }

    /// All bodies of SEND have the same sizes, whatever is inside.
    @Test func relaysSeeNoDifference() throws {
        var initiator = try TestSide.initiator(seed: 31, mode: .messaging, postQuantum: .on)
        let link = try #require(initiator.connection.invitation).description
        var joiner = try TestSide.joiner(seed: 32, link, postQuantum: .on)
        let confirmation = try joiner.work()
        try initiator.receive(confirmation)
        try initiator.allow()
        let answer = try initiator.work()
        #expect((confirmation + answer).map(\.count) == [15992, 15992])
        try joiner.receive(answer)
        try joiner.send("a")
        try joiner.send(String(repeating: "a", count: 13_573))
        #expect(try joiner.work().map(\.count) == [16043, 16043])
    }

    @Test(arguments: [(PostQuantumSupport.off, false), (.on, false), (.inLink, true)])
    func link_contains_requested_kem_key(support: PostQuantumSupport, hasKey: Bool) throws {
        let connection = try TestSide.initiator(seed: 33, mode: .messaging, postQuantum: support).connection
        guard case .invitation(_, let offer)? = connection.invitation else {
            Issue.record("a connection that waits has a link")
            return
        }
        #expect((offer.kemKey != nil) == hasKey)
        #expect(connection.invitation?.description.contains("kem_key") == hasKey)
    }

    /// Agents before version 5 and ratchets before version 3 have no KEM, whatever this side wants.
    @Test(arguments: [("v=2-7", "v=2-4"), ("e2e=v%3D2-3", "e2e=v%3D2-2")])
    func older_versions_have_no_kem(new: String, old: String) throws {
        let initiator = try TestSide.initiator(seed: 34, mode: .messaging, postQuantum: .inLink)
        let link = try #require(initiator.connection.invitation).description.replacing(new, with: old)
        let joiner = try TestSide.joiner(seed: 35, link, postQuantum: .on)
        #expect(joiner.connection.largestMessage == 15_795)
        #expect(joiner.connection.agreementKeys?.kem == nil)
    }

    @Test func kem_key_of_wrong_size_is_rejected() throws {
        let initiator = try TestSide.initiator(seed: 36, mode: .messaging, postQuantum: .inLink)
        guard case .invitation(let queues, let offer)? = initiator.connection.invitation else { return }
        let other = RatchetOffer(
            versions: offer.versions, key1: offer.key1, key2: offer.key2, kemKey: offer.kemKey.map { $0 + [0] })
        let link = ConnectionRequest.invitation(queues, other).description
        #expect(throws: Connection.Failure.invalidKey) { try TestSide.joiner(seed: 37, link, postQuantum: .on) }
        // Who does not use the key does not mind.
        #expect(try TestSide.joiner(seed: 37, link).connection.agreementKeys?.kem == nil)
    }

    @Test func informationLeavesRoomForTheKeys() throws {
        let initiator = try TestSide.initiator(seed: 38, mode: .messaging, postQuantum: .on)
        let link = try #require(initiator.connection.invitation).description
        let join = { (count: Int) in
            try TestSide.joiner(seed: 39, link, information: Bytes(repeating: 1, count: count), postQuantum: .on)
        }
        var joiner = try join(10_968)
        #expect(try joiner.work().map(\.count) == [15992])
        #expect(throws: Connection.Failure.self) { try join(11_106) }
    }

    @Test func kem_is_enabled_by_both_sides() throws {
        var pair = try TestPair(seed: 40)
        #expect(throws: Connection.Failure.tooLarge(limit: 13_573)) {
            var connection = pair.joiner.connection
            _ = try connection.send(Bytes(repeating: 1, count: 13_574), notifies: true, postQuantum: true)
        }
        // One side alone gets nothing for it but shorter messages.
        for _ in 0..<3 { try pair.exchange("alone", joiner: true) }
        #expect(pair.joiner.connection.largestMessage == 13_573 && pair.initiator.connection.largestMessage == 15_795)
        #expect(pair.initiator.readPostQuantum == false && pair.joiner.readPostQuantum == false)

        for _ in 0..<3 { try pair.exchange("both", initiator: true, joiner: true) }
        #expect(pair.initiator.connection.largestMessage == 13_573)
        #expect(pair.initiator.readPostQuantum == true && pair.joiner.readPostQuantum == true)
    }

    @Test func kem_is_disabled_by_one_side() throws {
        var pair = try TestPair(seed: 41, initiator: .on, joiner: .on)
        try pair.exchange("on")
        #expect(pair.initiator.readPostQuantum == true && pair.joiner.readPostQuantum == true)
        for _ in 0..<3 { try pair.exchange("off", initiator: false) }
        #expect(pair.initiator.readPostQuantum == false && pair.joiner.readPostQuantum == false)
        // The room stays.
        #expect(pair.initiator.connection.largestMessage == 13_573)
        #expect(!pair.initiator.connection.sendsPostQuantum)
    }

    /// Below the encryption of the queue: every 97th byte up to the end of the KEM ciphertext, and every 997th of the message,
    /// because each costs a decapsulation. The KEM key between them does not count: the header of the message has it again.
    @Test func damagedConfirmationsChangeNothing() throws {
        var initiator = try TestSide.initiator(seed: 42, mode: .messaging, postQuantum: .inLink)
        let link = try #require(initiator.connection.invitation).description
        var joiner = try TestSide.joiner(seed: 43, link, postQuantum: .on)
        joiner.take(try joiner.connection.created(try TestSide.queue(joiner.random, mode: .messaging)))
        guard case .send(let confirmation)? = joiner.tasks.last, let queue = joiner.connection.sendQueue else { return }
        let key = 1_189..<2_347, size = confirmation.envelope.count
        let positions =
            Array(stride(from: 0, to: key.lowerBound, by: 97)) + Array(stride(from: key.upperBound, to: size, by: 997))
        for position in positions {
            var damaged = confirmation.envelope
            damaged[position] ^= 1
            let message = OutgoingMessage(
                kind: .confirmation, number: 1, hash: confirmation.hash, notifies: true, envelope: damaged)
            guard case .send(_, let body) = try queue.sending(message, random: joiner.random) else { continue }
            #expect(throws: ReceptionError.self, "byte \(position)") { try initiator.receive(body) }
        }
        guard case .send(_, let body) = try queue.sending(confirmation, random: joiner.random) else { return }
        try initiator.receive(body)
        #expect(initiator.connection.status == .requested)
    }
}

extension TestPair {
    /// A message of the joiner, and one of the initiator, which may switch the KEM.
    fileprivate mutating func exchange(
        _ text: String, initiator setting: Bool? = nil, joiner other: Bool? = nil
    ) throws {
        try joiner.send(text, postQuantum: other)
        try initiator.receive(try joiner.work())
        try initiator.send(text, postQuantum: setting)
        try joiner.receive(try initiator.work())
    }
}
