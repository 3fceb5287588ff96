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
        #expect(try StoreMaintenance.copy(alice.folder, key: nil, to: copy.folder).isFrozen)
        #expect(throws: ChatError.self) { try copy.open(.writing) }
        try StoreFreeze.end(in: copy.folder, key: nil)
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
        let report = try copy.execute(ShowStatus())
        #expect(report.unconfirmed == 1 && report.waiting == 0)
    }

    @Test(arguments: 1...FixtureStore.newest.chat)
    func a_copy_of_any_version_that_knows_frozen_stores_is_frozen(schema: Int) throws {
        let store = try FixtureStore(chat: schema, agent: FixtureStore.newest.agent)
        let copy = StoreFolder(store.folder.path + "/copy")
        try copy.create()
        let isFrozen = try StoreMaintenance.copy(store.folder, key: nil, to: copy).isFrozen
        #expect(isFrozen == (schema >= 7))
        // It stays so when its schema becomes that of this program.
        _ = try StoreUpgrade.run(copy, confirmation: .yesUp)
        let mark = try StoreFreeze(of: copy, key: nil).mark
        #expect((mark != nil) == isFrozen && mark?.isBackup == (isFrozen ? schema >= 11 : nil))
        _ = try StoreUpgrade.run(store.folder, confirmation: .yesUp)
        #expect(try StoreFreeze(of: store.folder, key: nil).mark == nil, "the original goes on")
    }

    @Test func only_another_machine_with_other_files_makes_a_copy() throws {
        let house = try TestHouse(), loop = house.loop
        let alice = try house.person("alice")
        alice.close()
        /// Opens a store on a machine. Returns whether it is a copy.
        func isCopy(_ folder: StoreFolder, on machine: String) throws -> Bool {
            try loop.run {
                let core = try await LocalCore(folder, .writing, loop: loop, machine: MachineID(machine))
                let isCopy = await core.isCopy
                try await core.close()
                return isCopy
            }
        }
        try StoreFreeze.end(in: alice.folder, key: nil, machine: MachineID("first"))
        let other = StoreFolder(house.folder.path + "/other")
        try other.create()
        for name in ["simplex_v1_chat.db", "simplex_v1_agent.db"] {
            let bytes = try Files.read("\(alice.folder.path)/\(name)", limit: 1 << 24)
            try Files.create("\(other.path)/\(name)", bytes)
        }
        #expect(try !isCopy(other, on: ""), "the machine is not known")
        #expect(try isCopy(other, on: "second"))
        #expect(try isCopy(other, on: "second"), "nobody confirmed it")
        #expect(try !isCopy(alice.folder, on: "third"), "the files are the same")
        #expect(try !isCopy(alice.folder, on: "first"))
        #expect(try !isCopy(other, on: "first"), "the machine is the same")
        #expect(try !isCopy(other, on: "second"), "it was used here")
    }
}
