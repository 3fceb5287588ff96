import AgentProtocol
import ChatCore
import ChatProtocol
import SMPProtocol
import TestSupport
import Testing

/// Two stores and a relay: what people do with each other.
@Suite struct ConversationTests {
    @Test func twoProfilesConnectAndTalk() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let connection = try bob.join(try alice.invite())
        #expect(connection.status == .prepared && !connection.isInitiated)
        let first = try bob.fetch()
        #expect(first.isComplete && first.waiting == 0)

        _ = try alice.fetch()
        let met = alice.events().filter { !($0 is SubscriptionStatusEvent) }
        guard let contact = (met.first as? ContactConnectingEvent)?.contact,
            let connected = (met.last as? ContactConnectedEvent)?.contact
        else {
            Issue.record("alice hears of bob: \(met)")
            return
        }
        #expect(contact.name == "bob" && connected.isReady)
        _ = try bob.fetch()
        #expect(try bob.contacts().map(\.name) == ["alice"])
        #expect(try bob.contacts()[0].connection?.status == .ready)

        let item = try alice.send("héllo 👋", to: "bob")
        #expect(item.status == .sendNew)
        let waited = try alice.execute(WaitForItem(item.id, timeout: .seconds(20)))
        #expect(waited.obstacle == nil && waited.item.item.status == .sendSent)
        #expect(try bob.fetch().received == 1)
        #expect(try bob.texts("alice") == ["héllo 👋"])
        #expect(try bob.contacts()[0].unreadCount == 1)
        _ = try bob.execute(MarkChatRead(.name("alice")))
        #expect(try bob.contacts()[0].unreadCount == 0)
        #expect(try bob.items("alice").last?.status == .receivedRead)
    }

    @Test func aJoinerMayBeCalledAsOneLikes() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        try bob.join(try alice.invite(name: "Robert"), name: "Ann Lee")
        for store in [bob, alice, bob] { _ = try store.fetch() }
        #expect(try alice.contacts().map(\.name) == ["Robert"])
        #expect(try alice.contacts()[0].profile.displayName == "bob")
        #expect(try bob.contacts().map(\.name) == ["Ann Lee"])
        #expect(throws: ChatError.invalidName("'", suggestion: nil)) { try alice.invite(name: "'") }
    }

    @Test func contactsOfOneNameAreToldApart() throws {
        let house = try TestHouse()
        let alice = try house.person("alice")
        for folder in ["a", "b", "c"] {
            let other = TestStore(house.loop, StoreFolder(house.folder.path + "/" + folder))
            try other.folder.create()
            try other.open(.creating)
            _ = try other.execute(CreateProfile(Profile(displayName: "alice")))
            _ = try other.execute(SetServers(ProfileID(1), [ConfiguredServer(address: house.address)]))
            try other.join(try alice.invite())
            _ = try other.fetch()
            _ = try alice.fetch()
        }
        #expect(try alice.contacts().map(\.name) == ["alice_1", "alice_2", "alice_3"])
    }

    @Test func theSameLinkAgainGoesOnWithItsConnection() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let link = try alice.invite()
        #expect(throws: ChatError.ownLink) { try alice.join(link) }
        let first = try bob.join(link)
        #expect(try bob.join(link).id == first.id)
        for store in [bob, alice, bob] { _ = try store.fetch() }
        #expect(try bob.join(link).status == .ready)
        #expect(try bob.contacts().count == 1)
    }

    @Test func aRelayThatIsDownDelaysAndLosesNothing() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        house.stopRelay()
        let item = try alice.send("patience", to: "bob")
        let waited = try alice.execute(WaitForItem(item.id, timeout: .seconds(20)))
        guard case .unreachable? = waited.obstacle else {
            Issue.record("the relay cannot be reached")
            return
        }
        #expect(waited.item.item.status == .sendNew)
        let report = try alice.fetch()
        #expect(!report.isComplete && report.waiting == 1 && report.obstacles.map(\.server) == [house.address])
        try house.startRelay()
        #expect(try alice.fetch().sent == 1)
        #expect(try bob.fetch().received == 1)
        #expect(try bob.texts("alice") == ["patience"])
    }

    @Test func messagesWrittenBeforeTheOtherSideAnsweredAreSentBehindTheAnswer() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        try bob.join(try alice.invite())
        _ = try bob.fetch()
        house.stopRelay()
        try house.startRelay()
        _ = try alice.fetch()
        try alice.send("welcome", to: "bob")
        _ = try alice.fetch()
        _ = try bob.fetch()
        #expect(try bob.texts("alice") == ["welcome"])
    }

    @Test func whatMayNotBeSentIsRefused() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        #expect(throws: ChatError.recipientNotFound("bop")) { try alice.send("hi", to: "bop") }
        // 15,602 bytes with everything that is around the text.
        let around = 15_602 - 15_000
        #expect(throws: ChatError.self) {
            try alice.send(String(repeating: "x", count: 15_000 + around), to: "bob")
        }
        try alice.send(String(repeating: "x", count: 15_000), to: "bob")
        #expect(throws: ChatError.invalidLink) { try alice.join("simplex:/invitation#/?v=") }
        #expect(throws: ChatError.itemNotFound(ChatItemID(999))) {
            try alice.execute(WaitForItem(ChatItemID(999), timeout: .seconds(1)))
        }
    }

    @Test func profilesShareAStoreAndNothingElse() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        _ = try alice.execute(CreateProfile(Profile(displayName: "work")))
        let active = try alice.execute(ShowActiveProfile()).profile
        #expect(active.name == "work")
        #expect(try alice.contacts().isEmpty)
        #expect(throws: ChatError.recipientNotFound("bob")) { try alice.send("hi", to: "bob") }
        #expect(throws: ChatError.nameTaken("alice")) {
            try alice.execute(CreateProfile(Profile(displayName: "alice")))
        }
        try bob.send("to the other profile", to: "alice")
        _ = try bob.fetch()
        #expect(try alice.fetch().received == 1)
        _ = try alice.execute(ActivateProfile(ProfileID(1)))
        #expect(try alice.texts("bob") == ["to the other profile"])
        let profiles = try alice.execute(ListProfiles()).profiles
        #expect(profiles.map(\.name) == ["alice", "work"])
        #expect(profiles.map(\.unreadCount) == [1, 0])
    }

    @Test func readersSeeASnapshotAndChangeNothing() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        try alice.send("one", to: "bob")
        let reader = TestStore(house.loop, alice.folder)
        try reader.open(.reading)
        #expect(try reader.texts("bob", .sent) == ["one"])
        #expect(throws: ChatError.readOnly) { try reader.send("two", to: "bob") }
        #expect(throws: ChatError.readOnly) { try reader.fetch() }
        _ = bob
    }
}
