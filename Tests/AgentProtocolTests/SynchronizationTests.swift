import AgentProtocol
import ByteCoding
import CryptoCore
import Ratchet
import SMPProtocol
import TestSupport
import Testing

/// New ratchets in the place of lost ones.
@Suite struct SynchronizationTests {
    private func states(_ side: TestSide) -> [RatchetSynchronization] {
        side.events.compactMap { if case .rsync(let state) = $0 { state } else { nil } }
    }

    private func settle(_ pair: inout TestPair) throws {
        for _ in 0..<6 {
            try pair.joiner.receive(try pair.initiator.work())
            try pair.initiator.receive(try pair.joiner.work())
        }
    }

    private func talk(_ pair: inout TestPair) throws {
        try pair.initiator.send("to the joiner")
        try pair.joiner.send("to the initiator")
        try pair.joiner.receive(try pair.initiator.work())
        try pair.initiator.receive(try pair.joiner.work())
        #expect(pair.initiator.messages.last?.text == "to the initiator")
        #expect(pair.joiner.messages.last?.text == "to the joiner")
        #expect(pair.initiator.messages.last?.integrity == .ok && pair.joiner.messages.last?.integrity == .ok)
    }

    /// With many seeds, so that either side comes to begin.
    @Test(arguments: 200...215 as ClosedRange<UInt64>)
    func oneSideAsksForANewRatchet(seed: UInt64) throws {
        var pair = try TestPair(seed: seed)
        try talk(&pair)
        pair.initiator.take(try pair.initiator.connection.synchronize(force: true, random: pair.initiator.random))
        #expect(throws: Connection.Failure.outOfStep) { try pair.initiator.send("not now") }
        try settle(&pair)
        #expect(states(pair.initiator) == [.started, .agreed, .ok])
        #expect(states(pair.joiner) == [.agreed, .ok])
        try talk(&pair)
        #expect(pair.initiator.connection.agreementKeys == nil && pair.joiner.connection.agreementKeys == nil)
    }

    /// The KEM goes with the old ratchet and comes back with the new one, if both sides use it.
    @Test(arguments: 280...287 as ClosedRange<UInt64>, [PostQuantumSupport.off, .on])
    func aNewRatchetIsPostQuantumAgain(seed: UInt64, other: PostQuantumSupport) throws {
        var pair = try TestPair(seed: seed, initiator: .on, joiner: other)
        for _ in 0..<2 { try talk(&pair) }
        #expect(pair.initiator.readPostQuantum == (other == .on))
        pair.initiator.take(try pair.initiator.connection.synchronize(force: true, random: pair.initiator.random))
        #expect(proposesKEM(pair.initiator) == true)
        try pair.joiner.receive(try pair.initiator.work())
        #expect(proposesKEM(pair.joiner) == (other == .on))
        try settle(&pair)
        // Nobody asked for it: what the ratchets themselves said was enough.
        for _ in 0..<2 { try talk(&pair) }
        for side in [pair.initiator, pair.joiner] {
            #expect(side.readPostQuantum == (other == .on) && side.connection.sendsPostQuantum == (other == .on))
        }
        #expect(pair.initiator.connection.largestMessage == 13_573)
        #expect(pair.joiner.connection.largestMessage == (other == .on ? 13_573 : 15_795))
    }

    /// A client that compares signed bytes takes the other role.
    @Test(arguments: 300...331 as ClosedRange<UInt64>)
    func theOrderOfAnAnswerIsClear(seed: UInt64) throws {
        var pair = try TestPair(seed: seed)
        pair.initiator.take(try pair.initiator.connection.synchronize(force: true, random: pair.initiator.random))
        let first = try #require(keyHash(pair.initiator))
        try pair.joiner.receive(try pair.initiator.work())
        let answer = try #require(keyHash(pair.joiner))
        let signed = answer.map(Int8.init(bitPattern:)).lexicographicallyPrecedes(first.map(Int8.init(bitPattern:)))
        #expect(signed == answer.lexicographicallyPrecedes(first))
    }

    /// Both sides ask at once, and the joiner compares signed bytes.
    ///
    /// - Returns: The pair after both have agreed, and the roles by signed and unsigned bytes: true if the side begins.
    private func disputedPair(seed: UInt64) throws -> (pair: TestPair, initiator: Bool, joiner: Bool) {
        var pair = try TestPair(seed: seed)
        pair.initiator.take(try pair.initiator.connection.synchronize(force: true, random: pair.initiator.random))
        pair.joiner.take(try pair.joiner.connection.synchronize(force: true, random: pair.joiner.random))
        let first = try #require(shownKeys(pair.initiator)), second = try #require(shownKeys(pair.joiner))
        let keys = try #require(pair.joiner.connection.agreementKeys)
        let crossing = (try pair.initiator.work(), try pair.joiner.work())
        try pair.joiner.receive(crossing.0)
        try pair.initiator.receive(crossing.1)
        let hashes = [first, second].map { $0.ratchetKeyHash.map(Int8.init(bitPattern:)) }
        let begins = hashes[0].lexicographicallyPrecedes(hashes[1])
        if begins != pair.joiner.begins { try pair.joiner.change(begins: begins, keys, first) }
        return (pair, pair.initiator.begins, begins)
    }

    /// Both sides send the first message, or both wait for it, in about half of the seeds.
    @Test(arguments: 340...371 as ClosedRange<UInt64>)
    func equalRolesAreResolved(seed: UInt64) throws {
        var (pair, begins, otherBegins) = try disputedPair(seed: seed)
        if begins == otherBegins {
            let lost = try pair.initiator.work()
            if begins { #expect(throws: ReceptionError.self) { try pair.joiner.receive(lost) } }
            try settle(&pair)
            #expect(pair.initiator.connection.synchronization == .agreed)
            let soon = pair.initiator.relayTime + .seconds(59), late = pair.initiator.relayTime + .seconds(60)
            #expect(throws: Connection.Failure.notReady) {
                try pair.initiator.connection.exchangeRoles(at: soon, random: pair.initiator.random)
            }
            pair.initiator.take(try pair.initiator.connection.exchangeRoles(at: late, random: pair.initiator.random))
            #expect(throws: Connection.Failure.notReady) {
                try pair.initiator.connection.exchangeRoles(at: late, random: pair.initiator.random)
            }
        }
        try settle(&pair)
        #expect(states(pair.initiator) == [.started, .agreed, .ok])
        #expect(states(pair.joiner) == [.started, .agreed, .ok])
        #expect(pair.initiator.connection.agreementKeys == nil)
        #expect(pair.initiator.connection.uncertainAgreement == nil)
        #expect(pair.initiator.connection.securityHash == pair.joiner.connection.securityHash)
        try pair.initiator.send("to the joiner")
        try pair.joiner.send("to the initiator")
        try settle(&pair)
        #expect(pair.initiator.messages.last?.text == "to the initiator")
        #expect(pair.joiner.messages.last?.text == "to the joiner")
    }

    /// All four combinations of roles are among the seeds of the test above.
    @Test func allRolesAreTested() throws {
        let roles = try Set(
            (340...371 as ClosedRange<UInt64>).map { seed in
                let (_, begins, otherBegins) = try disputedPair(seed: seed)
                return [begins, otherBegins]
            })
        #expect(roles.count == 4)
    }

    /// The side that waits sends first, and then reads the late message of the other side, which holds that of this side.
    @Test(arguments: 380...395 as ClosedRange<UInt64>)
    func lateFirstMessageIsRead(seed: UInt64) throws {
        var pair = try TestPair(seed: seed)
        pair.initiator.take(try pair.initiator.connection.synchronize(force: true, random: pair.initiator.random))
        pair.joiner.take(try pair.joiner.connection.synchronize(force: true, random: pair.joiner.random))
        let crossing = (try pair.initiator.work(), try pair.joiner.work())
        try pair.joiner.receive(crossing.0)
        try pair.initiator.receive(crossing.1)
        if pair.initiator.begins { pair = pair.swapped }
        guard pair.initiator.connection.uncertainAgreement != nil else { return }
        let late = try pair.joiner.work()
        let code = pair.initiator.connection.securityHash
        pair.initiator.take(
            try pair.initiator.connection.exchangeRoles(
                at: pair.initiator.relayTime + .seconds(60), random: pair.initiator.random))
        try pair.joiner.receive(try pair.initiator.work())
        #expect(pair.joiner.connection.synchronization == .agreed)
        try pair.initiator.receive(late)
        try settle(&pair)
        #expect(states(pair.initiator) == [.started, .agreed, .ok])
        #expect(states(pair.joiner) == [.started, .agreed, .ok])
        #expect(pair.initiator.connection.securityHash == code && pair.joiner.connection.securityHash == code)
        try talk(&pair)
    }

    /// The hash of the keys for a new ratchet that are on their way.
    private func keyHash(_ side: TestSide) -> Bytes? { shownKeys(side)?.ratchetKeyHash }

    /// Whether the keys for a new ratchet that are on their way propose a KEM.
    private func proposesKEM(_ side: TestSide) -> Bool? {
        guard let parameters = shownKeys(side) else { return nil }
        guard case .proposed? = parameters.kem else { return false }
        return true
    }

    /// The keys for a new ratchet that are on their way.
    private func shownKeys(_ side: TestSide) -> RatchetParameters? {
        for case .send(let message) in side.tasks {
            if case .ratchetKey(let parameters, _)? = try? AgentEnvelope(decoding: message.envelope).content {
                return parameters
            }
        }
        return nil
    }

    @Test(arguments: 220...235 as ClosedRange<UInt64>)
    func bothSidesAskAtOnce(seed: UInt64) throws {
        var pair = try TestPair(seed: seed)
        pair.initiator.take(try pair.initiator.connection.synchronize(force: true, random: pair.initiator.random))
        pair.joiner.take(try pair.joiner.connection.synchronize(force: true, random: pair.joiner.random))
        let crossing = (try pair.initiator.work(), try pair.joiner.work())
        try pair.joiner.receive(crossing.0)
        try pair.initiator.receive(crossing.1)
        try settle(&pair)
        #expect(states(pair.initiator) == [.started, .agreed, .ok])
        #expect(states(pair.joiner) == [.started, .agreed, .ok])
        try talk(&pair)
    }

    @Test func aRatchetOfThePastIsNoticedAndMended() throws {
        var pair = try TestPair(seed: 240)
        let past = pair.joiner.connection
        for _ in 0..<3 { try talk(&pair) }
        // A copy of the store from before is put back.
        pair.joiner.connection = past
        #expect(!pair.joiner.connection.canSynchronize)
        try pair.initiator.send("lost")
        #expect(throws: ReceptionError.self) { try pair.joiner.receive(try pair.initiator.work()) }
        #expect(states(pair.joiner) == [.required] && pair.joiner.connection.canSynchronize)
        #expect(throws: Connection.Failure.outOfStep) { try pair.joiner.send("not now") }
        pair.joiner.take(try pair.joiner.connection.synchronize(force: false, random: pair.joiner.random))
        try settle(&pair)
        #expect(states(pair.joiner) == [.required, .started, .agreed, .ok])
        try talk(&pair)
    }

    /// What an error does in each state.
    @Test(arguments: [
        (RatchetSynchronization.ok, RatchetError.bodyNotAuthentic, RatchetSynchronization.allowed),
        (.ok, .headerNotAuthentic, .required), (.ok, .duplicate, .allowed), (.ok, .tooManySkipped(9999), .required),
        (.allowed, .headerNotAuthentic, .required), (.allowed, .earlier(by: 2), .allowed),
        (.required, .bodyNotAuthentic, .allowed), (.required, .headerNotAuthentic, .required),
        (.started, .headerNotAuthentic, .started), (.agreed, .headerNotAuthentic, .agreed),
        (.agreed, .bodyNotAuthentic, .agreed),
    ])
    func anErrorLeads(from state: RatchetSynchronization, _ error: RatchetError, to next: RatchetSynchronization) throws
    {
        let pair = try TestPair(seed: 250)
        var connection = pair.initiator.connection.inState(state)
        let step = connection.note(error)
        #expect(connection.synchronization == next)
        #expect(step.events == (state == next ? [] : [.rsync(next)]))
    }

    @Test func keysAfterAnAgreementBeginAgain() throws {
        var pair = try TestPair(seed: 260)
        pair.initiator.take(try pair.initiator.connection.synchronize(force: true, random: pair.initiator.random))
        let keys = try pair.initiator.work()
        try pair.joiner.receive(keys)
        pair.initiator.connection = pair.initiator.connection.inState(.ok)
        pair.initiator.take(try pair.initiator.connection.synchronize(force: true, random: pair.initiator.random))
        #expect(pair.joiner.connection.synchronization == .agreed)
        try pair.joiner.receive(try pair.initiator.work())
        #expect(pair.joiner.connection.synchronization == .required)
    }

    @Test func aRotationWaitsUntilTheRatchetsFit() throws {
        var pair = try TestPair(seed: 270)
        pair.initiator.take(try pair.initiator.connection.switchQueue())
        pair.initiator.take(try pair.initiator.connection.synchronize(force: true, random: pair.initiator.random))
        try settle(&pair)
        #expect(pair.initiator.connection.receiveRotation?.stage == .draining)
        try talk(&pair)
        pair.initiator.take(try pair.initiator.connection.synchronize(force: true, random: pair.initiator.random))
        #expect(throws: Connection.Failure.self) { try pair.initiator.connection.switchQueue() }
    }

    /// The recorded hashes of keys, which decide who begins.
    @Test(arguments: VectorFile.cases("agent-messages").filter { $0["kind"].text == "ratchetSyncOrder" })
    func orderVectors(recorded: Vector) throws {
        let parameters = RatchetParameters(
            version: 3, key1: try X448.PublicKey(raw: recorded["key1"].bytes),
            key2: try X448.PublicKey(raw: recorded["key2"].bytes), kem: nil)
        #expect(parameters.ratchetKeyHash == recorded["hash"].bytes)
    }
}

extension TestSide {
    /// Whether this side sends the first message of the new ratchet.
    fileprivate var begins: Bool { connection.ratchet?.sending != nil }

    /// Takes the other role, without the message of the former role.
    fileprivate mutating func change(begins: Bool, _ own: X3DHPrivateKeys, _ other: RatchetParameters) throws {
        let keys = RandomRatchetKeys(random)
        let ratchet =
            begins
            ? try RatchetState.joiner(own: own, peer: other, maximumVersion: 3, random: keys)
            : try RatchetState.initiator(
                own: own, peer: other, maximumVersion: 3, isPostQuantum: connection.isPostQuantum, random: keys)
        connection = connection.inState(.agreed, ratchet)
        tasks.removeAll { if case .send(let message) = $0 { message.kind == .ratchetReady } else { false } }
        if begins {
            let body = AgentMessageBody.ratchetReady(lastReceived: connection.received.lastNumber)
            tasks.append(.send(try connection.message(body, kind: .ratchetReady, notifies: true)))
        }
    }
}

extension Connection {
    fileprivate func inState(_ state: RatchetSynchronization, _ newRatchet: RatchetState? = nil) -> Connection {
        Connection(
            role: role, status: status, agentVersion: agentVersion, isPostQuantum: isPostQuantum,
            agreementKeys: agreementKeys, ratchet: newRatchet ?? ratchet, sent: sent, received: received,
            ownInformation: ownInformation, waitingSenderKey: waitingSenderKey, receiveQueue: receiveQueue,
            sendQueue: sendQueue, synchronization: state)
    }
}
