import ByteCoding
import CryptoCore
import Ratchet
import TestSupport
import Testing

/// What the KEM fields do, mostly with a toy KEM; the recorded conversations have the true values.
@Suite struct PostQuantumTests {
    /// The flags (sending, receiving) of the reader of each of the first four messages; bob writes the first.
    private static let growth: [(Beginning, [(sending: Bool, receiving: Bool)])] = [
        (Beginning(), [(false, false), (false, false), (false, false), (false, false)]),
        (Beginning(bobUsesKEM: true), [(false, false), (false, false), (false, false), (false, false)]),
        (Beginning(aliceUsesKEM: true), [(false, false), (false, false), (false, false), (false, false)]),
        (
            Beginning(aliceUsesKEM: true, bobUsesKEM: true),
            [(true, false), (true, true), (true, true), (true, true)]
        ),
        (
            Beginning(aliceUsesKEM: true, bobUsesKEM: true, isProposedInLink: true),
            [(true, true), (true, true), (true, true), (true, true)]
        ),
    ]

    @Test(arguments: growth)
    func protectionGrows(beginning: Beginning, expected: [(sending: Bool, receiving: Bool)]) throws {
        var (alice, bob) = try beginning.parties(seed: 1)
        for (round, flags) in expected.enumerated() {
            let isAlices = round.isMultiple(of: 2)
            if isAlices {
                #expect(try alice.read(try bob.send("\(round)")) == "\(round)")
            } else {
                #expect(try bob.read(try alice.send("\(round)")) == "\(round)")
            }
            let state = (isAlices ? alice : bob).state.postQuantum
            #expect(state.isSending == flags.sending && state.isReceiving == flags.receiving, "round \(round)")
            try alice.reload()
            try bob.reload()
        }
    }

    /// With the true KEM, and a store between any two steps.
    @Test(arguments: Beginning.all)
    func messages_with_real_kem_are_decrypted(beginning: Beginning) throws {
        var (alice, bob) = try beginning.parties(
            alice: RandomRatchetKeys(SeededRandom(seed: 9)), bob: RandomRatchetKeys(SeededRandom(seed: 10)))
        for round in 0..<3 {
            let isPostQuantum = bob.state.sendsPostQuantum
            #expect(try alice.read(try bob.send("\(round)")) == "\(round)")
            #expect(alice.readPostQuantum == isPostQuantum)
            try alice.reload()
            #expect(try bob.read(try alice.send("answer")) == "answer")
            #expect(bob.readPostQuantum == alice.state.sendsPostQuantum)
            try bob.reload()
        }
        let isUsed = beginning.version >= 3 && beginning.aliceUsesKEM && beginning.bobUsesKEM
        #expect(alice.readPostQuantum == isUsed && bob.readPostQuantum == isUsed)
    }

    @Test func aLateMessageIsProtectedByItsOwnChain() throws {
        let beginning = Beginning(aliceUsesKEM: true, bobUsesKEM: true, isProposedInLink: true)
        var (alice, bob) = try beginning.parties(seed: 11)
        let late = try bob.send("late"), first = try bob.send("off", postQuantum: false)
        _ = try alice.read(first)
        for _ in 0..<3 {
            _ = try bob.read(try alice.send("off", postQuantum: false))
            _ = try alice.read(try bob.send("off", postQuantum: false))
        }
        #expect(!alice.readPostQuantum)
        try alice.reload()
        #expect(try alice.read(late) == "late")
        #expect(alice.readPostQuantum)
    }

    @Test func aPartyWithoutKEMReadsLargeHeaders() throws {
        var (alice, bob) = try Beginning(bobUsesKEM: true).parties(seed: 2)
        let message = try bob.send("large header")
        #expect(message.count == 2 + 2346 + 16 + 100)
        #expect(try alice.read(message) == "large header")
        let answer = try alice.send("small header")
        #expect(answer.count == 2 + 124 + 16 + 100)
        #expect(try bob.read(answer) == "small header")
        // The room for a KEM stays, the proposal was made in vain.
        #expect(bob.state.postQuantum.isSupported && bob.state.postQuantum.kem == nil)
        #expect(try bob.send("third").count == message.count)
    }

    @Test func switchingOnNeedsBoth() throws {
        var (alice, bob) = try Beginning().parties(seed: 3)
        for round in 0..<4 {
            let setting = round == 0 ? true : nil
            #expect(try alice.read(try bob.send("\(round)", postQuantum: setting)) == "\(round)")
            #expect(try bob.read(try alice.send("\(round)", postQuantum: setting)) == "\(round)")
        }
        for party in [alice, bob] {
            #expect(party.state.postQuantum.isSending && party.state.postQuantum.isReceiving)
        }
    }

    @Test func switchingOffLeavesTheRoom() throws {
        var (alice, bob) = try Beginning(aliceUsesKEM: true, bobUsesKEM: true, isProposedInLink: true).parties(seed: 4)
        _ = try alice.read(try bob.send("on"))
        let last = try alice.send("off", postQuantum: false)
        #expect(alice.state.postQuantum.kem?.ciphertext == nil)
        #expect(try bob.read(last) == "off")
        #expect(bob.state.postQuantum.isReceiving)
        for round in 0..<3 {
            #expect(try alice.read(try bob.send("\(round)", postQuantum: false)) == "\(round)")
            #expect(try bob.read(try alice.send("\(round)", postQuantum: false)) == "\(round)")
        }
        for party in [alice, bob] {
            #expect(!party.state.postQuantum.isSending && !party.state.postQuantum.isReceiving)
            #expect(party.state.postQuantum.isSupported && party.state.postQuantum.kem == nil)
        }
    }

    /// The headers after the switch lack the ciphertext that their chain was made with, as in the reference
    /// implementation. So they can be read only after one from before the switch, and a state that an error left alone
    /// still can.
    @Test func disabling_kem_in_unread_chain_requires_an_earlier_message() throws {
        var (alice, bob) = try Beginning(aliceUsesKEM: true, bobUsesKEM: true, isProposedInLink: true).parties(seed: 8)
        let first = try bob.send("first", postQuantum: false), second = try bob.send("second")
        #expect(throws: RatchetError.bodyNotAuthentic) { try alice.read(second) }
        #expect(try alice.read(first) == "first")
        #expect(try alice.read(second) == "second")
    }

    @Test func aCiphertextWithoutOwnKeyIsRefused() throws {
        let beginning = Beginning(aliceUsesKEM: true, bobUsesKEM: true, isProposedInLink: true)
        var (alice, bob) = try beginning.parties(seed: 5)
        let message = try bob.send("accepted")
        // Alice's stored state ends with her KEM key and no ciphertext.
        let stored = alice.state.stored().copyBytes()
        let withoutKey = stored.dropLast(1 + 2 + 1158 + 2 + 1763 + 1) + [UInt8(ascii: "0")]
        var forgetful = alice
        forgetful.state = try RatchetState(stored: Secret(copying: Bytes(withoutKey)))
        #expect(throws: RatchetError.invalidKEM) { try forgetful.read(message) }
        #expect(try alice.read(message) == "accepted")
    }

    @Test func acceptance_without_proposal_is_rejected() throws {
        let keys = ToyRatchetKeys(SeededRandom(seed: 7))
        let plain = X3DHPrivateKeys(random: keys)
        let pair = keys.keyPair(), made = try #require(keys.encapsulate(to: pair.publicKey))
        let accepting = X3DHPrivateKeys(key1: plain.key1, key2: plain.key2, kem: .accepted(pair, made))
        #expect(throws: RatchetError.invalidKEM) {
            try RatchetState.joiner(own: accepting, peer: plain.parameters(for: 3), maximumVersion: 3, random: keys)
        }
        #expect(throws: RatchetError.invalidKEM) {
            try RatchetState.initiator(
                own: plain, peer: accepting.parameters(for: 3), maximumVersion: 3, isPostQuantum: true, random: keys)
        }
        // Version 2 has no KEM, whatever the keys say.
        let old = try RatchetState.joiner(
            own: accepting, peer: plain.parameters(for: 2), maximumVersion: 3, random: keys)
        #expect(old.postQuantum.kem == nil && !old.postQuantum.isSupported)
    }
}
