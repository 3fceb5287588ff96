import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import SMPClient
import SMPProtocol
import Testing

@testable import ChatCore

/// What a conversations stores and hands over.
@Suite struct ConversationsTests {
    private func compose(_ text: String, answering id: ChatItemID? = nil) -> ComposedMessage {
        ComposedMessage(MessageContent(text), answering: id)
    }

    @discardableResult
    private func send(_ text: String, to contact: Contact, _ conversations: Conversations) throws -> ChatItem {
        let sent = try conversations.send(SendMessages(.reference(.direct(contact.id)), [compose(text)]))
        return try #require(sent.items.first?.item)
    }

    @Test func a_message_is_stored_and_handed_over_under_its_id() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let item = try send("hello", to: bob, conversations)
        #expect(try bench.texts(bob) == ["hello"] && item.status == .sendNew)
        let sent = try #require(bench.agent.sent.first)
        #expect(sent.token == item.sharedID?.bytes && sent.message.id == item.sharedID)
        #expect(sent.connection == bob.connection?.id)
    }

    @Test func a_message_with_the_same_key_is_sent_once() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let command = SendMessages(.reference(.direct(bob.id)), [compose("hello")], once: "key")
        _ = try conversations.send(command)
        guard case .sentBefore = try conversations.send(command) else {
            Issue.record("it was sent again")
            return
        }
        #expect(try bench.texts(bob) == ["hello"] && bench.agent.sent.count == 1)
    }

    @Test func a_long_text_is_split_and_its_first_part_has_the_quote() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let first = try send("question", to: bob, conversations)
        let text = String(repeating: "word ", count: 8000)
        let chat = ChatTarget.reference(.direct(bob.id))
        #expect(throws: ChatError.self) { try conversations.send(SendMessages(chat, [compose(text)])) }
        _ = try conversations.send(SendMessages(chat, [compose(text, answering: first.id)], isSplit: true))
        let parts = try bench.items(bob).dropFirst()
        #expect(parts.count > 1 && parts.map(\.content.plainText).joined() == text)
        #expect(parts.first?.quote != nil && parts.dropFirst().allSatisfy { $0.quote == nil })
    }

    @Test func messages_wait_while_the_ratchet_is_out_of_step() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        bench.agent.sendError = .connection(.outOfStep)
        let item = try send("hello", to: bob, conversations)
        #expect(try bench.context.lookup.item(item.id).status.isUnsent && bench.agent.sent.isEmpty)
        bench.agent.sendError = nil
        try conversations.retryPendingMessages(to: bob.id)
        #expect(bench.agent.sent.map(\.token) == [try #require(item.sharedID).bytes])
    }

    @Test(arguments: [true, false]) func a_message_goes_through_one_of_two_connections(isSent: Bool) throws {
        let bench = try Workbench(), bob = try bench.contact()
        let item = try send("hello", to: bob, bench.conversations()), token = try #require(item.sharedID).bytes
        if isSent { bench.agent.taken = [token] }
        let newer = try bench.store.transaction {
            let id = try bench.connection(.joined)
            try bench.store.update(id, contact: bob.id)
            return id
        }
        // Nothing goes through a connection that cannot send, nor is it taken from the other one.
        try bench.conversations().retryPendingMessages()
        #expect(bench.agent.sent.count == 1)
        try bench.store.transaction { try bench.store.update(newer, status: .ready, at: bench.now) }
        try bench.conversations().retryPendingMessages()
        #expect(bench.agent.sent.filter { $0.token == token }.map(\.connection).contains(newer) == !isSent)
    }

    @Test func a_message_for_a_lost_connection_fails() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        bench.agent.connections = []
        bench.agent.sendError = .unknownConnection
        // A collaborator that asks the agent for the room of a message gets there only after the message was written.
        let item = try send("hello", to: bob, conversations)
        #expect(try bench.context.lookup.item(item.id).status == .sendError(.other))
    }

    @Test func a_message_that_a_crash_kept_from_the_agent_is_handed_over_once() throws {
        let bench = try Workbench(), bob = try bench.contact()
        bench.agent.sendError = .connection(.outOfStep)
        let item = try send("hello", to: bob, bench.conversations())
        bench.agent.sendError = nil
        for _ in 0..<2 { try bench.conversations().retryPendingMessages() }
        #expect(bench.agent.sent.map(\.message.id) == [item.sharedID])
    }

    @Test func an_edit_is_stored_and_told() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let item = try send("helo", to: bob, conversations), chat = ChatTarget.reference(.direct(bob.id))
        _ = try conversations.edit(EditItem(chat, item.id, MessageContent("hello")))
        #expect(try bench.texts(bob) == ["hello"])
        guard case .update(let update) = try #require(bench.agent.sent.last).message.event else {
            Issue.record("no update was sent")
            return
        }
        #expect(update.id == item.sharedID && update.content == MessageContent("hello"))
        #expect(try bench.store.owedEvents().isEmpty)
        // Nothing is said about an edit that changes nothing.
        _ = try conversations.edit(EditItem(chat, item.id, MessageContent("hello")))
        #expect(bench.agent.sent.count == 2)
    }

    @Test func a_change_waits_in_the_store_while_the_ratchet_is_out_of_step() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let item = try send("hello", to: bob, conversations)
        bench.agent.sendError = .connection(.outOfStep)
        let reaction = try #require(Reaction(emoji: "👍"))
        _ = try conversations.react(React(.reference(.direct(bob.id)), item.id, reaction, isAdded: true))
        #expect(try bench.store.owedEvents().count == 1)
        bench.agent.sendError = nil
        try bench.conversations().retryPendingMessages()
        #expect(try bench.store.owedEvents().isEmpty)
        #expect(bench.agent.sent.last?.message.event.name == "x.msg.react")
    }

    @Test func only_authors_change_a_message_and_not_forever() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let chat = ChatTarget.reference(.direct(bob.id))
        let received = try bench.store.transaction {
            try bench.store.insertReceived(
                .message(MessageContent("hi")), from: bob, sharedID: Workbench.sharedID(3), at: bench.now,
                now: bench.now)
        }
        #expect(throws: ChatError.notChangeable(received.item.id, .notOwn, .edit)) {
            try conversations.edit(EditItem(chat, received.item.id, MessageContent("x")))
        }
        let own = try send("hello", to: bob, conversations)
        bench.environment.pass(ChatItem.changeLimit)
        #expect(throws: ChatError.notChangeable(own.id, .tooOld, .edit)) {
            try conversations.edit(EditItem(chat, own.id, MessageContent("x")))
        }
    }

    @Test func a_queued_message_is_dropped_with_what_was_said_about_it() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        bench.agent.sendError = .connection(.outOfStep)
        let item = try send("hello", to: bob, conversations)
        _ = try conversations.edit(EditItem(.reference(.direct(bob.id)), item.id, MessageContent("bye")))
        _ = try conversations.drop(item.id)
        #expect(try bench.items(bob).isEmpty && bench.store.owedEvents().isEmpty)
    }

    @Test func a_message_on_its_way_is_not_dropped() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let item = try send("hello", to: bob, conversations)
        bench.agent.taken = [try #require(item.sharedID).bytes]
        #expect(throws: ChatError.notChangeable(item.id, .notQueued, .drop)) { try conversations.drop(item.id) }
        #expect(try bench.texts(bob) == ["hello"])
    }

    @Test func a_delivered_message_is_counted_once() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let item = try send("hello", to: bob, conversations), token = try #require(item.sharedID).bytes
        let id = try #require(bob.connection).id
        for _ in 0..<2 {
            let event = bench.event(id, .sent(token: token))
            for told in try conversations.recordDelivery(
                event, token, .sendSent, to: bob, bench.profile(), consequences: { [] })
            {
                bench.context.tell(told)
            }
        }
        #expect(try bench.context.lookup.item(item.id).status == .sendSent)
        #expect(bench.context.counters.sent == 1 && bench.eventTypes() == [ItemsUpdatedEvent.type])
    }

    @Test func a_message_between_two_confirmed_ones_is_unconfirmed() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let id = try #require(bob.connection).id, profile = try bench.profile()
        let items = try ["one", "two", "three"].map { try send($0, to: bob, conversations) }
        let tokens = try items.map { try #require($0.sharedID).bytes }
        for token in tokens {
            _ = try conversations.recordDelivery(
                bench.event(id, .sent(token: token)), token, .sendSent, to: bob, profile
            ) {
                []
            }
        }
        for token in [tokens[0], tokens[2]] {
            let receipts = [DeliveryReceipt(token: token, isIntact: true)]
            _ = try conversations.recordReceipts(bench.event(id, .rcvd(receipts)), receipts, from: bob, profile)
        }
        let statuses = try bench.items(bob).map(\.status)
        #expect(statuses == [.sendReceived(isIntact: true), .sendUnconfirmed, .sendReceived(isIntact: true)])
    }

    @Test func a_full_queue_is_noted_with_the_message_until_it_is_sent() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let item = try send("hello", to: bob, conversations), token = try #require(item.sharedID).bytes
        let id = try #require(bob.connection).id
        // A network that comes and goes is no warning.
        try conversations.recordWarning(id, token, .timedOut)
        #expect(try bench.context.lookup.item(item.id).status == .sendNew)
        try conversations.recordWarning(id, token, .refused(.quota))
        #expect(try bench.context.lookup.item(item.id).status == .sendWarning(.quota))
        #expect(try bench.context.lookup.contact(bob.id).connection?.quotaErrorCount == 1)
        _ = try conversations.recordDelivery(
            bench.event(id, .sent(token: token)), token, .sendSent, to: bob, bench.profile()
        ) { [] }
        #expect(try bench.context.lookup.item(item.id).status == .sendSent)
    }

    @Test func a_receipt_is_owed_for_what_was_written_unless_it_is_switched_off() throws {
        let bench = try Workbench(), conversations = bench.conversations(), bob = try bench.contact()
        let text = ChatPayload.elements(
            of: Workbench.information(.message(MessageContainer(MessageContent("hello")))))
        let profile = ChatPayload.elements(of: Workbench.information(.profile(Profile(displayName: "bob"))))
        #expect(conversations.wantsReceipt(text, in: .direct(bob), try bench.profile()))
        #expect(!conversations.wantsReceipt(profile, in: .direct(bob), try bench.profile()))
        try bench.store.transaction { try bench.store.setReceipts(false, of: bob.id) }
        #expect(
            !conversations.wantsReceipt(
                text, in: .direct(try bench.context.lookup.contact(bob.id)), try bench.profile()))
    }

    @Test func receipts_are_asked_for_again_after_a_crash() throws {
        let bench = try Workbench(), bob = try bench.contact()
        let text = bench.text("hello", from: bob)
        bench.agent.unrecorded = [text, bench.message(.profile(Profile(displayName: "x")), from: bob)]
        try bench.conversations().repeatReceipts(through: text.id)
        #expect(bench.agent.confirmed == [text.id] && bench.agent.forgottenThrough == text.id)
    }

    @Test func nothing_is_sent_to_a_contact_that_cannot_be_reached() throws {
        let bench = try Workbench(), conversations = bench.conversations()
        let waiting = try bench.contact("waiting", status: .joined),
            failed = try bench.contact("failed", status: .failed)
        let blocked = try bench.contact("blocked")
        try bench.store.transaction { try bench.store.setBlocked(true, blocked.id) }
        #expect(throws: ChatError.contactNotReady("waiting")) { try send("x", to: waiting, conversations) }
        #expect(throws: ChatError.contactNotActive("failed")) { try send("x", to: failed, conversations) }
        #expect(throws: ChatError.contactBlocked("blocked")) { try send("x", to: blocked, conversations) }
        #expect(bench.agent.sent.isEmpty)
    }
}
