import AgentProtocol
import ChatProtocol
import Testing

@testable import ChatCore

/// Chats with a business, from both sides.
@Suite struct BusinessChatTests {
    private let welcome = MessageContent("how can we help?")

    private func business(_ house: TestHouse) throws -> (TestStore, LinkText) {
        let alice = try house.person("alice"), link = try alice.createAddress()
        let settings = AddressSettings(accepts: true, isBusiness: true, welcome: welcome)
        #expect(try alice.execute(SetAddress(nil, settings)).address.settings == settings)
        return (alice, link)
    }

    @Test func each_customer_gets_a_group() throws {
        let house = try TestHouse(), (alice, link) = try business(house)
        let bob = try house.person("bob"), cath = try house.person("cath")
        try bob.join(link.full)
        try cath.join(link.full)
        let seen = try house.settle([bob, cath, alice]) {
            try bob.isInGroup(with: 1) && cath.isInGroup(with: 1) && bob.heard() == ["how can we help?"]
        }
        #expect(seen[2].contains("acceptingBusinessRequest") && seen[0].contains("groupLinkConnecting"))
        let groups = try alice.execute(ListGroups()).groups
        #expect(groups.map(\.name).sorted() == ["bob", "cath"])
        #expect(groups.allSatisfy { $0.business?.side == .customer && $0.membership.role == .owner })
        #expect(try alice.contacts().isEmpty && alice.requests().isEmpty)
        for customer in [bob, cath] {
            let group = try customer.group()
            #expect(group.name == "alice" && group.business?.side == .business && group.membership.role == .member)
            #expect(try customer.members().map(\.name) == ["alice_1"])
            #expect(try customer.heard() == ["how can we help?"])
        }
        try bob.say("one cake")
        try house.settle([bob, alice], rounds: 2)
        let room = try #require(try alice.execute(ListGroups()).groups.first { $0.name == "bob" })
        _ = try alice.execute(
            SendMessages(.reference(.group(room.id)), [ComposedMessage(MessageContent("on its way"))]))
        try house.settle([alice, bob, cath], rounds: 2)
        #expect(try bob.heard() == ["how can we help?", "on its way"] && cath.heard() == ["how can we help?"])
    }

    @Test func preferences_change_and_the_customer_changes_nothing() throws {
        let house = try TestHouse(), (alice, link) = try business(house), bob = try house.person("bob")
        try bob.join(link.full)
        try house.settle([bob, alice]) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        var presented = try alice.group().profile
        presented.preferences?[.reactions] = GroupPreferences.Setting(false)
        _ = try alice.execute(UpdateGroup(.id(try alice.group().id), presented))
        #expect(try house.settle([alice, bob], rounds: 2)[1].contains("groupUpdated"))
        #expect(try bob.group().preferences.isOn(.reactions) == false && bob.group().name == "alice")
        #expect(throws: ChatError.self) { try bob.execute(UpdateGroup(.id(try bob.group().id), presented)) }
        // The business has another name now, and so has the chat at its customer.
        _ = try alice.execute(UpdateProfile(ProfileID(1), Profile(displayName: "alice & co")))
        try alice.say("we have a new name")
        try house.settle([alice, bob], rounds: 2)
        #expect(try bob.group().profile.displayName == "alice & co" && alice.group().profile.displayName == "bob")
    }

    @Test func a_colleague_is_invited_and_sees_the_history() throws {
        let house = try TestHouse(), (alice, link) = try business(house)
        let bob = try house.person("bob"), dan = try house.person("dan")
        try dan.join(try alice.invite())
        try house.settle([dan, alice], rounds: 3)
        try bob.join(link.full)
        try house.settle([bob, alice]) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        try bob.say("one cake")
        try house.settle([bob, alice], rounds: 2)
        let contact = try #require(try alice.contacts().first { $0.name == "dan" })
        _ = try alice.execute(
            InviteToGroup(.id(try alice.group().id), .reference(.direct(contact.id)), as: .admin))
        try house.settle([alice, dan], rounds: 2)
        _ = try dan.execute(JoinGroup(.id(try dan.group().id)))
        try house.settle([dan, alice, bob], rounds: 12) {
            try [dan, alice, bob].allSatisfy { try $0.isInGroup(with: 2) }
        }
        #expect(try dan.group().business?.side == .customer && dan.group().profile.displayName == "bob")
        #expect(try dan.heard().contains("one cake"))
        try dan.say("I bake it")
        try house.settle([dan, bob], rounds: 2)
        #expect(try bob.heard().contains("I bake it"))
    }

    @Test func a_prepared_chat_shows_the_business_and_carries_a_message() throws {
        let house = try TestHouse(), (alice, link) = try business(house), bob = try house.person("bob")
        let short = try #require(link.short)
        let plan = try bob.execute(PlanConnection(nil, link: short)).plan
        guard case .contact(let shown)? = plan.shown else {
            Issue.record("nothing is shown")
            return
        }
        #expect(shown.isBusiness)
        let text = "\(plan.link.full) \(short)"
        let prepared = try bob.execute(PrepareContact(ProfileID(1), link: text, shown)).chat
        let id = try #require(prepared.chat.group?.id)
        #expect(prepared.lastItem?.content.plainText == "how can we help?")
        #expect(try bob.group().business?.side == .business)
        _ = try bob.execute(ConnectGroup(.id(id), message: MessageContent("one cake")))
        let seen = try house.settle([bob, alice]) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        #expect(seen[0].contains("userJoinedGroup"))
        #expect(try alice.heard() == ["one cake"])
        // The welcome is there once.
        #expect(try bob.heard() == ["how can we help?"] && bob.group().id == id)
        guard case .knownGroup = try bob.execute(PlanConnection(nil, link: short)).plan.state else {
            Issue.record("a known link")
            return
        }
        #expect(try alice.execute(ListGroups()).groups.count == 1)
    }

    @Test func a_business_survives_a_restart_while_it_lets_a_customer_in() throws {
        let house = try TestHouse(), (alice, link) = try business(house), bob = try house.person("bob")
        try bob.join(link.full)
        for _ in 0..<4 {
            _ = try bob.fetch()
            _ = try alice.execute(FetchMessages(timeout: .milliseconds(20)))
            try alice.reopen()
        }
        try house.settle([alice, bob]) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        #expect(try bob.isInGroup(with: 1) && alice.isInGroup(with: 1))
        #expect(try alice.execute(ListGroups()).groups.count == 1 && bob.heard() == ["how can we help?"])
    }
}
