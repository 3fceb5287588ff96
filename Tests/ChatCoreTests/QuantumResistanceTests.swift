import AgentProtocol
import ChatCore
import ChatProtocol
import SMPProtocol
import Testing

/// Post-quantum keys between two stores and a relay.
@Suite struct QuantumResistanceTests {
    private func contact(_ store: TestStore) throws -> Contact {
        try #require(try store.contacts().first)
    }

    private func isOn(_ store: TestStore) throws -> Bool {
        try #require(try contact(store).connection).quantumResistance.isOn
    }

    private func exchange(_ alice: TestStore, _ bob: TestStore, _ text: String) throws {
        for (sender, recipient, name) in [(alice, bob, "bob"), (bob, alice, "alice")] {
            try sender.send(text, to: name)
            _ = try sender.fetch()
            _ = try recipient.fetch()
        }
    }

    @Test func keysAreAgreedWithTheFirstExchange() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try exchange(alice, bob, "one")
        #expect(try isOn(alice) && isOn(bob))
        #expect(try alice.texts("bob") == ["one"] && bob.texts("alice") == ["one"])
    }

    @Test func theyAreSwitchedOffAndOnAgain() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try exchange(alice, bob, "one")
        _ = alice.events()
        _ = try alice.execute(SetPostQuantum(.name("bob"), false))
        for text in ["two", "three"] { try exchange(alice, bob, text) }
        #expect(try !isOn(alice) && !isOn(bob))
        #expect(alice.events().contains { ($0 as? PostQuantumEvent)?.isOn == false })
        try alice.reopen()
        _ = try alice.execute(SetPostQuantum(.name("bob"), true))
        for text in ["four", "five", "six"] { try exchange(alice, bob, text) }
        #expect(try isOn(alice) && isOn(bob))
        #expect(try bob.texts("alice") == ["one", "two", "three", "four", "five", "six"])
    }

    /// The new ratchet is protected without anybody asking for it, and stays unprotected where that was wished.
    @Test(arguments: [true, false])
    func theyComeBackWithANewRatchet(isWanted: Bool) throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        if !isWanted { _ = try alice.execute(SetPostQuantum(.name("bob"), false)) }
        for text in ["one", "two"] { try exchange(alice, bob, text) }
        #expect(try isOn(alice) == isWanted && isOn(bob) == isWanted)
        _ = try alice.execute(SynchronizeRatchet(.name("bob"), isForced: true))
        for _ in 0..<3 { for store in [alice, bob] { _ = try store.fetch() } }
        for text in ["three", "four"] { try exchange(alice, bob, text) }
        #expect(try isOn(alice) == isWanted && isOn(bob) == isWanted)
        #expect(try bob.texts("alice").suffix(2) == ["three", "four"])
    }

    @Test(arguments: [true, false])
    func theLargestMessageFitsAndOneByteMoreDoesNot(isPostQuantum: Bool) throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        for store in [(alice, "bob"), (bob, "alice")] where !isPostQuantum {
            _ = try store.0.execute(SetPostQuantum(.name(store.1), false))
        }
        for text in ["one", "two"] { try exchange(alice, bob, text) }
        #expect(try isOn(alice) == isPostQuantum)
        // As hard to compress as text can be. With the KEM there is room for 13,380 bytes: it is the compression that makes
        // the same texts fit.
        var state: UInt64 = 1
        let characters = (0..<15496).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Character(Unicode.Scalar(UInt8(0x23 + (state >> 33) % 57)))
        }
        let text = String(characters)
        try alice.send(text, to: "bob")
        #expect(throws: ChatError.messageTooLarge(size: 15603, limit: 15602)) { try alice.send(text + "x", to: "bob") }
        _ = try alice.fetch()
        _ = try bob.fetch()
        #expect(try bob.texts("alice").last == text)
    }
}
