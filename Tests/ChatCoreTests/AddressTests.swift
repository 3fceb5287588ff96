import AgentProtocol
import ByteCoding
import ChatCore
import ChatProtocol
import SMPProtocol
import Store
import TestSupport
import Testing

/// Addresses and short links, over a real relay.
@Suite struct AddressTests {
    @Test(arguments: [true, false])
    func whoAsksAtAnAddressBecomesAContactWhenAccepted(isShort: Bool) throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let link = try alice.createAddress()
        let short = try #require(link.short)
        #expect(short.hasPrefix("https://127.0.0.1/a#") && link.full.hasPrefix("simplex:/contact#/?"))
        let connection = try bob.join(isShort ? short : link.full)
        #expect(try bob.join(isShort ? short : link.full).id == connection.id)
        for store in [bob, alice] { _ = try store.fetch() }
        guard let request = (alice.events().last as? RequestReceivedEvent)?.request else {
            Issue.record("alice hears of bob")
            return
        }
        #expect(request.name == "bob")
        #expect(try alice.requests() == [request] && alice.contacts().isEmpty)
        let contact = try alice.execute(AcceptRequest(.name("bob"))).contact
        #expect(contact.name == "bob" && !contact.isReady)
        #expect(try alice.requests().isEmpty)
        for store in [alice, bob, alice] { _ = try store.fetch() }
        #expect(try bob.contacts().map(\.name) == ["alice"] && bob.contacts()[0].isReady)
        #expect(try alice.contacts().map(\.isReady) == [true])
        try alice.send("hello", to: "bob")
        try bob.send("hi", to: "alice")
        for store in [alice, bob, alice] { _ = try store.fetch() }
        #expect(try bob.texts("alice") == ["hello"] && alice.texts("bob") == ["hi"])
        #expect(throws: ChatError.ownLink) { try alice.join(isShort ? short : link.full) }
        // The same link in its other spelling.
        let other = short.replacing("https://127.0.0.1/a#", with: "simplex:/a#").replacing("?", with: "?h=127.0.0.1&")
        #expect(throws: ChatError.ownLink) { try alice.join(other) }
    }

    @Test func requestsMayBeRejectedAndAskedAgain() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob"), eve = try house.person("eve")
        let link = try alice.createAddress().preferred
        for store in [bob, eve] {
            try store.join(link)
            _ = try store.fetch()
        }
        _ = try alice.fetch()
        #expect(try alice.requests().map(\.name) == ["bob", "eve"])
        let request = try #require(try alice.requests().last)
        #expect(try alice.execute(RejectRequest(.id(request.id))).request == request)
        #expect(throws: ChatError.requestNotFound(request.id)) { try alice.execute(AcceptRequest(.id(request.id))) }
        #expect(throws: ChatError.requestNotFoundByName("eve")) { try alice.execute(RejectRequest(.name("eve"))) }
        try alice.reopen()
        #expect(try alice.requests().map(\.name) == ["bob"])
        _ = try eve.fetch()
        #expect(try eve.contacts().isEmpty)
        // A rejected request is sent again, and one without an answer is the same request.
        for person in [eve, bob] {
            let former = try #require(try person.execute(ListInvitations(nil)).connections.last)
            #expect(try person.join(link).id != former.id)
            _ = try person.fetch()
        }
        let known = try alice.requests()
        _ = try alice.fetch()
        let requests = try alice.requests()
        #expect(requests.first?.id == known.first?.id && requests.map(\.name) == ["bob", "eve"])
        #expect(requests.last?.id != request.id)
        // The answer ends the requests that were not answered.
        _ = try alice.execute(AcceptRequest(.name("bob")))
        for store in [bob, alice, bob] { _ = try store.fetch() }
        #expect(try bob.contacts().map(\.isReady) == [true])
        #expect(try bob.execute(ListInvitations(nil)).connections.isEmpty)
    }

    @Test func five_hundred_requests_wait_and_no_more() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob"), eve = try house.person("eve")
        let link = try alice.createAddress().preferred
        try bob.join(link)
        for store in [bob, alice] { _ = try store.fetch() }
        // 499 more that are like the first one.
        alice.close()
        let columns = "profile_id, profile, versions, link, knows_welcome, is_accepted, created_at, updated_at"
        try Database(alice.folder.path + "/simplex_v1_chat.db", .readWrite).execute(
            script: """
                WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 499)
                INSERT INTO requests (name, \(columns)) SELECT 'copy' || n, \(columns) FROM requests, numbers;
                """)
        try alice.reopen()
        #expect(try alice.counts(["requests"]) == [500])
        _ = alice.events()
        try eve.join(link)
        for store in [eve, alice] { _ = try store.fetch() }
        #expect(try alice.counts(["requests"]) == [500])
        #expect(
            alice.events().contains { ($0 as? MessageUnusableEvent)?.reason == "too many contact requests wait" })
        // One answer makes room for one request.
        let first = try #require(try alice.requests().first)
        _ = try alice.execute(RejectRequest(.id(first.id)))
        let carol = try house.person("carol")
        try carol.join(link)
        for store in [carol, alice] { _ = try store.fetch() }
        #expect(try alice.counts(["requests"]) == [500] && alice.requests().map(\.name).contains("carol"))
    }

    @Test func anAddressMayAcceptAndWelcomeByItself() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let link = try alice.createAddress().preferred
        let settings = AddressSettings(accepts: true, welcome: MessageContent("welcome!"))
        let updated = try alice.execute(SetAddress(nil, settings)).address
        #expect(updated.settings == settings)
        // Whoever opens the link sees the welcome, and connecting is a step of its own.
        let plan = try bob.execute(PlanConnection(nil, link: link)).plan
        #expect(plan.state == .ok && plan.content?.profile.displayName == "alice")
        #expect(plan.content?.welcome == settings.welcome)
        try bob.join(link)
        for store in [bob, alice, bob, alice, bob] { _ = try store.fetch() }
        #expect(try alice.requests().isEmpty)
        #expect(try bob.texts("alice") == ["welcome!"] && alice.texts("bob", .sent) == ["welcome!"])
        let known = try bob.execute(PlanConnection(nil, link: link)).plan
        #expect(try known.state == .known(bob.contacts()[0]))
    }

    @Test func anAddressAcceptsOnlySoManyWithinAnHour() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob"), eve = try house.person("eve")
        let carol = try house.person("carol")
        let link = try alice.createAddress().full
        _ = try alice.execute(SetAddress(nil, AddressSettings(accepts: true)))
        try bob.join(link)
        for store in [bob, alice, bob, alice] { _ = try store.fetch() }
        let contact = try #require(try alice.contacts().first)
        // As many again as are allowed, all of a minute ago.
        alice.close()
        let database = try Database("\(alice.folder.path)/simplex_v1_chat.db", .readWrite)
        for _ in 1...99 {
            try database.run(
                """
                INSERT INTO connections (profile_id, contact_id, status, is_initiated, created_at, updated_at)
                SELECT profile_id, contact_id, 'deleted', 0, created_at, updated_at FROM connections
                WHERE contact_id = ? LIMIT 1
                """, contact.id.number)
        }
        try alice.open(.writing)
        try eve.join(link)
        for store in [eve, alice, eve] { _ = try store.fetch() }
        #expect(try alice.requests().map(\.name) == ["eve"] && alice.contacts().count == 1)

        // What waited is accepted by hand, and others again when the hour is over.
        try database.run("UPDATE connections SET created_at = created_at - 3600000 WHERE status = 'deleted'")
        try carol.join(link)
        for store in [carol, alice, carol] { _ = try store.fetch() }
        #expect(try alice.requests().map(\.name) == ["eve"])
        #expect(try alice.contacts().map(\.name).sorted() == ["bob", "carol"])
    }

    @Test func aNewAddressReplacesTheOld() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let former = try alice.createAddress()
        #expect(throws: ChatError.addressExists) { try alice.createAddress() }
        _ = try alice.execute(SetAddress(nil, AddressSettings(accepts: true)))
        let address = try alice.execute(RotateAddress(nil)).address
        #expect(address.link != former && address.settings.accepts)
        #expect(throws: (any Error).self) { try bob.execute(PlanConnection(nil, link: former.preferred)) }
        try bob.join(former.full)
        _ = try bob.fetch()
        #expect(try bob.pending().map(\.status) == [.failed])
        try bob.join(address.link.full)
        for store in [bob, alice, bob, alice] { _ = try store.fetch() }
        #expect(try alice.contacts().map(\.name) == ["bob"])
        _ = try alice.execute(DeleteAddress(nil))
        #expect(throws: ChatError.noAddress) { try alice.execute(ShowAddress(nil)) }
        #expect(throws: ChatError.noAddress) { try alice.execute(DeleteAddress(nil)) }
        #expect(try alice.contacts().map(\.isReady) == [true] && alice.pending().isEmpty)
    }

    @Test func withoutItsRelayAnAddressIsDeletedLater() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let link = try alice.createAddress()
        house.stopRelay()
        _ = try alice.execute(DeleteAddress(nil))
        #expect(throws: ChatError.self) { try alice.createAddress() }
        try alice.reopen()
        try house.startRelay()
        _ = try alice.fetch()
        #expect(throws: (any Error).self) { try bob.execute(PlanConnection(nil, link: link.preferred)) }
        #expect(try alice.pending().isEmpty)
    }

    @Test func aProcessMayEndBetweenAnyTwoSteps() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let link = try alice.createAddress().preferred
        try bob.join(link)
        try bob.reopen()
        _ = try bob.fetch()
        try alice.reopen()
        _ = try alice.fetch()
        try alice.reopen()
        _ = try alice.execute(AcceptRequest(.name("bob")))
        try alice.reopen()
        #expect(try alice.requests().isEmpty)
        for store in [alice, bob, alice] {
            _ = try store.fetch()
            try store.reopen()
        }
        #expect(try alice.contacts().map(\.isReady) == [true] && bob.contacts().map(\.isReady) == [true])
    }

    @Test func invitationsAreShortAndCanBeGivenUp() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob"), carol = try house.person("carol")
        let link = try alice.inviteWithLinks(name: "Robert")
        let short = try #require(link.short)
        #expect(short.hasPrefix("https://127.0.0.1/i#"))
        #expect(throws: ChatError.ownLink) { try alice.join(short) }
        try bob.join(short)
        for store in [bob, alice, bob] { _ = try store.fetch() }
        #expect(try alice.contacts().map(\.name) == ["Robert"] && bob.contacts().map(\.isReady) == [true])
        // Both forms in one text, as answers of the API have them.
        let other = try alice.inviteWithLinks()
        try carol.join("\(other.full) \(other.preferred)")
        for store in [carol, alice, carol] { _ = try store.fetch() }
        #expect(try carol.contacts().map(\.isReady) == [true])

        let third = try alice.inviteWithLinks()
        let waiting = try alice.execute(ListInvitations(nil)).connections
        #expect(waiting.map(\.link) == [third.full] && waiting.map(\.shortLink) == [third.short])
        _ = try alice.execute(DeleteConnection(waiting[0].id))
        #expect(try alice.pending().isEmpty)
        #expect(throws: ChatError.connectionNotFound(waiting[0].id)) {
            try alice.execute(DeleteConnection(waiting[0].id))
        }
        #expect(throws: (any Error).self) { try bob.execute(PlanConnection(nil, link: third.preferred)) }
    }

    @Test func linksToOtherThingsAreTold() throws {
        let house = try TestHouse()
        let bob = try house.person("bob")
        let key = Base64URL.encode(Bytes(repeating: 1, count: 32), padding: false)
        #expect(throws: ChatError.unsupportedLink) { try bob.join("https://smp16.simplex.im/c#\(key)") }
        #expect(throws: ChatError.channel(.relayAddress)) { try bob.join("https://smp16.simplex.im/r#\(key)") }
        // Links to groups are joined. The same link is the same request.
        let request = try bob.join("https://smp16.simplex.im/g#\(key)")
        #expect(try bob.join("https://smp16.simplex.im/g#\(key)").id == request.id)
        #expect(throws: ChatError.membership(.refused(.noLinkGroup))) {
            let link = try bob.invite()
            _ = try bob.execute(
                PrepareGroup(ProfileID(1), link: link, GroupLinkContent(profile: GroupProfile(displayName: "team"))))
        }
        // A server that is none of the well-known ones, and no way to know its certificate.
        #expect(throws: ChatError.invalidLink) {
            try bob.execute(PlanConnection(nil, link: "https://smp.example.com/a#\(key)"))
        }
        for text in ["", "simplex:", "https://simplex.chat/a", "one two three"] {
            #expect(throws: ChatError.invalidLink) { try bob.join(text) }
        }
    }
}

extension TestStore {
    @discardableResult
    func createAddress() throws -> LinkText {
        try execute(CreateAddress(nil)).address.link
    }

    func requests() throws -> [ReceivedRequest] {
        try execute(ListRequests(nil)).requests
    }

    func pending() throws -> [ContactConnection] {
        try execute(ListInvitations(nil)).connections
    }
}
