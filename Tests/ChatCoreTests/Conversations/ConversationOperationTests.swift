import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import Store
import Testing

@testable import ChatCore

/// Every operation on messages in every kind of conversation: they do the same, but for what the kind says.
@Suite struct ConversationOperationTests {
    // MARK: - Own messages

    @Test(arguments: ConversationKind.allCases)
    func a_message_is_sent_delivered_and_confirmed(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        let item = try chat.send("hello")
        #expect(try chat.lines() == ["> hello \(kind.written)"] && chat.unreadCount == 0)
        #expect(chat.wire() == kind.told(["x.msg.new"]))
        guard kind.hasPeer else { return }
        chat.delivered(item)
        #expect(try chat.lines() == ["> hello snd_sent complete"])
        chat.confirmed(item)
        // A receipt may come before the answer of the relay.
        chat.delivered(item)
        #expect(try chat.lines() == ["> hello snd_rcvd ok complete"])
    }

    @Test(arguments: ConversationKind.withPeer)
    func a_message_that_is_refused_or_arrives_altered_says_so(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        let refused = try chat.send("refused"), altered = try chat.send("altered")
        chat.refused(refused)
        chat.delivered(altered)
        chat.confirmed(altered, isIntact: false)
        #expect(
            try chat.lines() == ["> refused snd_error_auth", "> altered snd_rcvd badMsgHash complete"])
        #expect(throws: ChatError.notChangeable(refused.id, .unsent, .edit)) { try chat.edit(refused, "again") }
    }

    @Test(arguments: ConversationKind.allCases)
    func a_message_with_the_same_key_is_sent_once(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        for _ in 0..<2 { try chat.send("hello", once: "key") }
        #expect(try chat.lines().count == 1 && chat.wire() == kind.told(["x.msg.new"]))
    }

    @Test(arguments: ConversationKind.allCases) func an_own_message_is_edited(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        let item = try chat.send("helo")
        #expect(try chat.edit(item, "hello").isChanged)
        #expect(try !chat.edit(item, "hello").isChanged)
        #expect(try chat.lines() == ["> hello \(kind.written), edited"])
        #expect(chat.wire() == kind.told(["x.msg.new", "x.msg.update"]))
        let info = try chat.info(item)
        #expect(info.versions.map(\.content.text) == ["hello", "helo"])
        chat.bench.environment.pass(.seconds(25 * 3600))
        guard kind.hasPeer else {
            try chat.edit(item, "later")
            return
        }
        #expect(throws: ChatError.notChangeable(item.id, .tooOld, .edit)) { try chat.edit(item, "later") }
    }

    @Test(arguments: ConversationKind.allCases) func an_own_message_gets_reactions(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        let item = try chat.send("hello")
        guard kind.hasPeer else {
            #expect(throws: ChatError.notChangeable(item.id, .noMessage, .react)) { try chat.react(item) }
            return
        }
        try chat.react(item)
        try chat.receiveReaction(to: item)
        try chat.receiveReaction(to: item)
        #expect(try chat.lines() == ["> hello snd_new, own 👍, 👍"])
        #expect(throws: ChatError.notChangeable(item.id, .alreadyAdded, .react)) { try chat.react(item) }
        try chat.react(item, isAdded: false)
        try chat.receiveReaction(to: item, isAdded: false)
        #expect(throws: ChatError.notChangeable(item.id, .alreadyRemoved, .react)) {
            try chat.react(item, isAdded: false)
        }
        #expect(try chat.lines() == ["> hello snd_new"])
        #expect(chat.wire() == ["x.msg.new", "x.msg.react", "x.msg.react"])
    }

    @Test(arguments: ConversationKind.allCases) func a_message_is_deleted_here(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        let gone = try chat.send("gone"), marked = try chat.send("marked")
        #expect(try chat.delete(gone, .internal).deleted.map(\.after) == [nil])
        #expect(try chat.delete(marked, .internalMark).deleted.first?.after?.item.deletedAt != nil)
        #expect(try chat.lines() == ["> marked \(kind.written), deleted"])
        #expect(chat.wire() == kind.told(["x.msg.new", "x.msg.new"]))
        #expect(throws: ChatError.notChangeable(marked.id, .deleted, .edit)) { try chat.edit(marked, "again") }
    }

    @Test(arguments: ConversationKind.allCases, [false, true])
    func a_sent_message_is_taken_back(kind: ConversationKind, fullDelete: Bool) throws {
        let chat = try ConversationBench(kind, fullDelete: fullDelete)
        let item = try chat.send("hello")
        chat.delivered(item)
        try chat.delete(item, .broadcast)
        let isGone = fullDelete || !kind.hasPeer
        #expect(try chat.lines() == (isGone ? [] : ["> hello snd_sent complete, deleted"]))
        #expect(chat.wire() == kind.told(["x.msg.new", "x.msg.del"]))
    }

    @Test(arguments: ConversationKind.allCases)
    func a_message_in_the_outbox_is_taken_back_without_a_word(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        try chat.delete(try chat.send("hello"), .broadcast)
        #expect(try chat.lines().isEmpty && chat.wire().isEmpty)
    }

    @Test(arguments: ConversationKind.allCases)
    func a_message_is_dropped_from_the_outbox_only(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        let queued = try chat.send("queued"), sent = try chat.send("sent"), taken = try chat.send("taken")
        chat.delivered(sent)
        chat.bench.agent.taken = [try #require(taken.sharedID).bytes]
        if kind.hasPeer { try chat.drop(queued) }
        for item in [sent, taken] {
            #expect(throws: ChatError.notChangeable(item.id, .notQueued, .drop)) { try chat.drop(item) }
        }
        guard kind.hasPeer else { return }
        #expect(try chat.lines() == ["> sent snd_sent complete", "> taken snd_new"])
        #expect(chat.wire() == ["x.msg.new", "x.msg.new"])
    }

    @Test(arguments: ConversationKind.allCases) func a_message_is_quoted(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        let question = try chat.send("question"), gone = try chat.send("gone")
        let answer = try chat.send("answer", answering: question.id)
        #expect(answer.quotedID == question.id && answer.quote?.content == MessageContent("question"))
        #expect(answer.quote?.reference.isOwn == true)
        try chat.delete(gone, .internalMark)
        #expect(throws: ChatError.notChangeable(gone.id, .deleted, .quote)) {
            try chat.send("answer", answering: gone.id)
        }
        #expect(throws: ChatError.itemNotFound(ChatItemID(99))) {
            try chat.send("answer", answering: ChatItemID(99))
        }
    }

    @Test(arguments: ConversationKind.allCases)
    func an_own_message_disappears_after_it_left_the_outbox(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        let item = try chat.send("hello", ttl: 60)
        #expect(item.ttl == 60)
        if kind.hasPeer {
            chat.bench.environment.pass(.seconds(600))
            #expect(try chat.lines() == ["> hello snd_new"])
            chat.delivered(item)
        }
        chat.bench.environment.pass(.seconds(59))
        #expect(try chat.lines().count == 1)
        chat.bench.environment.pass(.seconds(2))
        #expect(try chat.lines().isEmpty)
    }

    // MARK: - Messages of the other side

    @Test(arguments: ConversationKind.withPeer)
    func a_message_is_received_edited_answered_and_taken_back(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        try chat.receive("helo", 1)
        try chat.receive("helo", 1)
        #expect(try chat.lines() == ["< helo rcv_new"] && chat.unreadCount == 1)
        let item = try #require(try chat.items().last)
        try chat.receiveEdit(of: 1, "hello")
        #expect(try chat.lines() == ["< hello rcv_new, edited"])
        #expect(throws: ChatError.notChangeable(item.id, .notOwn, .edit)) { try chat.edit(item, "mine") }
        try chat.react(item)
        let answer = try chat.send("hi", answering: item.id)
        #expect(answer.quote?.reference.isOwn == false && answer.quotedID == item.id)
        try chat.read()
        #expect(try chat.unreadCount == 0)
        try chat.receiveDeletion(of: 1)
        #expect(try chat.lines() == ["< hello rcv_read, edited, deleted, own 👍", "> hi snd_new, answers"])
        let types = chat.bench.eventTypes()
        #expect(
            types.filter { $0 != ItemsUpdatedEvent.type } == [
                NewItemsEvent.type, ItemUpdatedEvent.type, ItemsDeletedEvent.type,
            ])
    }

    @Test(arguments: ConversationKind.withPeer)
    func with_full_deletion_nothing_is_left_of_a_received_message(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind, fullDelete: true)
        try chat.receive("hello", 1)
        try chat.receiveDeletion(of: 1)
        #expect(try chat.lines().isEmpty && chat.unreadCount == 0)
    }

    @Test(arguments: ConversationKind.withPeer)
    func an_edit_before_its_message_is_the_message(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        try chat.receiveEdit(of: 1, "hello")
        #expect(try chat.lines() == ["< hello rcv_new, edited"])
        try chat.receive("helo", 1)
        #expect(try chat.lines() == ["< hello rcv_new, edited"] && chat.unreadCount == 1)
    }

    @Test(arguments: ConversationKind.withPeer)
    func a_received_message_disappears_after_it_was_read(kind: ConversationKind) throws {
        let chat = try ConversationBench(kind)
        try chat.receive("hello", 1, ttl: 60)
        chat.bench.environment.pass(.seconds(600))
        #expect(try chat.lines() == ["< hello rcv_new"])
        try chat.read()
        chat.bench.environment.pass(.seconds(59))
        #expect(try chat.lines() == ["< hello rcv_read"])
        chat.bench.environment.pass(.seconds(2))
        #expect(try chat.lines().isEmpty)
    }

    // MARK: - Crashes

    /// An operation that may be interrupted.
    enum Operation: CaseIterable {
        case send, answer, edit, react, takeBack, takeBackQueued, delete, drop

        /// True if the agent has a part in it.
        var isTold: Bool { self != .delete }
    }

    /// Something that the other side or a relay does.
    enum Arrival: CaseIterable {
        case message, edit, deletion, reaction, delivery, receipt, refusal
    }

    /// What is there, and what the other side was told.
    struct State: Equatable {
        let lines: [String]
        let wire: [String]

        init(_ chat: ConversationBench) throws {
            lines = try chat.lines()
            wire = chat.wire()
        }

        init(_ lines: [String], _ wire: [String]) {
            self.lines = lines
            self.wire = wire
        }
    }

    /// Plays an operation and returns the states before it and after it.
    private func play(
        _ operation: Operation, _ chat: ConversationBench, _ crash: FakeAgent.Crash?
    ) throws -> (before: State, after: State, hasCrashed: Bool) {
        let item = operation == .send ? nil : try chat.send("hello")
        if let item, operation == .takeBack { chat.delivered(item) }
        let before = try State(chat)
        chat.bench.agent.crash = crash
        var hasCrashed = false
        do {
            switch (operation, item) {
            case (.send, _): try chat.send("hello")
            case (.answer, let item?): try chat.send("answer", answering: item.id)
            case (.delete, let item?): try chat.delete(item, .internal)
            case (.edit, let item?): try chat.edit(item, "edited")
            case (.react, let item?): try chat.react(item)
            case (.takeBack, let item?), (.takeBackQueued, let item?): try chat.delete(item, .broadcast)
            case (.drop, let item?): try chat.drop(item)
            default: break
            }
        } catch AgentError.store {
            hasCrashed = true
        }
        chat.bench.agent.crash = nil
        return (before, try State(chat), hasCrashed)
    }

    @Test(arguments: ConversationKind.withPeer, Operation.allCases)
    func an_operation_is_done_or_not_begun_after_a_crash(kind: ConversationKind, operation: Operation) throws {
        let whole = try play(operation, try ConversationBench(kind), nil)
        #expect(!whole.hasCrashed && whole.before != whole.after)
        var crashes = 0
        for isDone in [false, true] {
            for calls in 1... {
                let chat = try ConversationBench(kind)
                guard try play(operation, chat, FakeAgent.Crash(calls: calls, isDone: isDone)).hasCrashed else { break }
                crashes += 1
                try chat.recover()
                let state = try State(chat)
                var allowed = [whole.after]
                switch operation {
                // Whether the agent took it out of the outbox is not known after a crash.
                case .takeBackQueued:
                    allowed += [whole.before, State(["> hello snd_new, deleted"], ["x.msg.new", "x.msg.del"])]
                    allowed += [State(["> hello snd_new, deleted"], ["x.msg.del"])]
                case .drop: allowed.append(whole.before)
                case .send, .answer, .edit, .react, .takeBack, .delete: break
                }
                #expect(allowed.contains(state), "\(state) after call \(calls), done: \(isDone)")
                try chat.recover()
                #expect(try State(chat) == state, "a second start changes nothing")
            }
        }
        #expect(crashes > 0 || !operation.isTold)
    }

    @Test(arguments: ConversationKind.allCases, Operation.allCases)
    func an_operation_that_is_not_on_disk_did_not_happen(kind: ConversationKind, operation: Operation) throws {
        guard kind.hasPeer || operation != .react && operation != .drop else { return }
        let chat = try ConversationBench(kind)
        let item = operation == .send ? nil : try chat.send("hello")
        if let item, operation == .takeBack { chat.delivered(item) }
        let before = try State(chat)
        try chat.crashBeforeStoring {
            switch (operation, item) {
            case (.answer, let item?): try chat.send("answer", answering: item.id)
            case (.edit, let item?): try chat.edit(item, "edited")
            case (.react, let item?): try chat.react(item)
            case (.takeBack, let item?): try chat.delete(item, .broadcast)
            // Nothing is taken from the agent before that is on disk, but for a contact the agent decides.
            case (.takeBackQueued, let item?), (.drop, let item?):
                if kind == .direct { throw StoreError(.disk) }
                if operation == .drop { try chat.drop(item) } else { try chat.delete(item, .broadcast) }
            case (.delete, let item?): try chat.delete(item, .internal)
            default: try chat.send("hello")
            }
        }
        try chat.recover()
        #expect(try State(chat) == before)
    }

    private func play(_ arrival: Arrival, _ chat: ConversationBench, _ item: ChatItem) throws {
        switch arrival {
        case .message: try chat.receive("hi", 2)
        case .edit: try chat.receiveEdit(of: 1, "hello")
        case .deletion: try chat.receiveDeletion(of: 1)
        case .reaction: try chat.receiveReaction(to: item)
        case .delivery: chat.delivered(item)
        case .receipt: chat.confirmed(item)
        case .refusal: chat.refused(item)
        }
        if let failure = chat.bench.context.failure { throw failure }
    }

    @Test(arguments: ConversationKind.withPeer, Arrival.allCases)
    func what_arrives_counts_once_after_a_crash(kind: ConversationKind, arrival: Arrival) throws {
        func begin() throws -> (ConversationBench, ChatItem) {
            let chat = try ConversationBench(kind)
            try chat.receive("helo", 1)
            return (chat, try chat.send("hello"))
        }
        let (whole, sent) = try begin()
        try play(arrival, whole, sent)
        let expected = try State(whole), unreadCount = try whole.unreadCount

        let (chat, item) = try begin()
        let before = try State(chat)
        #expect(before != expected)
        try chat.crashBeforeStoring { try play(arrival, chat, item) }
        #expect(try State(chat) == before)
        for _ in 0..<2 {
            try chat.recover()
            #expect(try State(chat) == expected && chat.unreadCount == unreadCount)
        }
    }
}
