import AgentProtocol
import ChatCore
import ChatProtocol
import SMPProtocol
import Store
import SystemIO
import TestSupport
import Testing

/// What is there after a process ended at a bad moment.
@Suite struct CrashTests {
    @Test func everyStepOfAConversationSurvivesARestart() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let link = try alice.invite()
        try alice.reopen()
        try bob.join(link)
        try bob.reopen()
        for _ in 0..<2 {
            for store in [bob, alice] {
                _ = try store.fetch()
                try store.reopen()
            }
        }
        try alice.send("one", to: "bob")
        try alice.reopen()
        #expect(try alice.fetch().sent == 1)
        _ = try bob.fetch()
        try bob.reopen()
        #expect(try bob.texts("alice") == ["one"])
        #expect(try bob.fetch().received == 0)
    }

    @Test func aStoreIsFinishedAtTheNextStart() throws {
        let house = try TestHouse()
        let alice = try house.person("alice")
        // As after a crash between the two databases.
        alice.close()
        try Files.remove(alice.folder.path + "/simplex_v1_agent.db")
        try alice.reopen()
        let bob = try house.person("bob")
        try bob.join(try alice.invite())
        // Now there is something to lose.
        alice.close()
        try Files.remove(alice.folder.path + "/simplex_v1_agent.db")
        #expect(throws: ChatError.database(.cannotOpen)) { try alice.reopen() }
    }

    /// What was begun is finished, whatever the user has decided about relays since.
    @Test func aConnectionIsBegunAgainThoughAllRelaysAreOff() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        try bob.join(try alice.invite())
        let groups = try bob.execute(ListServers(ProfileID(1))).groups
        let off = groups.flatMap(\.servers).map { server in
            var server = server
            server.isEnabled = false
            return server
        }
        _ = try bob.execute(UpdateServers(ProfileID(1), off))
        // As after a crash before the agent knew of it.
        bob.close()
        try Database(bob.folder.path + "/simplex_v1_agent.db", .readWrite).run("DELETE FROM connections")
        try bob.reopen()
        for store in [bob, alice, bob] { _ = try store.fetch() }
        #expect(try alice.contacts().map(\.name) == ["bob"])
    }

    @Test func aStoreIsCreatedOnceOnly() throws {
        let house = try TestHouse()
        let alice = try house.person("alice")
        let again = TestStore(house.loop, alice.folder)
        #expect(throws: ChatError.database(.cannotOpen)) { try again.open(.creating) }
        let nobody = TestStore(house.loop, StoreFolder(house.folder.path + "/nobody"))
        #expect(throws: ChatError.database(.cannotOpen)) { try nobody.open(.writing) }
        #expect(!nobody.folder.exists && alice.folder.exists)
    }
}
