import AgentProtocol
import ByteCoding
import ChatProtocol
import Testing

@testable import ChatCore

/// Rules about contacts and answers that people and bots of the official client 7.0 rely on. Random walks of official clients
/// showed each.
@Suite struct SharedContactRuleTests {
    private func chat(_ store: TestStore) throws -> ChatTarget {
        .reference(.direct(try #require(try store.contacts().first).id))
    }

    /// A group of alice to which she invited bob.
    private func invited(_ alice: TestStore, _ bob: TestStore) throws -> Group {
        let team = GroupProfile(displayName: "team", preferences: .newGroup)
        let made = try alice.execute(CreateGroup(ProfileID(1), team)).group
        _ = try alice.execute(InviteToGroup(.id(made.id), try chat(alice), as: .member))
        for store in [alice, bob] { _ = try store.fetch() }
        return made
    }

    private func entries(_ store: TestStore, _ group: Group) throws -> [ChatItem] {
        try store.execute(ShowChat(.reference(.group(group.id)), .last(50))).items
    }

    @Test func the_end_of_a_contact_does_not_count_as_unread() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        _ = try alice.execute(MarkChatRead(try chat(alice)))
        _ = try bob.execute(DeleteChat(try chat(bob), .full, notifies: true))
        _ = try alice.fetch()
        let last = try #require(try alice.items("bob").last)
        #expect(last.content == .contactDeleted && last.status == .receivedRead)
        #expect(try alice.contacts().first?.unreadCount == 0)
    }

    @Test func an_accepted_invitation_stays_pending_for_those_who_sent_it() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        _ = try invited(alice, bob)
        _ = try bob.execute(JoinGroup(.id(try bob.group().id)))
        try house.settle([bob, alice]) { try alice.isInGroup(with: 1) && bob.isInGroup(with: 1) }
        func statuses(_ store: TestStore, _ name: String) throws -> [GroupInvitationNotice.Status] {
            try store.items(name).compactMap { item in
                if case .groupInvitation(let notice) = item.content { notice.status } else { nil }
            }
        }
        #expect(try statuses(alice, "bob") == [.pending] && statuses(bob, "alice") == [.accepted])
    }

    @Test func a_group_has_its_banner_before_the_user_joins() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        _ = try invited(alice, bob)
        #expect(try bob.status() == .invited)
        #expect(try entries(bob, bob.group()).map(\.content) == [.banner])
        _ = try bob.execute(JoinGroup(.id(try bob.group().id)))
        try house.settle([bob, alice]) { try bob.isInGroup(with: 1) }
        #expect(try entries(bob, bob.group()).count { $0.content == .banner } == 1)
    }

    @Test func a_member_keeps_the_name_of_a_deleted_contact() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        _ = try invited(alice, bob)
        _ = try bob.execute(JoinGroup(.id(try bob.group().id)))
        try house.settle([bob, alice]) { try alice.isInGroup(with: 1) && bob.isInGroup(with: 1) }
        _ = try bob.execute(UpdateProfile(ProfileID(1), Profile(displayName: "robert")))
        try house.settle([alice]) { try alice.contacts().first?.name == "robert" }
        #expect(try alice.member("robert").name == "robert")
        _ = try alice.execute(DeleteChat(try chat(alice), .full, notifies: false))
        #expect(try alice.contacts().isEmpty && alice.member("robert").name == "robert")
    }

    @Test func an_own_name_has_no_slash() throws {
        let alice = try TestHouse().person("alice")
        #expect(throws: ChatError.invalidName("a/b", suggestion: "ab")) {
            try alice.execute(UpdateProfile(ProfileID(1), Profile(displayName: "a/b")))
        }
        #expect(try alice.execute(ShowActiveProfile()).profile.name == "alice")
    }

    // MARK: - Answers

    @Test func an_unknown_emoji_is_refused_before_the_message_is_looked_for() throws {
        let house = try TestHouse(), (alice, _) = try house.friends()
        let item = try alice.send("hello", to: "bob")
        for id in [item.id, ChatItemID(99999)] {
            let text = #"/_reaction @1 \#(id.number) on {"type":"emoji","emoji":"🤡"}"#
            let command = try #require(try ChatCommands.parse(text) as? React)
            #expect(throws: ChatError.commandSyntax) { try alice.execute(command) }
        }
        #expect(try alice.items("bob").last?.reactions.isEmpty == true)
        let thumb = try #require(Reaction(emoji: "👍"))
        #expect(throws: ChatError.itemNotFound(ChatItemID(99999))) {
            try alice.execute(React(try chat(alice), ChatItemID(99999), thumb, isAdded: true))
        }
    }

    @Test func a_page_around_a_missing_message_is_refused() throws {
        let house = try TestHouse(), (alice, bob) = try house.friends()
        try alice.send("hello", to: "bob")
        let missing = ChatItemID(99999), group = try invited(alice, bob)
        let elsewhere = try #require(try entries(alice, group).first).id
        for id in [missing, elsewhere] {
            for range in [ItemRange.after(id, 3), .before(id, 3), .around(id, 3)] {
                #expect(throws: ChatError.itemNotFound(id)) { try alice.execute(ShowChat(try chat(alice), range)) }
            }
        }
    }

    @Test func a_profile_that_is_not_there_is_not_the_active_one() throws {
        let alice = try TestHouse().person("alice")
        #expect(throws: ChatError.differentProfile(ProfileID(999), active: ProfileID(1))) {
            try alice.execute(UpdateProfile(ProfileID(999), Profile(displayName: "alix")))
        }
        #expect(try alice.execute(ShowActiveProfile()).profile.name == "alice")
    }

    @Test func members_that_reacted_are_asked_for_in_groups_only() throws {
        let house = try TestHouse(), (alice, _) = try house.friends()
        let item = try alice.send("hello", to: "bob"), thumb = try #require(Reaction(emoji: "👍"))
        for target in [try chat(alice), .name("bob")] {
            #expect(throws: ChatError.commandSyntax) {
                try alice.execute(ShowReactionMembers(ProfileID(1), target, item.id, thumb))
            }
        }
    }
}
