import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import TestSupport
import Testing

@testable import ChatCore

/// What a group is sent.
@Suite struct GroupSendingTests {
    private let thumb = Reaction(emoji: "👍")

    @Test func a_message_goes_to_all_members_in_one_form() throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath")
        let item = try team.send("hello")
        #expect(item.status == .sendNew && item.group != nil)
        for member in [bob, cath] {
            let sent = try #require(team.sent(to: member).first)
            #expect(sent.id == item.sharedID && sent.event == text("hello"))
        }
        team.delivered(item, to: bob)
        #expect(try team.items().first?.status == .sendSentPartly)
        team.delivered(item, to: cath)
        #expect(try team.items().first?.status == .sendSent)
        team.confirmed(item, by: cath)
        #expect(try team.items().first?.status == .sendReceivedPartly(isIntact: true))
        team.confirmed(item, by: bob)
        #expect(try team.items().first?.status == .sendReceived(isIntact: true))
        let info = try team.conversations.info(item.id, in: team.target)
        #expect(info.deliveries.map(\.state) == [.received, .received])
        #expect(try info.isReadFromItsJSON())
    }

    @Test func admins_get_a_message_first() throws {
        let team = try GroupBench()
        for index in 0..<5 { _ = try team.member("m\(index)") }
        let bob = try team.member("bob", .admin)
        try team.send("hello")
        #expect(team.bench.agent.sent.first?.connection == bob.connection?.id)
    }

    @Test func several_messages_travel_together_and_have_their_own_statuses() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        let messages = ["one", "two", "three"].map { ComposedMessage(MessageContent($0)) }
        let items = try team.conversations.send(SendMessages(team.target, messages)).items.map(\.item)
        #expect(team.bench.agent.sent.count == 1 && team.sent(to: bob).count == 3)
        team.delivered(items[0], to: bob)
        #expect(try team.items().map(\.status) == [.sendSent, .sendSent, .sendSent])
        let long = (0..<3).map { ComposedMessage(MessageContent(String(repeating: "\($0)", count: 9000))) }
        _ = try team.conversations.send(SendMessages(team.target, long))
        #expect(team.bench.agent.sent.count == 4)
        #expect(throws: ChatError.self) { try team.send(String(repeating: "x", count: 16000)) }
        #expect(try team.items().count == 6)
    }

    @Test func nobody_writes_without_the_role_or_after_leaving() throws {
        let team = try GroupBench(role: .observer)
        _ = try team.member("bob")
        let group = try team.group()
        #expect(throws: ChatError.inGroup(.role(group, required: .author))) { try team.send("hello") }
        try team.bench.store.transaction {
            try team.bench.store.update(group.membership.id, role: .member, at: team.bench.now)
            try team.bench.store.update(group.membership.id, status: .left, at: team.bench.now)
        }
        #expect(throws: ChatError.inGroup(.notCurrentMember)) { try team.send("hello") }
        #expect(try team.items().isEmpty)
    }

    @Test func an_empty_group_takes_messages() throws {
        let team = try GroupBench()
        #expect(try team.send("hello").status == .sendSent)
    }

    @Test func features_that_are_off_are_refused() throws {
        let team = try GroupBench()
        try team.set(.voice, .init(true, role: .admin))
        let voice = ComposedMessage(MessageContent("", kind: .voice(seconds: 3)))
        #expect(throws: ChatError.inGroup(.feature(.voice))) {
            try team.conversations.send(SendMessages(team.target, [voice]))
        }
    }

    @Test func only_members_whose_names_are_in_the_text_are_mentioned() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        func send(_ text: String, _ mentions: [String: GroupMemberID]) throws -> ChatItem? {
            let message = ComposedMessage(MessageContent(text), mentions: mentions)
            return try team.conversations.send(SendMessages(team.target, [message])).items.first?.item
        }
        let item = try #require(try send("ping @bob", ["bob": bob.id]))
        #expect(item.group?.mentions["bob"]?.member?.id == bob.id)
        guard case .message(let container) = team.sent(to: bob).first?.event else {
            Issue.record("no message")
            return
        }
        #expect(container.mentions == ["bob": bob.memberID])
        #expect(try send("nobody", ["bob": bob.id])?.group?.mentions.isEmpty == true)
        #expect(throws: ChatError.inGroup(.memberNotFound(GroupMemberID(99)))) {
            try send("@x", ["x": GroupMemberID(99)])
        }
        let many = Dictionary(uniqueKeysWithValues: ["a", "b", "c", "d"].map { ($0, bob.id) })
        #expect(throws: ChatError.inGroup(.tooManyMentions)) { try send("@a @b @c @d", many) }
    }

    @Test func an_answer_names_the_author() throws {
        let team = try GroupBench(), bob = try team.member("bob")
        try team.receive("question", 1, from: bob)
        let question = try #require(try team.items().first)
        let answer = try team.send("answer", answering: question.id)
        #expect(answer.quotedID == question.id && answer.group?.quotedAuthor?.id == bob.id)
        guard case .message(let container) = team.sent(to: bob).last?.event else {
            Issue.record("no message")
            return
        }
        let reference = container.quote?.reference
        #expect(reference?.memberID == bob.memberID && reference?.isOwn == false)
        let own = try team.send("again", answering: answer.id)
        #expect(own.group?.quotedAuthor == nil && own.quote?.reference.isOwn == true)
    }

    @Test func edits_reactions_and_deletions_go_to_all_members() throws {
        let team = try GroupBench(), bob = try team.member("bob"), item = try team.send("helo")
        _ = try team.conversations.edit(EditItem(team.target, item.id, MessageContent("hello")))
        let thumb = try #require(thumb)
        _ = try team.conversations.react(React(team.target, item.id, thumb, isAdded: true))
        team.delivered(item, to: bob)
        _ = try team.conversations.delete(DeleteItems(team.target, [item.id], .broadcast))
        let names = team.sent(to: bob).map(\.event.name)
        #expect(names == ["x.msg.new", "x.msg.update", "x.msg.react", "x.msg.del"])
        guard case .reaction(let reaction) = team.sent(to: bob)[2].event else {
            Issue.record("no reaction")
            return
        }
        #expect(reaction.memberID == GroupBench.memberID(1))
        #expect(try team.items().first?.deletedAt != nil)
        #expect(try team.bench.store.owedGroupMessages().isEmpty)
    }

    @Test func a_message_in_the_outbox_is_taken_back_silently() throws {
        let team = try GroupBench(), bob = try team.member("bob"), item = try team.send("secret")
        _ = try team.conversations.delete(DeleteItems(team.target, [item.id], .broadcast))
        #expect(try team.items().isEmpty && team.sent(to: bob).isEmpty)
        // One that is with a relay is not.
        let sent = try team.send("other")
        team.bench.agent.taken = [try #require(sent.sharedID).bytes]
        _ = try team.conversations.delete(DeleteItems(team.target, [sent.id], .broadcast))
        #expect(team.sent(to: bob).last?.event.name == "x.msg.del")
    }

    /// After a crash on the way some do not get the message: then nobody keeps it.
    @Test(arguments: [GroupPreferences.Setting(true), .init(false)])
    func a_message_that_was_taken_back_from_some_when_the_program_ended_is_deleted_at_the_others(
        fullDelete: GroupPreferences.Setting
    ) throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath")
        try team.set(.fullDelete, fullDelete)
        let item = try team.send("hello")
        team.bench.agent.withdrawals = 1
        #expect(throws: AgentError.self) {
            try team.conversations.delete(DeleteItems(team.target, [item.id], .broadcast))
        }
        let kept = try team.bench.store.item(item.id)
        #expect(fullDelete.isOn ? kept == nil : kept?.deletedAt != nil)
        try team.bench.groups().retryPending()
        for member in [bob, cath] {
            guard case .deletion(let deletion)? = team.sent(to: member).last?.event else {
                Issue.record("\(member.name) is not told")
                continue
            }
            #expect(deletion.id == item.sharedID)
        }
    }

    @Test func a_message_that_somebody_may_have_is_dropped_for_nobody() throws {
        let team = try GroupBench(), bob = try team.member("bob", .admin)
        _ = try team.member("cath", .member, .pre, isConnected: false)
        let item = try team.send("hello")
        team.bench.agent.withdrawals = 0
        #expect(throws: ChatError.self) { try team.conversations.drop(item.id) }
        #expect(try team.items().count == 1 && team.sent(to: bob).count == 1)
    }

    /// After a crash on the way some members do not get the message: then no member does.
    @Test func a_message_whose_removal_from_the_outbox_was_cut_is_removed() throws {
        let team = try GroupBench(), bob = try team.member("bob"), cath = try team.member("cath")
        let dan = try team.member("dan", .member, .invitee, isConnected: false)
        let item = try team.send("secret"), token = try #require(item.sharedID).bytes
        team.bench.agent.withdrawals = 1
        #expect(throws: AgentError.self) { try team.conversations.drop(item.id) }
        team.bench.agent.withdrawals = nil
        let states = try team.bench.store.deliveries(of: item.id)
        #expect(states.filter { $0.delivery == .withdrawn }.map(\.member) == [bob.id, cath.id])
        #expect(states.contains { $0.member == dan.id && $0.delivery == .pending })
        // The agent has it no longer for one of them.
        team.bench.agent.taken = [token]
        try team.inbox.replay()
        #expect(try team.items().isEmpty && team.bench.store.deliveries(of: item.id).isEmpty)
        #expect(try team.bench.store.groupMessages(of: item.id).isEmpty)
        team.delivered(item, to: bob)
        #expect(try team.items().isEmpty && team.bench.context.failure == nil)
    }

    @Test func a_message_that_is_being_sent_stays_in_the_outbox() throws {
        let team = try GroupBench(), bob = try team.member("bob"), item = try team.send("hello")
        team.bench.agent.taken = [try #require(item.sharedID).bytes]
        #expect(throws: ChatError.notChangeable(item.id, .notQueued, .drop)) { try team.conversations.drop(item.id) }
        #expect(try team.bench.store.deliveries(of: item.id).map(\.delivery) == [.new])
        team.delivered(item, to: bob)
        #expect(try team.items().first?.status == .sendSent)
    }

    @Test func members_without_a_connection_get_it_later_or_through_the_host() throws {
        let team = try GroupBench(), bob = try team.member("bob", .admin)
        let cath = try team.member("cath", .member, .pre, isConnected: false)
        let dan = try team.member("dan", .member, .invitee, isConnected: false)
        let item = try team.send("hello")
        let deliveries = try team.bench.store.deliveries(of: item.id)
        #expect(Set(deliveries.map(\.delivery)) == [.new, .forwarded, .pending])
        #expect(deliveries.contains { $0.member == cath.id && $0.delivery == .forwarded })
        #expect(deliveries.contains { $0.member == dan.id && $0.delivery == .pending })
        team.delivered(item, to: bob)
        #expect(try team.items().first?.status == .sendSent)
        let connection = try team.bench.store.transaction {
            let connection = try team.bench.connection(.ready)
            try team.bench.store.update(connection, member: dan.id)
            return connection
        }
        team.inbox.handle(team.bench.event(connection, .connection(.qcont)))
        #expect(team.bench.agent.sent.contains { $0.connection == connection && $0.message.id == item.sharedID })
    }

    @Test func messages_disappear_as_the_group_has_it() throws {
        let team = try GroupBench()
        try team.set(.timedMessages, .init(true, ttl: 60))
        #expect(try team.send("hello").ttl == 60)
    }
}
