import AgentProtocol
import ChatProtocol
import SMPProtocol
import TestSupport
import Testing

@testable import ChatCore

/// Links of groups, members with the same name, members that come back, and members that nobody knows.
@Suite struct GroupLinkTests {
    @Test func the_role_of_a_link_is_that_of_those_who_join() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob"), cath = try house.person("cath")
        let link = try house.linkedGroup(of: alice, role: .observer)
        let id = GroupTarget.id(try alice.group().id)
        #expect(try alice.execute(ShowGroupLink(id)).link.role == .observer)
        #expect(throws: ChatError.self) { try alice.execute(CreateGroupLink(id, .member)) }
        #expect(throws: ChatError.self) { try alice.execute(SetGroupLinkRole(id, .admin)) }
        try bob.join(link)
        try house.settle([bob, alice]) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        #expect(try bob.group().membership.role == .observer && alice.member("bob").role == .observer)
        _ = try alice.execute(SetGroupLinkRole(id, .member))
        try cath.join(link)
        try house.settle([cath, alice]) { try cath.status() == .connected }
        #expect(try cath.group().membership.role == .member && alice.member("bob").role == .observer)
    }

    @Test func a_deleted_link_lets_nobody_in() throws {
        let house = try TestHouse(), alice = try house.person("alice"), bob = try house.person("bob")
        let link = try house.linkedGroup(of: alice), id = GroupTarget.id(try alice.group().id)
        _ = try alice.execute(DeleteGroupLink(id))
        #expect(throws: ChatError.self) { try alice.execute(ShowGroupLink(id)) }
        try bob.join(link)
        try house.settle([bob, alice], rounds: 3)
        #expect(try bob.execute(ListGroups()).groups.isEmpty && alice.members().isEmpty)
        let other = try alice.execute(CreateGroupLink(id, .member)).link.link.preferred
        #expect(other != link)
        try bob.join(other)
        try house.settle([bob, alice]) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        #expect(try bob.isInGroup(with: 1))
    }

    @Test func members_with_one_name_are_told_apart() throws {
        let house = try TestHouse(), alice = try house.person("alice")
        let link = try house.linkedGroup(of: alice)
        var others: [TestStore] = []
        for number in 1...3 {
            let other = TestStore(house.loop, StoreFolder(house.folder.path + "/same\(number)"))
            try other.folder.create()
            try other.open(.creating)
            _ = try other.execute(CreateProfile(Profile(displayName: "bob")))
            _ = try other.execute(SetServers(ProfileID(1), [ConfiguredServer(address: house.address)]))
            others.append(other)
            try other.join(link)
            try house.settle([other, alice]) { try other.status() == .connected }
        }
        try house.settle(others + [alice], rounds: 8) { try others.allSatisfy { try $0.isInGroup(with: 3) } }
        #expect(try alice.members().map(\.name).sorted() == ["bob", "bob_1", "bob_2"])
        // The name of the user itself is taken too.
        #expect(try others.first?.members().map(\.name).sorted() == ["alice", "bob_1", "bob_2"])
        for other in others { #expect(try other.isInGroup(with: 3)) }
    }

    @Test func who_left_comes_back_as_another_member() throws {
        let house = try TestHouse(), (alice, bob, cath) = try house.trio()
        let link = try alice.execute(ShowGroupLink(.id(try alice.group().id))).link.link.preferred
        let former = try bob.group()
        // Nobody joins twice.
        guard case .planned(let plan) = try bob.execute(Connect(nil, link: link, name: nil)).outcome else {
            Issue.record("a member joins again")
            return
        }
        #expect(plan.state == .knownGroup(try bob.group()))
        try house.settle([bob, alice, cath], rounds: 2)
        #expect(try bob.execute(ListGroups()).groups.count == 1 && alice.members().count == 2)
        _ = try bob.execute(LeaveGroup(.id(former.id)))
        try house.settle([bob, alice, cath], rounds: 2)
        #expect(try bob.execute(PlanConnection(nil, link: link)).plan.state == .ok)
        try bob.join(link)
        try house.settle([bob, alice, cath], rounds: 10) {
            try bob.isInGroup(with: 2) && cath.isInGroup(with: 2) && alice.isInGroup(with: 2)
        }
        let group = try bob.group()
        #expect(group.id != former.id && group.membership.memberID != former.membership.memberID)
        #expect(try bob.isInGroup(with: 2) && cath.isInGroup(with: 2))
        #expect(try alice.members().map(\.status).sorted() == [.left, .connected, .connected])
        #expect(try alice.members().map(\.name).sorted() == ["bob", "bob_1", "cath"])
        try bob.say("I am back")
        try house.settle([bob, alice, cath], rounds: 2)
        #expect(try alice.heard() == ["I am back"] && cath.heard() == ["I am back"])
    }

    @Test func an_incognito_member_is_known_by_another_name_only() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), bob = try house.person("bob"), cath = try house.person("cath")
        try cath.join(try bob.invite())
        try house.settle([cath, bob], rounds: 3)
        let link = try house.linkedGroup(of: alice)
        _ = try bob.execute(Connect(nil, link: link, name: nil, isIncognito: true))
        try house.settle([bob, alice]) { try bob.isInGroup(with: 1) && alice.isInGroup(with: 1) }
        try cath.join(link)
        try house.settle([bob, alice, cath], rounds: 10) {
            try [alice, bob, cath].allSatisfy { try $0.isInGroup(with: 2) }
        }
        #expect(try bob.group().membership.isIncognito)
        let disguise = try bob.group().membership.profile.displayName
        #expect(disguise != "bob")
        for store in [alice, cath] {
            #expect(try store.members().contains { $0.profile.displayName == disguise })
            #expect(try !store.members().contains { $0.profile.displayName == "bob" || $0.contactID != nil })
        }
        // The contact is not recognised either.
        #expect(try bob.members().allSatisfy { $0.contactID == nil })
    }

    @Test func a_prepared_group_moves_to_another_profile() throws {
        let house = try TestHouse(), alice = try house.person("alice"), bob = try house.person("bob")
        let link = try house.linkedGroup(of: alice)
        let plan = try bob.execute(PlanConnection(nil, link: link)).plan
        guard case .group(let shown)? = plan.shown else {
            Issue.record("nothing is shown")
            return
        }
        let prepared = try bob.execute(PrepareGroup(ProfileID(1), link: "\(plan.link.full) \(link)", shown))
        let id = try #require(prepared.chat.chat.group?.id)
        let work = try bob.execute(CreateProfile(Profile(displayName: "work"))).profile
        _ = try bob.execute(SetServers(work.id, [ConfiguredServer(address: house.address)]))
        let moved = try bob.execute(MoveGroup(.id(id), to: work.id))
        #expect(moved.group.profileID == work.id && moved.former.id == id)
        _ = try bob.execute(ConnectGroup(.id(moved.group.id)))
        try house.settle([bob, alice], rounds: 5) { try alice.isInGroup(with: 1) }
        #expect(try alice.members().map(\.name) == ["work"])
        #expect(throws: ChatError.self) { try bob.execute(MoveGroup(.id(moved.group.id), to: ProfileID(1))) }
    }
}
