import ChatCore
import SystemIO
import TestSupport
import Testing

/// Messages that are sent from two copies of one store.
@Suite struct StoreCopyTests {
    /// Alice and bob, who have confirmed a message, and a copy of alice's store.
    private func copies(_ house: TestHouse) throws -> (alice: TestStore, copy: TestStore, bob: TestStore) {
        let (alice, bob) = try house.friends()
        try alice.send("zero", to: "bob")
        for store in [alice, bob, alice] { _ = try store.fetch() }
        #expect(try alice.items("bob").last?.status == .sendReceived(isIntact: true))
        alice.close()
        let copy = TestStore(house.loop, StoreFolder(house.folder.path + "/copy"))
        try copy.folder.create()
        _ = try StoreCare.copy(alice.folder, key: nil, to: copy.folder)
        try alice.open(.writing)
        try copy.open(.writing)
        return (alice, copy, bob)
    }

    @Test func the_contact_sees_that_a_message_under_a_used_number_was_lost() throws {
        let house = try TestHouse()
        let (alice, copy, bob) = try copies(house)
        try alice.send("one", to: "bob")
        _ = try alice.fetch()
        let lost = try copy.send("two", to: "bob")
        _ = try copy.fetch()
        _ = try bob.fetch()
        #expect(try bob.items("alice").suffix(2).map(\.content).contains(.undecryptable(.message)))
        #expect(try bob.texts("alice").contains("one") && !bob.texts("alice").contains("two"))
        // The receipt is for another message than the copy sent.
        _ = try copy.fetch()
        #expect(try copy.items("bob").first { $0.id == lost.id }?.status == .sendReceived(isIntact: false))
    }

    @Test func a_message_between_confirmed_ones_that_is_not_confirmed_is_marked() throws {
        let house = try TestHouse()
        let (alice, copy, bob) = try copies(house)
        try alice.send("one", to: "bob")
        for store in [alice, bob, alice] { _ = try store.fetch() }
        let lost = try copy.send("two", to: "bob")
        _ = try copy.fetch()
        #expect(try copy.items("bob").last?.status == .sendSent)
        try copy.send("three", to: "bob")
        for store in [copy, bob, copy] { _ = try store.fetch() }
        #expect(try bob.texts("alice").contains("three") && !bob.texts("alice").contains("two"))
        #expect(try bob.items("alice").map(\.content).contains(.integrity(.badHash)))
        #expect(try copy.items("bob").first { $0.id == lost.id }?.status == .sendUnconfirmed)
        guard case .status(let report) = try copy.execute(.status(nil)) else { throw ChatError.internal }
        #expect(report.unconfirmed == 1 && report.waiting == 0)
    }
}
