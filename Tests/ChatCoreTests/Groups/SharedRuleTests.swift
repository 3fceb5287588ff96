import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import Store
import Testing

@testable import ChatCore

/// Rules in groups that people and bots of the official client 7.0 rely on. Random walks of official clients showed each.
@Suite struct SharedRuleTests {
    /// A message of a later version.
    private let later = MessageContent(
        "of tomorrow", kind: .unknown(["type": "later", "text": "of tomorrow", "more": .array([1])]))

    private func content(_ team: GroupBench, _ item: ChatItem) throws -> MessageContent? {
        guard case .message(let content) = try team.bench.store.item(item.id)?.content else { return nil }
        return content
    }

    // MARK: - What is sent

    @Test func a_time_is_left_out_where_messages_do_not_disappear() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        let sent = try team.conversations.send(
            SendMessages(team.target, [ComposedMessage(MessageContent("hello"))], ttl: 3600))
        #expect(sent.items.map(\.item.ttl) == [nil])
        guard case .message(let container) = team.sent(to: bob).first?.event else {
            Issue.record("no message")
            return
        }
        #expect(container.ttl == nil && container.content.text == "hello")
    }

    @Test func an_empty_text_is_sent() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        #expect(try content(team, team.send(""))?.text == "")
        #expect(team.sent(to: bob).count == 1)
        try team.receive("", 1, from: bob)
        #expect(try team.texts() == ["", ""])
    }

    @Test func an_edit_gives_a_message_its_kind() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        let sent = try team.conversations.send(SendMessages(team.target, [ComposedMessage(later)])).items[0].item
        let edited = try team.conversations.edit(EditItem(team.target, sent.id, MessageContent("x"))).item.item
        #expect(edited.content == .message(MessageContent("x")) && edited.editedAt != nil)
        // The commands for people keep what a message carries besides its text.
        let caption = try team.conversations.send(
            SendMessages(team.target, [ComposedMessage(MessageContent("a", kind: .image(preview: "data:")))]))
        #expect(caption.items[0].item.content(saying: "b") == MessageContent("b", kind: .image(preview: "data:")))
        try team.receive(.message(MessageContainer(later)), 1, from: bob)
        try team.receive(.update(MessageUpdate(Workbench.sharedID(1), MessageContent("y"))), from: bob)
        let received = try #require(try team.items().last)
        #expect(received.content == .message(MessageContent("y")) && received.editedAt != nil)
    }

    @Test func an_answer_quotes_all_kinds() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        let voice = MessageContent("", kind: .voice(seconds: 5))
        for (number, content) in [voice, later].enumerated() {
            try team.receive(.message(MessageContainer(content)), UInt8(number + 1), from: bob)
            let quoted = try #require(try team.items().last)
            #expect(try team.send("answer", answering: quoted.id).quote?.content == content)
        }
    }

    @Test func a_forward_within_a_group_keeps_its_mentions() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.receive("hi @alice", 1, from: bob, mentions: ["alice": GroupBench.memberID(1)])
        let mention = try #require(try team.items().first)
        let forwarded = try team.conversations.forward([mention.id], from: team.target, to: team.target, ttl: nil).items
        #expect(forwarded.first?.item.group?.mentions["alice"]?.memberID == GroupBench.memberID(1))
    }

    @Test func mentions_have_the_present_names() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        let message = ComposedMessage(MessageContent("ping @bob"), mentions: ["bob": bob.id])
        let item = try team.conversations.send(SendMessages(team.target, [message])).items[0].item
        try team.bench.store.transaction {
            try team.bench.store.database.run(
                "UPDATE group_members SET profile = ? WHERE group_member_id = ?",
                Profile(displayName: "robert").json.line, bob.id.number)
        }
        let mention = try team.bench.store.item(item.id)?.group?.mentions["bob"]
        #expect(mention?.member?.displayName == "robert" && mention?.memberID == bob.memberID)
    }

    // MARK: - Moderation

    @Test func an_own_message_is_moderated() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob")
        let item = try team.send("oops")
        let deleted = try team.conversations.moderate([item.id], in: team.target).deleted
        #expect(deleted.first?.after?.item.group?.removal == .moderated)
        guard case .deletion(let deletion) = team.sent(to: bob).last?.event else {
            Issue.record("no deletion")
            return
        }
        #expect(deletion.memberID == GroupBench.memberID(1))
        #expect(throws: ChatError.self) {
            try team.conversations.edit(EditItem(team.target, item.id, MessageContent("better")))
        }
    }

    @Test(arguments: [false, true])
    func a_member_moderates_its_own_message(deletesFully: Bool) throws {
        let team = try GroupBench(), bob = try team.member("bob", .moderator)
        if deletesFully { try team.set(.fullDelete, GroupPreferences.Setting(true)) }
        try team.receive("oops", 1, from: bob)
        try team.receive(.deletion(MessageDeletion(Workbench.sharedID(1), of: bob.memberID)), from: bob)
        let item = try #require(try team.items().first)
        #expect(item.group?.removal == .moderated && item.group?.moderator?.id == bob.id)
        #expect((item.content == .moderated) == deletesFully)
    }

    @Test(arguments: [false, true])
    func a_moderated_message_keeps_its_mentions(isOwn: Bool) throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob")
        try team.set(.fullDelete, GroupPreferences.Setting(true))
        if isOwn {
            let message = ComposedMessage(MessageContent("ping @bob"), mentions: ["bob": bob.id])
            _ = try team.conversations.send(SendMessages(team.target, [message]))
        } else {
            try team.receive("ping @bob", 1, from: bob, mentions: ["bob": bob.memberID])
        }
        let item = try #require(try team.items().first)
        _ = try team.conversations.moderate([item.id], in: team.target)
        let moderated = try #require(try team.bench.store.item(item.id))
        #expect(moderated.content == .moderated && moderated.group?.mentions["bob"]?.memberID == bob.memberID)
    }

    @Test func a_removal_with_messages_marks_all_entries() throws {
        let team = try GroupBench(role: .owner), bob = try team.member("bob")
        try team.receive("hello", 1, from: bob)
        try team.bench.store.transaction {
            _ = try team.bench.store.insert(
                ChatStore.NewGroupNotice(
                    content: .groupEvent(.memberConnected), direction: .received, author: bob.id, time: team.bench.now),
                in: team.id, at: team.bench.now)
        }
        _ = try team.groups.remove([bob.id], from: team.group(), withMessages: true)
        let ofBob = try team.items().filter { $0.group?.author?.id == bob.id }
        #expect(ofBob.count == 2 && ofBob.allSatisfy { $0.group?.removal == .moderated })
    }

    // MARK: - Members that are blocked for all

    @Test func messages_of_a_blocked_member_count_as_unread() throws {
        let team = try GroupBench(role: .owner), bob = try team.member("bob")
        _ = try team.groups.block([bob.id], in: team.group(), true)
        try team.receive("@alice", 1, from: bob, mentions: ["alice": GroupBench.memberID(1)])
        let item = try #require(try team.items().last)
        #expect(item.group?.removal == .blockedForAll && item.status == .receivedNew)
        #expect(try team.group().unreadMentions == 1)
    }

    @Test func a_blocked_member_reacts() throws {
        let team = try GroupBench(role: .owner), bob = try team.member("bob")
        _ = try team.groups.block([bob.id], in: team.group(), true)
        let item = try team.send("hello"), thumb = try #require(Reaction(emoji: "👍"))
        let sharedID = try #require(item.sharedID)
        try team.receive(
            .reaction(MessageReaction(sharedID, thumb, isAdded: true, of: GroupBench.memberID(1))), from: bob)
        #expect(try team.bench.store.item(item.id)?.reactions.count == 1)
    }

    @Test func a_block_is_told_each_time() throws {
        let team = try GroupBench(role: .owner), bob = try team.member("bob"), cath = try team.member("cath")
        for _ in 0..<2 { _ = try team.groups.block([bob.id], in: team.group(), false) }
        #expect(team.sent(to: cath).count == 2)
        #expect(
            try team.items().count { if case .groupEvent(.memberBlocked) = $0.content { true } else { false } } == 2)
    }

    // MARK: - Ids that are gone, and the order of checks

    @Test func missing_messages_are_passed_over() throws {
        let team = try GroupBench(role: .moderator)
        _ = try team.member("bob")
        let missing = ChatItemID(99999), item = try team.send("hello")
        #expect(try team.conversations.delete(DeleteItems(team.target, [missing], .broadcast)).deleted.isEmpty)
        #expect(try team.conversations.moderate([missing], in: team.target).deleted.isEmpty)
        #expect(try team.conversations.forward([missing], from: team.target, to: team.target, ttl: nil).items.isEmpty)
        #expect(try team.bench.conversations().planForward([missing, item.id], from: team.target).items == [item.id])
        #expect(
            try team.conversations.delete(DeleteItems(team.target, [missing, item.id], .internal)).deleted.count == 1)
    }

    @Test func the_mode_for_channels_is_refused() throws {
        let team = try GroupBench(role: .owner)
        _ = try team.member("bob")
        let item = try team.send("hello")
        let error = #expect(throws: ChatError.self) {
            try team.conversations.delete(DeleteItems(team.target, [item.id], .history))
        }
        #expect(error?.fields["errorType"]?.object?["type"] == "invalidChatItemDelete")
        // It is looked at before the ids.
        #expect(throws: ChatError.self) {
            try team.conversations.delete(DeleteItems(team.target, [ChatItemID(99999)], .history))
        }
    }

    @Test func the_role_is_asked_first() throws {
        let team = try GroupBench(role: .observer)
        _ = try team.member("bob")
        func isAboutRole(_ error: ChatError?) -> Bool {
            if case .inGroup(.role)? = error { true } else { false }
        }
        let missing = ChatItemID(99999)
        #expect(isAboutRole(#expect(throws: ChatError.self) { try team.send("answer", answering: missing) }))
        #expect(
            isAboutRole(
                #expect(throws: ChatError.self) {
                    try team.conversations.edit(EditItem(team.target, missing, MessageContent("x")))
                }))
    }

    @Test func a_quote_of_a_deleted_message_is_an_error_of_the_store() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob")
        try team.receive("hello", 1, from: bob)
        let item = try #require(try team.items().first)
        _ = try team.conversations.moderate([item.id], in: team.target)
        let error = #expect(throws: ChatError.self) { try team.send("answer", answering: item.id) }
        #expect(error?.fields["storeError"]?.object?["type"] == "invalidQuote")
    }

    @Test func a_member_that_is_not_there_is_an_error_of_the_command() throws {
        let team = try GroupBench(role: .owner), membership = try team.group().membership
        for id in [GroupMemberID(99), membership.id] {
            let error = #expect(throws: ChatError.self) {
                try team.groups.remove([id], from: team.group(), withMessages: false)
            }
            #expect(error?.fields["errorType"]?.object?["type"] == "groupMemberNotFound")
        }
    }

    // MARK: - Reading

    @Test func reading_leaves_the_mark_and_reads_support_chats() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob")
        try team.receive("hello", 1, from: bob)
        try team.receive("help", 2, from: bob, scope: .support(bob.memberID))
        try team.bench.store.transaction {
            try team.bench.store.database.run("UPDATE chats SET is_unread = 1")
            try team.bench.store.markRead(.group(team.id), at: team.bench.now)
        }
        #expect(try team.group().marks.isUnread)
        #expect(try team.items(support: bob).map(\.status) == [.receivedRead])
    }

    @Test func a_report_of_an_own_message_counts_as_a_mention() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob")
        let item = try team.send("hello")
        let reference = MessageReference(
            id: item.sharedID, sentAt: WireTime(item.time), isOwn: false, memberID: GroupBench.memberID(1))
        let report = MessageContainer(
            MessageContent("spam", kind: .report(.spam)), quote: Quote(reference, content: MessageContent("hello")),
            scope: .support(bob.memberID))
        try team.receive(.message(report), 1, from: bob)
        #expect(try team.member(bob.id).supportChat?.mentionCount == 1)
    }

    @Test func a_moderation_counts_more_than_a_deletion_of_the_author() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob")
        let item = try team.send("oops")
        team.delivered(item, to: bob)
        _ = try team.conversations.delete(DeleteItems(team.target, [item.id], .broadcast))
        let deleted = try #require(try team.bench.store.item(item.id))
        #expect(deleted.deletedAt != nil && deleted.group?.removal == nil)
        _ = try team.conversations.moderate([item.id], in: team.target)
        #expect(try team.bench.store.item(item.id)?.group?.removal == .moderated)
    }

    @Test func a_mention_in_a_report_stays_when_another_message_is_deleted() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob")
        let item = try team.send("hello"), other = try team.send("other")
        let reference = MessageReference(
            id: item.sharedID, sentAt: WireTime(item.time), isOwn: false, memberID: GroupBench.memberID(1))
        let report = MessageContainer(
            MessageContent("spam", kind: .report(.spam)), quote: Quote(reference, content: MessageContent("hello")),
            scope: .support(bob.memberID))
        try team.receive(.message(report), 1, from: bob)
        _ = try team.conversations.delete(DeleteItems(team.target, [other.id], .internal))
        #expect(try team.member(bob.id).supportChat?.mentionCount == 1)
    }

    @Test func a_cleared_chat_keeps_its_banner_and_the_mark_of_the_user() throws {
        let team = try GroupBench(role: .owner), bob = try team.member("bob")
        try team.receive("hello", 1, from: bob)
        let store = team.bench.store, chat = ChatReference.group(team.id)
        try store.transaction {
            _ = try store.insertNotice(.banner, .sent, in: chat, isUnread: false, at: team.bench.now)
            try store.database.run("UPDATE chats SET is_unread = 1")
            try store.markRead(chat, at: team.bench.now)
            try store.clear(chat)
        }
        #expect(try !store.lacks(.banner, in: chat) && team.group().marks.isUnread)
        #expect(try team.items().allSatisfy { !$0.content.isMessage })
    }

    @Test func links_are_found_in_texts() throws {
        let team = try GroupBench()
        for text in ["a", "see https://a.example", "b.", "c", "#privacy", "d"] { _ = try team.send(text) }
        func texts(_ range: ItemRange) throws -> [String] {
            try team.bench.store.items(in: .group(team.id), range, kind: "link").map(\.content.plainText)
        }
        #expect(try texts(.last(10)) == ["see https://a.example", "#privacy"])
        #expect(try texts(.last(1)) == ["#privacy"] && texts(.last(0)) == [])
        let last = try #require(try team.items().last)
        #expect(try texts(.before(last.id, 2)) == ["see https://a.example", "#privacy"])
    }

    @Test func the_name_of_a_deleted_group_is_free() throws {
        let team = try GroupBench()
        _ = try team.member("bob")
        let store = team.bench.store
        try store.transaction {
            #expect(try store.freeName("team", in: ProfileID(1)) == "team_1")
            try store.removeGroup(try team.group())
            #expect(try store.freeName("team", in: ProfileID(1)) == "team")
            #expect(try store.freeName("bob", in: ProfileID(1)) == "bob")
        }
    }

    // MARK: - The JSON of entries

    @Test func entries_that_go_to_no_one_are_new() throws {
        let team = try GroupBench(role: .owner), bob = try team.member("bob")
        _ = try team.groups.block([bob.id], in: team.group(), true)
        let notice = try #require(try team.items().last)
        #expect(notice.json.object?["meta"]?.object?["itemStatus"] == .object(["type": "sndNew"]))
        let preference = GroupPreferences.Setting(false, role: .admin)
        #expect(GroupPreferences.Feature.files.content(preference, .sent)["memberRole_"] == nil)
    }

    @Test func an_unreadable_element_is_a_message_error() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.receive(payload: Bytes("{".utf8), from: bob)
        let item = try #require(try team.items().first)
        let content = item.json.object?["content"]?.object
        #expect(content?["type"] == "rcvMsgError")
        #expect(content?["rcvMsgError"]?.object?["type"] == "parseError")
    }

    @Test func kinds_of_messages_are_listed() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        #expect(try team.bench.store.contentTypes(in: .group(team.id), support: nil) == [])
        try team.receive("hello", 1, from: bob)
        try team.receive(.message(MessageContainer(later)), 2, from: bob)
        #expect(try team.bench.store.contentTypes(in: .group(team.id), support: nil) == ["later", "text"])
    }

    @Test(arguments: [("see #privacy", true), ("see https://a.example", true), ("@alice", false), ("plain", false)])
    func messages_with_links_are_marked(text: String, hasLink: Bool) throws {
        let team = try GroupBench(), item = try team.send(text)
        #expect(item.json.object?["meta"]?.object?["hasLink"] == .bool(hasLink))
    }
}
