import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Testing

@testable import ChatCore

/// Who is in a group and how: over a real relay on loopback.
@Suite struct GroupLifeTests {
    private static let team = GroupProfile(displayName: "team", preferences: .newGroup)

    /// Lets stores fetch until nothing happens any more. Returns the types of the events of each.
    @discardableResult
    private func settle(_ stores: TestStore..., rounds: Int = 6) throws -> [[String]] {
        var types: [[String]] = stores.map { _ in [] }
        for _ in 0..<rounds {
            for (index, store) in stores.enumerated() {
                _ = try store.fetch()
                types[index] += store.events().map { type(of: $0).type }
            }
        }
        return types
    }

    private func group(_ store: TestStore) throws -> Group {
        try #require(try store.execute(ListGroups()).groups.first)
    }

    private func members(_ store: TestStore) throws -> [GroupMember] {
        try store.execute(ListMembers(.id(try group(store).id))).members
    }

    private func member(_ name: String, _ store: TestStore) throws -> GroupMember {
        try #require(try members(store).first { $0.name == name })
    }

    /// A group of alice, with its link.
    private func linked(_ alice: TestStore, role: GroupRole = .member) throws -> String {
        let made = try alice.execute(CreateGroup(ProfileID(1), GroupLifeTests.team)).group
        return try alice.execute(CreateGroupLink(.id(made.id), role)).link.link.preferred
    }

    /// Three people in one group, joined by link one after the other.
    private func trio(_ house: TestHouse) throws -> (TestStore, TestStore, TestStore) {
        let alice = try house.person("alice"), bob = try house.person("bob"), cath = try house.person("cath")
        let link = try linked(alice)
        try bob.join(link)
        try settle(alice, bob)
        try cath.join(link)
        try settle(alice, bob, cath)
        return (alice, bob, cath)
    }

    @Test func aNewGroupBeginsWithItsFeatures() throws {
        let alice = try TestHouse().person("alice")
        let made = try alice.execute(CreateGroup(ProfileID(1), GroupLifeTests.team)).group
        #expect(made.name == "team")
        #expect(made.membership.status == .creator)
        #expect(made.membership.role == .owner)
        let items = try alice.execute(ShowChat(.reference(.group(made.id)), .last(50))).items
        #expect(items.contains { $0.content == .groupEncryption(isPublic: false) })
        #expect(throws: ChatError.self) { try alice.execute(CreateGroup(ProfileID(1), GroupProfile(displayName: "#"))) }
    }

    @Test func aContactIsInvitedAndJoins() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let made = try alice.execute(CreateGroup(ProfileID(1), GroupLifeTests.team)).group
        let bobHere = try #require(try alice.contacts().first)
        _ = try alice.execute(InviteToGroup(.id(made.id), .reference(.direct(bobHere.id)), as: .member))
        #expect(try settle(alice, bob, rounds: 2)[1].contains("receivedGroupInvitation"))
        #expect(try group(bob).membership.status == .invited)
        // Again, with another role.
        _ = try alice.execute(InviteToGroup(.id(made.id), .reference(.direct(bobHere.id)), as: .admin))
        try settle(alice, bob, rounds: 2)
        #expect(try bob.execute(ListGroups()).groups.count == 1)
        #expect(try group(bob).membership.role == .admin)
        _ = try bob.execute(JoinGroup(.id(try group(bob).id)))
        let seen = try settle(bob, alice)
        #expect(seen[0].contains("userJoinedGroup"))
        #expect(seen[1].contains("joinedGroupMember"))
        #expect(try group(bob).membership.status == .connected)
        #expect(try members(alice).map(\.status) == [.connected])
        #expect(throws: ChatError.membership(.duplicateMember("bob"))) {
            try alice.execute(InviteToGroup(.id(made.id), .reference(.direct(bobHere.id)), as: .member))
        }
        #expect(throws: ChatError.membership(.notInvited)) { try bob.execute(JoinGroup(.id(try group(bob).id))) }
    }

    @Test func anInvitationIsDeclined() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        let made = try alice.execute(CreateGroup(ProfileID(1), GroupLifeTests.team)).group
        let bobHere = try #require(try alice.contacts().first)
        _ = try alice.execute(InviteToGroup(.id(made.id), .reference(.direct(bobHere.id)), as: .member))
        try settle(alice, bob, rounds: 2)
        _ = try bob.execute(DeleteChat(.reference(.group(try group(bob).id)), .full, notifies: true))
        #expect(try bob.execute(ListGroups()).groups.isEmpty)
        let notices = try bob.items("alice").compactMap { item -> GroupInvitationNotice? in
            if case .groupInvitation(let notice) = item.content { notice } else { nil }
        }
        #expect(notices.map(\.status) == [.rejected])
    }

    @Test func membersThatJoinByLinkAreIntroduced() throws {
        let house = try TestHouse(), (alice, bob, cath) = try trio(house)
        defer { house.stopRelay() }
        for store in [alice, bob, cath] {
            #expect(try members(store).count == 2)
            #expect(try members(store).allSatisfy { $0.status == .connected })
        }
        #expect(try bob.contacts().isEmpty)
        #expect(try member("cath", bob).category == .post)
        #expect(try member("bob", cath).category == .pre)
        #expect(try cath.execute(ShowGroup(.id(try group(cath).id))).group.memberCount == 3)
    }

    @Test func theLinkOfAGroupIsKnown() throws {
        let house = try TestHouse(), alice = try house.person("alice"), bob = try house.person("bob")
        let link = try linked(alice)
        #expect(link.contains("/g#"))
        guard case .ownGroup = try alice.execute(PlanConnection(nil, link: link)).plan.state else {
            Issue.record("an own link")
            return
        }
        let plan = try bob.execute(PlanConnection(nil, link: link)).plan
        #expect(plan.state == .ok)
        guard case .group(let shown)? = plan.shown else {
            Issue.record("nothing is shown")
            return
        }
        #expect(shown.profile.displayName == "team")
        let prepared = try bob.execute(PrepareGroup(ProfileID(1), link: "\(plan.link.full) \(link)", shown))
        let id = try #require(prepared.chat.chat.group?.id)
        _ = try bob.execute(ConnectGroup(.id(id)))
        #expect(try settle(bob, alice)[0].contains("userJoinedGroup"))
        #expect(try group(bob).id == id)
        guard case .knownGroup = try bob.execute(PlanConnection(nil, link: link)).plan.state else {
            Issue.record("a known link")
            return
        }
    }

    @Test func rolesChangeAndAreChecked() throws {
        let house = try TestHouse(), (alice, bob, cath) = try trio(house)
        defer { house.stopRelay() }
        let there = try group(bob)
        #expect(throws: ChatError.inGroup(.role(there, required: .admin))) {
            try bob.execute(SetMemberRole(.id(there.id), .name("cath"), .observer))
        }
        _ = try alice.execute(SetMemberRole(.id(try group(alice).id), .name("bob"), .admin))
        let seen = try settle(alice, bob, cath, rounds: 2)
        #expect(seen[1].contains("memberRole"))
        #expect(seen[2].contains("memberRole"))
        #expect(try group(bob).membership.role == .admin)
        #expect(try member("bob", cath).role == .admin)
        #expect(throws: ChatError.self) { try bob.execute(SetMemberRole(.id(there.id), .name("alice"), .member)) }
    }

    @Test func aMemberLeavesAndAnotherIsRemoved() throws {
        let house = try TestHouse(), (alice, bob, cath) = try trio(house)
        defer { house.stopRelay() }
        _ = try bob.execute(LeaveGroup(.id(try group(bob).id)))
        let seen = try settle(bob, alice, cath, rounds: 2)
        #expect(seen[1].contains("leftMember"))
        #expect(seen[2].contains("leftMember"))
        #expect(try member("bob", alice).status == .left)
        _ = try alice.execute(RemoveMembers(.id(try group(alice).id), .name("cath")))
        #expect(try settle(alice, cath, rounds: 2)[1].contains("deletedMemberUser"))
        #expect(try group(cath).membership.status == .removed)
        _ = try bob.execute(DeleteChat(.reference(.group(try group(bob).id)), .full, notifies: true))
        #expect(try bob.execute(ListGroups()).groups.isEmpty)
    }

    @Test func theOwnerChangesAndDeletesTheGroup() throws {
        let house = try TestHouse(), (alice, bob, cath) = try trio(house)
        defer { house.stopRelay() }
        var presented = GroupLifeTests.team
        presented.displayName = "squad"
        presented.preferences?[.voice] = GroupPreferences.Setting(false)
        _ = try alice.execute(UpdateGroup(.id(try group(alice).id), presented))
        #expect(try settle(alice, bob, cath, rounds: 2)[1].contains("groupUpdated"))
        #expect(try group(bob).name == "squad")
        #expect(throws: ChatError.self) { try bob.execute(UpdateGroup(.id(try group(bob).id), GroupLifeTests.team)) }
        #expect(throws: ChatError.self) {
            try bob.execute(DeleteChat(.reference(.group(try group(bob).id)), .full, notifies: true))
        }
        _ = try alice.execute(DeleteChat(.reference(.group(try group(alice).id)), .full, notifies: true))
        #expect(try settle(alice, bob, cath, rounds: 2)[1].contains("groupDeleted"))
        #expect(try group(bob).membership.status == .deleted)
    }

    @Test func moderatorsLetNewMembersIn() throws {
        let house = try TestHouse(), alice = try house.person("alice"), bob = try house.person("bob")
        var presented = GroupLifeTests.team
        presented.admission = MemberAdmission(review: .all)
        let made = try alice.execute(CreateGroup(ProfileID(1), presented)).group
        try bob.join(try alice.execute(CreateGroupLink(.id(made.id), .member)).link.link.preferred)
        try settle(alice, bob)
        #expect(try group(bob).membership.status == .pendingReview)
        #expect(try member("bob", alice).status == .pendingReview)
        _ = try alice.execute(AcceptMember(.id(made.id), .name("bob"), as: .member))
        #expect(try settle(alice, bob, rounds: 2)[1].contains("userJoinedGroup"))
        #expect(try group(bob).membership.status == .connected)
    }

    @Test func aMemberIsBlockedForAll() throws {
        let house = try TestHouse(), (alice, bob, cath) = try trio(house)
        defer { house.stopRelay() }
        _ = try alice.execute(BlockMembers(.id(try group(alice).id), .name("bob"), true))
        #expect(try settle(alice, bob, cath, rounds: 2)[2].contains("memberBlockedForAll"))
        #expect(try member("bob", cath).isBlockedForAll)
        #expect(try !group(bob).membership.isBlockedForAll)
    }

    @Test func aMemberBecomesAContact() throws {
        let house = try TestHouse(), (_, bob, cath) = try trio(house)
        defer { house.stopRelay() }
        let made = try bob.execute(CreateMemberContact(.id(try group(bob).id), try member("cath", bob).id))
        let contact = try #require(made.contact)
        #expect(contact.name == "cath")
        _ = try bob.execute(InviteMemberContact(contact.id, message: MessageContent("between us")))
        try settle(bob, cath, rounds: 2)
        if let waiting = try cath.contacts().first, waiting.invitesUser {
            #expect(waiting.connection?.status == .prepared)
            _ = try cath.execute(AcceptMemberContact(.reference(.direct(waiting.id))))
        }
        try settle(cath, bob)
        #expect(try bob.contacts().first?.isReady == true)
        #expect(try cath.texts("bob").contains("between us"))
    }

    /// Bob invites cath, a member, to a direct chat.
    private func inviteToChat(_ cath: TestStore, _ bob: TestStore) throws {
        let made = try bob.execute(CreateMemberContact(.id(try group(bob).id), try member("cath", bob).id))
        _ = try bob.execute(InviteMemberContact(try #require(made.contact).id))
        try settle(bob, cath, rounds: 2)
    }

    /// Who deleted the other one, or whose invitation was not accepted, invites again.
    @Test func aMemberInvitesAgain() throws {
        let house = try TestHouse(), (_, bob, cath) = try trio(house)
        defer { house.stopRelay() }
        func invite() throws { try inviteToChat(cath, bob) }
        func remove() throws {
            let contact = try #require(try bob.contacts().first)
            _ = try bob.execute(DeleteChat(.reference(.direct(contact.id)), .full, notifies: true))
            try settle(bob, cath, rounds: 2)
        }
        func accept() throws {
            let waiting = try #require(try cath.contacts().first)
            #expect(!waiting.isReady && waiting.memberInvitation?.isSent == false && waiting.status == .active)
            _ = try cath.execute(AcceptMemberContact(.reference(.direct(waiting.id))))
            try settle(cath, bob)
            #expect(try bob.contacts().first?.isReady == true && cath.contacts().first?.isReady == true)
        }
        try invite()
        let first = try #require(try cath.contacts().first)
        // The first invitation is of no use any more.
        try remove()
        try invite()
        #expect(try cath.contacts().map(\.id) == [first.id])
        #expect(try cath.contacts().first?.memberInvitation?.link != first.memberInvitation?.link)
        try accept()
        try remove()
        #expect(try cath.contacts().first?.status == .deleted)
        try invite()
        try accept()
        #expect(try cath.contacts().map(\.id) == [first.id])
        let chat = ChatTarget.reference(.direct(first.id))
        let items = try cath.execute(ShowChat(chat, .last(100))).items
        #expect(items.contains { $0.content == .securityCodeChanged })
    }

    /// Who lost the contact, and could not tell, invites again. What worked goes on until the invitation is accepted.
    @Test func aMemberThatLostTheContactInvitesAgain() throws {
        let house = try TestHouse(), (_, bob, cath) = try trio(house)
        defer { house.stopRelay() }
        func invite() throws { try inviteToChat(cath, bob) }
        func accept() throws {
            let contact = try #require(try cath.contacts().first)
            #expect(contact.invitesUser)
            _ = try cath.execute(AcceptMemberContact(.reference(.direct(contact.id))))
            try settle(cath, bob)
        }
        try invite()
        try accept()
        let first = try #require(try cath.contacts().first), connection = try #require(first.connection)
        let lost = try #require(try bob.contacts().first)
        _ = try bob.execute(DeleteChat(.reference(.direct(lost.id)), .full, notifies: false))
        try settle(bob, cath, rounds: 2)
        #expect(try cath.contacts().first?.isReady == true)

        try invite()
        let invited = try #require(try cath.contacts().first)
        #expect(invited.id == first.id && invited.isReady && invited.connection?.id == connection.id)
        try accept()
        let again = try #require(try cath.contacts().first), renewed = try #require(try bob.contacts().first)
        #expect(again.id == first.id && again.isReady && again.connection?.id != connection.id)
        _ = try cath.send("still here", to: "bob")
        _ = try bob.send("so am I", to: "cath")
        try settle(cath, bob, rounds: 3)
        #expect(try bob.texts("cath").contains("still here") && cath.texts("bob").contains("so am I"))
        #expect(renewed.isReady)
        // Both connections belong to the contact, and go with it.
        #expect(try cath.execute(ListContacts(ProfileID(1))).contacts.count == 1)
        _ = try cath.execute(DeleteChat(.reference(.direct(again.id)), .full, notifies: true))
        try settle(cath, bob, rounds: 2)
        #expect(try cath.contacts().isEmpty && bob.contacts().first?.status == .deleted)
    }
}
