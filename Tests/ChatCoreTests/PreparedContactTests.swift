import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol
import TestSupport
import Testing

@testable import ChatCore

/// Plans, prepared contacts and unused invitations, over a real relay.
@Suite struct PreparedContactTests {
    /// Everything that one person and then the other has to do until both are connected.
    private func settle(_ stores: TestStore...) throws {
        for _ in 0..<3 { for store in stores { _ = try store.fetch() } }
    }

    private func messages(_ store: TestStore, _ name: String) throws -> [String] {
        try store.items(name).compactMap {
            if case .message(let content) = $0.content { content.text } else { nil }
        }
    }

    private func prepare(_ store: TestStore, _ link: String) throws -> Contact {
        let plan = try store.execute(PlanConnection(nil, link: link)).plan
        let content = try #require(plan.content), short = try #require(plan.link.short)
        let prepared = try store.execute(
            PrepareContact(ProfileID(1), link: "\(plan.link.full) \(short)", content))
        return try #require(prepared.chat.chat.contact)
    }

    @Test func a_request_carries_a_message_and_the_welcome_stands_once_on_both_sides() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let link = try alice.createAddress()
        _ = try alice.execute(SetAddress(nil, AddressSettings(welcome: MessageContent("who are you?"))))
        let prepared = try prepare(bob, link.preferred)
        #expect(prepared.connection == nil && prepared.prepared?.isInvitation == false)
        #expect(try messages(bob, "alice") == ["who are you?"])
        #expect(throws: ChatError.contactNotReady("alice")) { try bob.send("too early", to: "alice") }
        #expect(try bob.execute(PlanConnection(nil, link: link.preferred)).plan.state == .known(prepared))
        let started = try bob.execute(ConnectPrepared(prepared.id, message: MessageContent("I am Bob"), isQueued: true))
            .contact
        #expect(started.id == prepared.id && started.connection?.status == .prepared)
        #expect(throws: ChatError.connecting(.begun)) { try bob.execute(ConnectPrepared(prepared.id)) }
        try settle(bob, alice)
        let request = try #require(try alice.requests().first)
        #expect(request.message?.content.text == "I am Bob" && request.welcomeID == prepared.prepared?.welcomeID)
        #expect(try alice.execute(ListChats()).requests == [request])
        let accepted = try alice.execute(AcceptRequest(.id(request.id))).contact
        #expect(accepted.requestID == request.id && accepted.connection?.addressID != nil)
        #expect(accepted.connection?.requestKey == started.connection?.requestKey)
        #expect(try alice.execute(ListChats()).requests.isEmpty)
        try settle(alice, bob)
        try alice.send("ping", to: "bob")
        try settle(alice, bob)
        let expected = ["who are you?", "I am Bob", "ping"]
        #expect(try messages(bob, "alice") == expected && messages(alice, "bob") == expected)
        #expect(try bob.contacts().map(\.id) == [prepared.id])
    }

    @Test func a_changed_welcome_reaches_those_that_have_the_former_one() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let link = try alice.createAddress()
        _ = try alice.execute(SetAddress(nil, AddressSettings(welcome: MessageContent("before"))))
        let prepared = try prepare(bob, link.preferred)
        _ = try bob.execute(ConnectPrepared(prepared.id))
        _ = try alice.execute(SetAddress(nil, AddressSettings(accepts: true, welcome: MessageContent("after"))))
        try settle(bob, alice, bob)
        #expect(try messages(bob, "alice") == ["after"] && messages(alice, "bob") == ["after"])
    }

    @Test func a_message_to_a_prepared_invitation_is_sent_when_both_are_connected() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let prepared = try prepare(bob, try alice.invite())
        _ = try bob.execute(ConnectPrepared(prepared.id, isIncognito: true, message: MessageContent("hello")))
        try bob.reopen()
        try settle(bob, alice)
        let name = try #require(try alice.contacts().first?.name)
        #expect(name != "bob")
        #expect(try messages(alice, name) == ["hello"] && messages(bob, "alice") == ["hello"])
    }

    @Test func a_prepared_contact_moves_to_another_profile_while_nothing_is_sent() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let prepared = try prepare(bob, try alice.invite())
        let work = try bob.execute(CreateProfile(Profile(displayName: "work"))).profile
        let moved = try bob.execute(MovePrepared(prepared.id, to: work.id)).contact
        #expect(moved.profileID == work.id && moved.id == prepared.id)
        _ = try bob.execute(ActivateProfile(ProfileID(1)))
        #expect(try bob.contacts().isEmpty)
        #expect(throws: ChatError.connecting(.notPrepared)) {
            try alice.join(try bob.invite())
            try settle(alice, bob)
            let contact = try #require(try bob.contacts().first)
            _ = try bob.execute(MovePrepared(contact.id, to: work.id))
        }
    }

    @Test func joining_as_people_do_proceeds_only_for_new_links() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let link = try alice.invite()
        func join(_ store: TestStore) throws -> StartedConnection {
            try store.execute(Connect(nil, link: link, name: nil, plansFirst: true))
        }
        #expect(try join(alice).type == "connectionPlan")
        let started = try join(bob)
        #expect(started.type == "sentConfirmation")
        let connection = try #require(started.connection)
        #expect(connection.json.object?["viaContactUri"] == .bool(false))
        #expect(connection.link?.hasPrefix("simplex:/invitation") == true && connection.shortLink == link)
        guard case .planned(let plan) = try join(bob).outcome else {
            Issue.record("a link that is in use is not joined again")
            return
        }
        #expect(plan.state == .connecting(connection))
        try settle(bob, alice)
        #expect(try join(bob).outcome == .planned(bob.execute(PlanConnection(nil, link: link)).plan))
        #expect(
            try bob.execute(PlanConnection(nil, link: connection.link ?? "")).plan.state == .known(bob.contacts()[0]))
    }

    @Test func an_address_of_a_contact_is_not_asked_again() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let link = try alice.createAddress().full
        _ = try alice.execute(SetAddress(nil, AddressSettings(accepts: true)))
        let asked = try bob.execute(Connect(ProfileID(1), link: link, name: nil))
        #expect(asked.type == "sentInvitation" && asked.connection?.json.object?["viaContactUri"] == .bool(true))
        let plan = try bob.execute(PlanConnection(nil, link: link)).plan
        #expect(plan.json.object?["contactAddressPlan"]?.object?["type"] == "connectingConfirmReconnect")
        try settle(bob, alice)
        let again = try bob.execute(Connect(ProfileID(1), link: link, name: nil))
        #expect(again.type == "contactAlreadyExists" && again.json["contact"]?.object?["localDisplayName"] == "alice")
        #expect(try bob.execute(PlanConnection(nil, link: link)).plan.state == .known(bob.contacts()[0]))
    }

    @Test func a_link_to_a_group_has_a_plan_and_is_joined() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let full = try alice.createAddress().full
        let link = full + "&data=%7B%22groupLinkId%22%3A%22b0NS1LQXyiAyAGaPB5MJjw%3D%3D%22%7D"
        let plan = try bob.execute(PlanConnection(nil, link: link)).plan
        #expect(plan.json.object?["groupLinkPlan"]?.object?["type"] == "ok")
        for plansFirst in [true, false] {
            #expect(try bob.execute(Connect(nil, link: link, name: nil, plansFirst: plansFirst)).connection != nil)
        }
    }

    @Test func an_unused_invitation_changes_its_profile_and_its_alias() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob")
        let invitation = try alice.execute(Invite(nil, name: nil)), id = invitation.connection.id
        #expect(try alice.execute(SetConnectionAlias(id, "for Bob")).connection.alias == "for Bob")
        let hidden = try #require(try alice.execute(SetIncognito(id, true)).connection.incognito)
        #expect(throws: ChatError.connecting(.incognitoChange)) { try alice.execute(SetIncognito(id, true)) }
        let shown = try bob.execute(PlanConnection(nil, link: invitation.link.preferred)).plan.content
        #expect(shown?.profile.displayName == hidden.displayName)
        let work = try alice.execute(CreateProfile(Profile(displayName: "work"))).profile
        _ = try alice.execute(SetServers(work.id, [ConfiguredServer(address: house.address)]))
        let moved = try alice.execute(MoveConnection(id, to: work.id)).connection
        #expect(moved.id != id && moved.incognito == nil && moved.alias == "for Bob")
        let link = try #require(moved.shortLink)
        #expect(try bob.execute(PlanConnection(nil, link: link)).plan.content?.profile.displayName == "work")
        #expect(throws: ChatError.connectionNotFound(id)) { try alice.execute(SetConnectionAlias(id, "")) }
        try bob.join(link)
        try settle(bob, alice)
        #expect(try alice.contacts().map(\.choices.alias) == ["for Bob"])
    }

    @Test func a_profile_shows_its_address_until_that_is_deleted() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        let link = try alice.createAddress().preferred
        let shown = try alice.execute(SetProfileAddress(nil, true))
        #expect(shown.type == "userProfileUpdated" && shown.profile.profile.contactLink == link)
        try settle(bob)
        #expect(try bob.contacts()[0].profile.contactLink == link)
        #expect(try alice.execute(DeleteAddress(nil)).profile.profile.contactLink == nil)
        #expect(throws: ChatError.noAddress) { try alice.execute(SetProfileAddress(nil, true)) }
    }

    @Test func a_new_conversation_begins_with_its_encryption_and_features() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends()
        let contact = try #require(try alice.contacts().first)
        let items = try alice.execute(ShowChat(.reference(.direct(contact.id)), .last(100))).items
        #expect(items.first?.content == .banner)
        #expect(items.contains { $0.content == .encryption(isPostQuantum: true) })
        #expect(
            items.contains { if case .feature = $0.content { true } else { false } })
        #expect(try messages(alice, "bob").isEmpty)
        let info = try alice.execute(ShowConnection(contact.id))
        #expect(info.condition?.receiveServers == [house.address] && info.contact == contact)
    }

    @Test func who_asks_again_with_another_name_replaces_the_request() throws {
        let bench = try Workbench(), connector = bench.connector()
        let id = try bench.store.transaction {
            let id = try bench.connection(.new, link: bench.link(5).description)
            try bench.store.markAddress(id)
            try bench.store.setAddress(id, of: ProfileID(1), at: bench.now)
            return id
        }
        let connection = try bench.context.lookup.connection(id)
        for name in ["bob", "robert"] {
            let information = Workbench.information(
                .contactRequest(
                    ContactRequest(profile: Profile(displayName: name), requestID: Bytes(repeating: 3, count: 16))))
            _ = try connector.recordRequest(
                bench.event(id, .connection(.req(bench.link(), information: information))), connection,
                try bench.profile(), bench.link(), information)
        }
        #expect(try bench.store.requests(of: ProfileID(1)).map(\.name) == ["robert"])
        #expect(try bench.store.freeName("bob", in: ProfileID(1)) == "bob")
    }
}
