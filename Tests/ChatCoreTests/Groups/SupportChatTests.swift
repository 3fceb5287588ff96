import ByteCoding
import ChatProtocol
import TestSupport
import Testing

@testable import ChatCore

/// Conversations of members with the moderators, and reports.
@Suite struct SupportChatTests {
    @Test func a_member_writes_to_the_moderators_only() throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath", .moderator)
        let support = ChatTarget.support(team.id, nil)
        try team.send("help", to: support)
        #expect(team.sent(to: bob).isEmpty && team.sent(to: cath).count == 1)
        guard case .message(let container) = team.sent(to: cath).first?.event else {
            Issue.record("no message")
            return
        }
        #expect(container.scope == .support(GroupBench.memberID(1)))
        let own = try team.group().membership
        try team.receive("yes?", 1, from: cath, scope: .support(GroupBench.memberID(1)))
        #expect(try team.items().isEmpty && team.texts(support: own) == ["help", "yes?"])
        // Only moderators write there.
        try team.receive("me too", 2, from: bob, scope: .support(GroupBench.memberID(1)))
        try team.receive("me too", 3, from: bob, scope: .support(cath.memberID))
        #expect(try team.texts(support: own).count == 2 && team.items().isEmpty)
        #expect(try team.group().unreadCount == 0)
        let group = try team.group()
        #expect(throws: ChatError.inGroup(.role(group.supporting(bob), required: .moderator))) {
            try team.send("let me in", to: .support(team.id, bob.id))
        }
        for event in team.bench.events() { #expect(PublishedTypes.official.problem(with: event.json) == nil) }
    }

    @Test func moderators_count_what_waits_for_them() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob")
        let cath = try team.member("cath", .admin), dan = try team.member("dan")
        try team.receive("help", 1, from: bob, scope: .support(bob.memberID))
        var chat = try #require(try team.member(bob.id).supportChat)
        #expect(chat.unreadCount == 1 && chat.attentionCount == 1)
        #expect(try team.group().attentionCount == 1)
        try team.receive("I can", 2, from: cath, scope: .support(bob.memberID))
        chat = try #require(try team.member(bob.id).supportChat)
        #expect(chat.unreadCount == 2 && chat.attentionCount == 0)
        try team.send("me too", to: .support(team.id, bob.id))
        #expect(team.sent(to: dan).isEmpty && team.sent(to: bob).count == 1 && team.sent(to: cath).count == 1)
        try team.bench.store.transaction {
            try team.bench.store.markRead(.group(team.id), support: bob.id, at: team.bench.now)
        }
        #expect(try team.member(bob.id).supportChat?.unreadCount == 0)
        try team.bench.store.transaction { try team.bench.store.removeSupportChat(of: bob.id) }
        #expect(try team.member(bob.id).supportChat == nil && team.items(support: bob).isEmpty)
    }

    @Test func what_is_for_the_moderators_is_found() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob"), cath = try team.member("cath")
        try team.receive("hello", 1, from: bob)
        try team.receive("help", 2, from: bob, scope: .support(bob.memberID))
        try team.send("with what?", to: .support(team.id, bob.id))
        try team.receive("me too", 3, from: cath, scope: .support(cath.memberID))
        func find(_ support: ItemQuery.Support?) throws -> [String] {
            var query = ItemQuery()
            (query.chat, query.support) = (.group(team.id), support)
            return try team.bench.store.items(of: try team.group().profileID, query).map(\.content.plainText)
        }
        #expect(try find(nil) == ["hello", "help", "with what?", "me too"])
        #expect(try find(.all) == ["help", "with what?", "me too"])
        #expect(try find(.member(bob.id)) == ["help", "with what?"])
        #expect(try find(.member(try team.group().membership.id)) == [])
    }

    @Test func a_member_that_waits_talks_with_moderators() throws {
        let team = try GroupBench(role: .moderator)
        let bob = try team.member("bob", status: .pendingReview)
        try team.receive("let me in", 1, from: bob)
        #expect(try team.items().isEmpty && team.texts(support: bob) == ["let me in"])
        try team.send("members only")
        #expect(team.sent(to: bob).isEmpty)
    }

    @Test func without_moderators_nobody_gets_a_report() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.receive("nasty", 1, from: bob)
        let item = try #require(try team.items().first)
        #expect(throws: ChatError.inGroup(.noModerators)) {
            try team.conversations.report(item.id, .spam, "", in: team.target)
        }
    }

    @Test func a_report_is_counted_until_the_message_is_moderated() throws {
        let team = try GroupBench(role: .moderator), bob = try team.member("bob"), cath = try team.member("cath")
        let dan = try team.member("dan", .moderator)
        try team.receive("nasty", 1, from: bob)
        let quote = Quote(
            MessageReference(
                id: Workbench.sharedID(1), sentAt: WireTime(team.bench.now), isOwn: false, memberID: bob.memberID),
            content: MessageContent("nasty"))
        let report = MessageContainer(
            MessageContent("not nice", kind: .report(.content)), quote: quote, scope: .support(cath.memberID))
        try team.receive(.message(report), 2, from: cath)
        #expect(try team.group().reportCount == 1 && team.items(support: cath).count == 1)
        _ = team.bench.events()
        try team.receive(.deletion(MessageDeletion(Workbench.sharedID(1), of: bob.memberID)), 3, from: dan)
        #expect(team.bench.eventTypes() == ["chatItemsDeleted", "groupChatItemsDeleted"])
        #expect(try team.group().reportCount == 0)
        try team.receive("nastier", 4, from: bob)
        try team.receive(.message(report), 5, from: cath)
        #expect(try team.group().reportCount == 1)
        #expect(try team.conversations.archiveReports(in: team.target).items.count == 1)
        #expect(try team.group().reportCount == 0)
    }

    @Test func a_report_travels_in_the_conversation_of_the_reporter() throws {
        let team = try GroupBench(), bob = try team.member("bob"), dan = try team.member("dan", .admin)
        try team.receive("nasty", 1, from: bob)
        let item = try #require(try team.items().first)
        let sent = try team.conversations.report(item.id, .spam, "look", in: team.target)
        #expect(PublishedTypes.official.problem(with: sent.json) == nil)
        #expect(team.sent(to: bob).isEmpty && team.sent(to: dan).count == 1)
        #expect(try team.items().count == 1)
    }
}
