import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Testing

@testable import ChatCore

/// Tags, marks, settings and pages of chats.
@Suite struct ChatChoicesTests {
    private static let profile = ProfileID(1)

    private func names(_ store: TestStore, _ page: ChatPage? = nil, _ query: ChatQuery? = nil) throws -> [String] {
        try store.execute(ListChats(Self.profile, page: page, query: query)).chats.map(\.chat.name)
    }

    @Test func tags_are_made_put_on_chats_ordered_and_removed() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends(), bob = try #require(try alice.contacts().first)
        let chat = ChatTarget.reference(.direct(bob.id))
        _ = try alice.execute(CreateTag(TagText("family")))
        let tags = try alice.execute(CreateTag(TagText("work", emoji: "💼"))).tags
        #expect(tags.map(\.text) == ["family", "work"] && tags.map(\.emoji) == [nil, "💼"])
        #expect(throws: ChatError.tagTaken("work")) { try alice.execute(CreateTag(TagText("work"))) }
        #expect(throws: ChatError.tagTaken("💼")) { try alice.execute(CreateTag(TagText("job", emoji: "💼"))) }
        let both = tags.map(\.id)
        #expect(try alice.execute(TagChat(chat, both + [TagID(99)])).tags == both)
        #expect(try alice.contacts().first?.marks.tags == both)
        _ = try alice.execute(OrderTags([both[1], both[0]]))
        _ = try alice.execute(UpdateTag(both[1], TagText("office")))
        #expect(try alice.execute(ListTags(Self.profile)).tags.map(\.text) == ["office", "family"])
        _ = try alice.execute(DeleteTag(both[0]))
        #expect(try alice.contacts().first?.marks.tags == [both[1]])
        #expect(try alice.execute(TagChat(chat, [])).tags.isEmpty)
    }

    @Test func chats_come_in_pages_and_are_searched() throws {
        let house = try TestHouse()
        let alice = try house.person("alice")
        for name in ["bob", "carol"] {
            let friend = try house.person(name)
            try friend.join(try alice.invite())
            for store in [alice, friend, alice] { _ = try store.fetch() }
        }
        let (bob, carol) = (ChatTarget.name("bob"), ChatTarget.name("carol"))
        try alice.send("older", to: "bob")
        try alice.send("newer", to: "carol")
        #expect(try names(alice) == ["carol", "bob"])
        #expect(try names(alice, .last(1)) == ["carol"])
        let chats = try alice.execute(ListChats(Self.profile)).chats.map(\.chat)
        let times = try chats.map { try #require($0.activeAt) }
        #expect(try names(alice, .before(times[0], 5)) == (times[1] < times[0] ? ["bob"] : []))
        #expect(try names(alice, .after(times[1], 5)) == (times[1] < times[0] ? ["carol"] : []))
        _ = try alice.execute(SetAlias(carol, "Karoline"))
        #expect(try names(alice, nil, .search("KAROL")) == ["carol"])
        #expect(try names(alice, nil, .search("x")).isEmpty)
        _ = try alice.execute(
            SetChatSettings(bob, ChatSettings(isMuted: false, sendsReceipts: nil, isFavorite: true)))
        #expect(try names(alice, nil, .filters(isFavorite: true, isUnread: false)) == ["bob"])
        #expect(try names(alice, nil, .filters(isFavorite: false, isUnread: true)).isEmpty)
        _ = try alice.execute(MarkChatUnread(carol, true))
        #expect(try names(alice, nil, .filters(isFavorite: false, isUnread: true)) == ["carol"])
        #expect(try names(alice, nil, .filters(isFavorite: true, isUnread: true)) == ["carol", "bob"])
        _ = try alice.execute(MarkAllRead())
        #expect(try names(alice, nil, .filters(isFavorite: false, isUnread: true)).isEmpty)
    }

    @Test func a_deleted_conversation_comes_back_with_a_message() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends(), chat = ChatTarget.name("bob")
        try alice.send("hi", to: "bob")
        _ = try alice.fetch()
        let deleted = try alice.execute(DeleteChat(chat, .messages, notifies: true))
        #expect(deleted.chat.marks.isDeleted && deleted.fields["contact"]?.object?["chatDeleted"] == true)
        #expect(try alice.items("bob").isEmpty)
        try bob.send("still there?", to: "alice")
        for store in [bob, alice] { _ = try store.fetch() }
        #expect(try alice.contacts().map(\.marks.isDeleted) == [false])
        let left = try alice.execute(DeleteChat(chat, .entity, notifies: false))
        #expect(left.chat.contact?.status == .deletedByUser)
        #expect(try alice.execute(ClearChat(chat)).chat.reference == left.chat.reference)
        #expect(try alice.items("bob").isEmpty)
    }

    @Test func what_other_programs_keep_of_a_chat_comes_back() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends(), chat = ChatTarget.name("bob")
        _ = try alice.execute(SetCustomData(chat, ["a": 1]))
        _ = try alice.execute(SetTheme(chat, ["light": .object(["mode": "light", "colors": .object([:])])]))
        let contact = try #require(try alice.contacts().first)
        #expect(contact.fields["customData"] == .object(["a": 1]) && contact.marks.themes != nil)
        _ = try alice.execute(SetCustomData(chat, nil))
        #expect(try alice.contacts().first?.marks.customData == nil)
    }

    @Test func a_hidden_profile_is_active_with_its_password_until_the_store_is_opened_again() throws {
        let house = try TestHouse()
        let alice = try house.person("alice"), work = ProfileID(2)
        #expect(throws: ChatError.profilePrivacy(Self.profile, .lastVisible)) {
            try alice.execute(HideProfile(Self.profile, password: "secret"))
        }
        _ = try alice.execute(CreateProfile(Profile(displayName: "work")))
        #expect(throws: ChatError.profilePrivacy(work, .emptyPassword)) {
            try alice.execute(HideProfile(work, password: ""))
        }
        #expect(try alice.execute(HideProfile(work, password: "secret")).profile.isHidden)
        _ = try alice.execute(ActivateProfile(Self.profile))
        #expect(try alice.execute(ListProfiles()).profiles.map(\.name) == ["alice"])
        for command in [ActivateProfile(work), ActivateProfile(work, password: "wrong"), ActivateProfile(ProfileID(9))]
        {
            #expect(throws: ChatError.profileNotFound(command.id)) { try alice.execute(command) }
        }
        #expect(try alice.execute(ActivateNamedProfile(name: "work", password: "secret")).profile.isActive)
        #expect(try alice.execute(ListProfiles()).profiles.map(\.name) == ["alice", "work"])
        #expect(throws: ChatError.profilePrivacy(work, .alwaysMuted)) { try alice.execute(MuteProfile(work, false)) }
        try alice.open(.writing)
        #expect(try alice.execute(ListProfiles()).profiles.map(\.name) == ["alice"])
        #expect(try !alice.execute(UnhideProfile(work, password: "secret")).profile.isHidden)
        #expect(throws: ChatError.profilePrivacy(work, .notHidden)) {
            try alice.execute(UnhideProfile(work, password: "secret"))
        }
    }

    @Test func retention_is_read_back_and_no_seconds_are_no_limit() throws {
        let house = try TestHouse()
        let (alice, _) = try house.friends(), chat = ChatTarget.name("bob")
        #expect(try alice.execute(ShowRetention()).fields["chatItemTTL"] == 0)
        _ = try alice.execute(SetRetention(Self.profile, .limited(seconds: 86400)))
        #expect(try alice.execute(ShowRetention()).fields["chatItemTTL"] == 86400)
        _ = try alice.execute(SetRetention(Self.profile, .limited(seconds: 0)))
        #expect(try alice.execute(ShowRetention()).fields["chatItemTTL"] == 0)
        #expect(try alice.execute(ShowChatRetention(chat)).seconds == nil)
        _ = try alice.execute(SetRetention(Self.profile, in: chat, .limited(seconds: 0)))
        #expect(try alice.execute(ShowChatRetention(chat)).seconds == 0)
    }
}
