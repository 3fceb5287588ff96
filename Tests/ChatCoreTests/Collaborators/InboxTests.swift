import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol
import Store
import SystemIO
import TestSupport
import Testing

@testable import ChatCore

/// What an inbox makes of the events of an agent.
@Suite struct InboxTests {
    @Test func a_message_is_stored_and_told_before_the_agent_forgets_it() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        let event = bench.text("hello", 1, from: bob)
        inbox.handle(event)
        #expect(try bench.texts(bob) == ["hello"])
        #expect(bench.eventTypes() == [NewItemsEvent.type])
        #expect(bench.agent.forgottenThrough == event.id && inbox.lastEvent == event.id)
        #expect(try bench.store.lastAgentEvent() == event.id)
        #expect(bench.context.counters.received == 1)
    }

    @Test func an_event_is_recorded_once() throws {
        let bench = try Workbench(), bob = try bench.contact()
        let event = bench.text("hello", from: bob)
        bench.inbox().handle(event)
        // The process ended before the agent forgot the event.
        let restarted = bench.inbox()
        try restarted.open()
        bench.agent.unrecorded = [event]
        bench.agent.handler = { restarted.handle($0) }
        try restarted.replay()
        #expect(try bench.texts(bob) == ["hello"])
    }

    @Test func a_message_that_is_sent_again_with_its_id_is_stored_once() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        inbox.handle(bench.text("hello", 1, from: bob))
        inbox.handle(bench.text("hello", 1, from: bob))
        inbox.handle(bench.text("hello", 2, from: bob))
        #expect(try bench.texts(bob) == ["hello", "hello"])
    }

    @Test func a_receipt_is_asked_for_what_was_written_only() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        let text = bench.text("hello", from: bob)
        inbox.handle(text)
        inbox.handle(bench.message(.profile(Profile(displayName: "robert")), from: bob))
        #expect(bench.agent.confirmed == [text.id])
        #expect(try bench.context.lookup.contact(bob.id).profile.displayName == "robert")
        #expect(try bench.context.lookup.contact(bob.id).name == "bob")
    }

    @Test func messages_of_a_blocked_contact_are_not_stored() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        try bench.store.transaction { try bench.store.setBlocked(true, bob.id) }
        inbox.handle(bench.text("hello", from: bob))
        #expect(try bench.items(bob).isEmpty)
        #expect(bench.events().isEmpty && bench.agent.confirmed.isEmpty)
        // But a blocked contact that leaves is gone.
        inbox.handle(bench.message(.contactDeleted, from: bob))
        #expect(try bench.context.lookup.contact(bob.id).status == .deleted)
        #expect(try bench.items(bob).isEmpty)
    }

    /// Each event that a contact can send.
    @Test func nothing_of_a_blocked_contact_is_kept() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        inbox.handle(bench.text("before", 1, from: bob))
        try bench.store.transaction { try bench.store.setBlocked(true, bob.id) }
        let before = try bench.context.lookup.contact(bob.id), id = Workbench.sharedID(1)
        let thumb = try #require(Reaction(emoji: "👍")), bytes = Bytes(repeating: 7, count: 32)
        let invitation = GroupInvitation(
            from: MemberIDRole(GroupBench.memberID(1), .admin), to: MemberIDRole(GroupBench.memberID(2), .member),
            connectionLink: bench.invitationLink(9), groupProfile: GroupProfile(displayName: "team"))
        let events: [ChatMessage.Event] = [
            .message(MessageContainer(MessageContent("after"))), .update(MessageUpdate(id, MessageContent("edited"))),
            .deletion(MessageDeletion(id)), .reaction(MessageReaction(id, thumb, isAdded: true)),
            .profile(Profile(displayName: "robert")), .probe(.probe(bytes)), .probe(.check(hash: bytes)),
            .group(.invitation(invitation)), .fileCancelled(id), .ok,
            .contactRequest(ContactRequest(profile: Profile(displayName: "robert"))),
            .other(name: "x.other", parameters: [:]),
        ]
        _ = bench.events()
        for event in events {
            inbox.handle(bench.message(event, 9, from: bob))
            #expect(try bench.texts(bob) == ["before"], "\(event.name)")
            #expect(try bench.context.lookup.contact(bob.id) == before, "\(event.name)")
            #expect(bench.events().isEmpty, "\(event.name)")
        }
        #expect(try bench.store.groups(of: ProfileID(1)).isEmpty)
    }

    @Test func a_blocked_contact_does_not_write_through_a_group() throws {
        let team = try GroupBench(), bob = try team.member("bob"), contact = try team.bench.contact("robert")
        try team.bench.store.transaction {
            try team.bench.store.setContact(contact.id, of: bob.id)
            try team.bench.store.setBlocked(true, contact.id)
        }
        let before = try team.snapshot()
        for number in 1...3 {
            let invitation = MemberContactInvitation(
                connectionLink: team.bench.invitationLink(UInt8(number)), content: MessageContent("read me"))
            try team.receive(.group(.contactInvitation(invitation)), UInt8(number), from: bob)
        }
        try team.receive(.profile(Profile(displayName: "robert the great")), 9, from: bob)
        try team.receive(.probe(.probe(Bytes(repeating: 7, count: 32))), 10, from: bob)
        #expect(try team.snapshot() == before && team.bench.items(contact).isEmpty)
    }

    /// A step that the rest can do without, and an event, give the same answer.
    @Test func a_failure_of_the_storage_stops_everything() throws {
        let failures: [StoreError] = [
            StoreError(.damaged, detail: 11), StoreError(.busy), StoreError(.outOfMemory), StoreError(.diskFull),
            StoreError(.disk), StoreError(.cannotOpen), StoreError(.notADatabase),
        ]
        for error in failures {
            for error: any Error in [error, AgentError.store(error)] {
                let context = try Workbench().context
                let value: Int? = context.attempt { throw error }
                #expect(value == nil)
                #expect(context.failure != nil, "\(error)")
            }
        }
        for error in [StoreError(.damaged), StoreError(.constraint), StoreError(.misuse)] {
            let context = try Workbench().context
            let value: Int? = context.attempt { throw error }
            #expect(value == nil)
            #expect(context.failure == nil, "\(error)")
        }
    }

    @Test func missing_messages_are_noted_before_the_next_one() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        inbox.handle(
            bench.message(
                .message(MessageContainer(MessageContent("three"))), from: bob, integrity: .skipped(from: 1, to: 2)))
        #expect(
            try bench.items(bob).map(\.content)
                == [.integrity(.skipped(from: 1, to: 2)), .message(MessageContent("three"))])
    }

    @Test func authors_change_and_take_back_their_messages() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        inbox.handle(bench.text("helo", 1, from: bob))
        let id = Workbench.sharedID(1)
        inbox.handle(bench.message(.update(MessageUpdate(id, MessageContent("hello"))), from: bob))
        #expect(try bench.texts(bob) == ["hello"])
        #expect(try bench.items(bob).first?.editedAt != nil)
        inbox.handle(bench.message(.deletion(MessageDeletion(id)), from: bob))
        #expect(try bench.items(bob).first?.deletedAt != nil)
        #expect(
            bench.eventTypes() == [NewItemsEvent.type, ItemUpdatedEvent.type, ItemsDeletedEvent.type])
        // What was taken back is still changed, as in the official client, and stays marked.
        inbox.handle(bench.message(.update(MessageUpdate(id, MessageContent("bye"))), from: bob))
        #expect(try bench.texts(bob) == ["bye"])
        #expect(try bench.items(bob).first?.deletedAt != nil)
    }

    @Test func a_reaction_is_added_once_and_removed() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        inbox.handle(bench.text("hello", 1, from: bob))
        let reaction = try #require(Reaction(emoji: "👍"))
        for _ in 0..<2 {
            inbox.handle(
                bench.message(.reaction(MessageReaction(Workbench.sharedID(1), reaction, isAdded: true)), from: bob))
        }
        #expect(try bench.items(bob).first?.reactions.map(\.reaction) == [reaction])
        inbox.handle(
            bench.message(.reaction(MessageReaction(Workbench.sharedID(1), reaction, isAdded: false)), from: bob))
        #expect(try bench.items(bob).first?.reactions.isEmpty == true)
        #expect(bench.eventTypes().count { $0 == ItemReactionEvent.type } == 2)
    }

    @Test func a_contact_that_leaves_is_deleted_at_the_agent() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        inbox.handle(bench.message(.contactDeleted, from: bob))
        let left = try bench.context.lookup.contact(bob.id)
        #expect(left.status == .deleted && left.connection?.status == .deleted)
        #expect(bench.agent.deleted == [try #require(bob.connection).id])
        #expect(bench.eventTypes() == [NewItemsEvent.type, ContactLeftEvent.type])
    }

    /// The chat database refuses what is in a message.
    @Test func an_event_that_fails_twice_is_set_aside() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        try bench.store.database.execute(
            script: """
                CREATE TRIGGER refusal BEFORE INSERT ON items WHEN NEW.content LIKE '%poison%'
                BEGIN SELECT RAISE(ABORT, 'refused'); END
                """)
        let poison = bench.text("poison", from: bob)
        inbox.handle(poison)
        #expect(bench.context.failure != nil && bench.agent.activities == ["stop"])
        // Nothing is recorded until the next start.
        inbox.handle(bench.text("one", from: bob))
        #expect(try bench.items(bob).isEmpty)
        bench.context.failure = nil
        inbox.handle(poison)
        #expect(bench.context.failure == nil && bench.agent.setAsideEvents == [poison.id])
        #expect(try bench.items(bob).map(\.content) == [.undecryptable(.malformed)])
        inbox.handle(bench.text("two", from: bob))
        #expect(try bench.texts(bob).last == "two")
    }

    @Test func a_crash_at_an_event_counts_as_a_failure() throws {
        let bench = try Workbench(), bob = try bench.contact()
        let event = bench.text("hello", from: bob)
        bench.agent.unrecorded = [event]
        for _ in 0..<2 {
            try Files.replace(bench.folder.path + "/crash", [UInt8(event.id), 0, 0, 0, 0, 0, 0, 0])
            let inbox = bench.inbox()
            try inbox.open()
            try inbox.replay()
        }
        #expect(bench.agent.failures == [event.id: 2] && bench.agent.setAsideEvents == [event.id])
    }

    /// A relay that makes up messages does not fill the conversation.
    @Test func unreadable_messages_are_noted_eight_times() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        let id = try #require(bob.connection).id
        for _ in 0..<12 { inbox.handle(bench.event(id, .unreadable(.undecryptable))) }
        #expect(try bench.items(bob).map(\.content) == Array(repeating: .undecryptable(.message), count: 8))
    }

    @Test func nothing_is_told_of_a_hidden_profile() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        try bench.hideProfile()
        inbox.handle(bench.text("hello", from: bob))
        inbox.handle(.up(ProfileID(1), Workbench.server, []))
        #expect(try bench.texts(bob) == ["hello"])
        #expect(bench.events().isEmpty && bench.context.counters.received == 0)
        inbox.handle(.up(ProfileID(2), Workbench.server, []))
        #expect(bench.eventTypes() == [SubscriptionStatusEvent.type])
    }

    @Test func a_refused_queue_is_noted_once() throws {
        let bench = try Workbench(), inbox = bench.inbox(), bob = try bench.contact()
        let id = try #require(bob.connection).id
        inbox.handle(.err(id, .authorization))
        inbox.handle(.err(id, .authorization))
        #expect(try bench.items(bob).map(\.content) == [.queueRefused])
        #expect(bench.eventTypes().count { $0 == SubscriptionRefusedEvent.type } == 2)
    }

    @Test func an_event_of_an_unknown_connection_is_forgotten() throws {
        let bench = try Workbench(), inbox = bench.inbox()
        let event = bench.event(ConnectionID(77), .connection(.joined))
        inbox.handle(event)
        #expect(try bench.store.lastAgentEvent() == event.id && bench.context.failure == nil)
    }
}
