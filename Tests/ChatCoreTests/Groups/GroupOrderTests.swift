import ByteCoding
import ChatProtocol
import JSONCoding
import Store
import Testing

@testable import ChatCore

/// Events about a message in any order.
@Suite struct GroupOrderTests {
    /// What is left of messages, without what depends on the order of arrival.
    private struct State: Equatable {
        var texts: [String] = []
        var edited: [Bool] = []
        var versions: [[String]] = []
        var reactions: [[String]] = []
        var removals: [String] = []
        var moderators: [GroupMemberID?] = []
        var quotes: [String?] = []
        var times: [Timestamp] = []
        var statuses: [ChatItem.Status] = []
        var unread = 0
    }

    private func state(of team: GroupBench) throws -> State {
        var state = State()
        // Entries of the same time stand in the order in which they came.
        let items = try team.items().sorted { $0.time < $1.time }
        state.unread = try team.group().unreadCount
        for item in items {
            state.texts.append("\(item.content.kind) \(item.content.plainText)")
            state.edited.append(item.editedAt != nil)
            state.versions.append(try team.bench.store.versions(of: item.id).map(\.content.text))
            state.reactions.append(
                try Set(item.reactions.map(\.reaction)).flatMap { reaction in
                    try team.conversations.members(thatGave: reaction, to: item.id, in: team.target).map {
                        "\($0.member.name) \(reaction.text)"
                    }
                }.sorted())
            state.removals.append(item.deletedAt.map { "\($0) \(item.group?.removal?.rawValue ?? "")" } ?? "")
            state.moderators.append(item.group?.moderator?.id)
            state.quotes.append(
                try item.quotedID.map { id in try team.bench.context.lookup.item(id).content.plainText })
            state.times.append(item.time)
            state.statuses.append(item.status)
        }
        return state
    }

    private struct Step {
        let event: ChatMessage.Event
        let sender: Int
        let seconds: Int
    }

    /// The state after steps in an order. Each is sent at its own time.
    private func run(_ steps: [Step], _ order: [Int], isFull: Bool) throws -> State {
        let team = try GroupBench()
        if isFull { try team.set(.fullDelete, .init(true, role: .member)) }
        let members = [try team.member("bob"), try team.member("cath"), try team.member("mod", .moderator)]
        let start = team.bench.now
        for index in order {
            let step = steps[index]
            try team.receive(
                step.event, UInt8(index + 1), from: members[step.sender], at: start + .seconds(step.seconds))
        }
        return try state(of: team)
    }

    private func steps() throws -> [Step] {
        let id = Workbench.sharedID(1), author = GroupBench.memberID(101), thumb = try #require(Reaction(emoji: "👍"))
        let quote = Quote(
            MessageReference(
                id: id, sentAt: WireTime(Timestamp(milliseconds: 0)), isOwn: false, memberID: author),
            content: MessageContent("original"))
        return [
            Step(event: text("original"), sender: 0, seconds: 1),
            Step(event: .update(MessageUpdate(id, MessageContent("edited"))), sender: 0, seconds: 2),
            Step(event: .update(MessageUpdate(id, MessageContent("edited again"))), sender: 0, seconds: 3),
            Step(event: .reaction(MessageReaction(id, thumb, isAdded: true, of: author)), sender: 1, seconds: 4),
            Step(event: .reaction(MessageReaction(id, thumb, isAdded: false, of: author)), sender: 1, seconds: 5),
            Step(event: .message(MessageContainer(MessageContent("answer"), quote: quote)), sender: 1, seconds: 6),
            Step(event: .deletion(MessageDeletion(id)), sender: 0, seconds: 7),
            Step(event: .deletion(MessageDeletion(id, of: author)), sender: 2, seconds: 8),
        ]
    }

    // MARK: - All orders

    /// Applies the steps that are left in every order. What has the same steps behind it and the same database has the same ahead of it,
    /// and is not gone through twice.
    private final class Walk {
        let team: GroupBench
        let steps: [Step]
        let senders: [GroupMember]
        let check: () throws -> Void
        private let start: Timestamp
        private let dump: String
        /// How many orders lead on from a state.
        private var known: [String: Int] = [:]

        init(_ team: GroupBench, _ steps: [Step], from senders: [GroupMember], check: @escaping () throws -> Void)
            throws
        {
            self.team = team
            self.steps = steps
            self.senders = senders
            self.check = check
            start = team.bench.now
            let database = team.bench.store.database
            // They are no newcomers.
            try database.run("UPDATE group_members SET first_direct_at = 0")
            // All that messages change.
            let tables = [
                "items", "item_versions", "member_reactions", "reactions", "early_events", "member_messages", "chats",
                "group_members", "group_messages",
            ]
            dump = try tables.map { table in
                let columns = try database.rows("SELECT name FROM pragma_table_info('\(table)')") {
                    row throws(StoreError) in try row.text()
                }
                let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
                return "SELECT '\(table)|' || \(values) FROM \"\(table)\""
            }.joined(separator: " UNION ALL ")
        }

        /// Returns the number of orders.
        func run(_ applied: Set<Int> = []) throws -> Int {
            if applied.count == steps.count {
                try check()
                return 1
            }
            let database = team.bench.store.database
            var count = 0
            for index in steps.indices where !applied.contains(index) {
                try database.execute(script: "SAVEPOINT step")
                try apply(steps[index], index)
                let behind = applied.union([index])
                let state = try "\(behind.sorted()) \(rows().joined(separator: "\n"))"
                let number = try known[state] ?? run(behind)
                known[state] = number
                count += number
                try database.execute(script: "ROLLBACK TO step; RELEASE step")
            }
            return count
        }

        private func rows() throws -> [String] {
            try team.bench.store.database.rows(dump) { row throws(StoreError) in try row.text() }
        }

        private func apply(_ step: Step, _ index: Int) throws {
            var consequences = GroupConsequences()
            let message = ChatMessage(id: Workbench.sharedID(UInt8(index + 1)), event: step.event)
            try team.groups.record(
                MemberMessage(
                    id: message.id, event: message.event, bytes: message.encoded,
                    author: try team.member(senders[step.sender].id), forwarder: nil,
                    time: start + .seconds(step.seconds), group: try team.group(),
                    profile: try team.bench.profile()), &consequences)
        }
    }

    /// New, edit, edit, reaction, reaction off, answer, deletion, moderation: 40,320 orders.
    @Test(arguments: [false, true]) func every_order_of_eight_events_leaves_the_same(isFull: Bool) throws {
        try check(try steps(), isFull: isFull, orders: 40_320) { state in
            #expect(state.texts.contains("message answer"))
            #expect(isFull || state.versions.contains(["edited again", "edited", "original"]))
        }
    }

    /// Without anything that takes the message away its reactions and versions are to be seen.
    @Test(arguments: [false, true]) func every_order_without_deletions_leaves_the_same(isFull: Bool) throws {
        try check(Array(try steps().prefix(6)), isFull: isFull, orders: 720) { state in
            #expect(
                state.texts == ["message edited again", "message answer"] && state.quotes == [nil, "edited again"])
            #expect(state.edited == [true, false] && state.reactions == [[], []] && state.unread == 2)
        }
    }

    /// A reaction that stays, with either way to take the message away.
    @Test(arguments: [false, true]) func every_order_with_one_deletion_leaves_the_same(isFull: Bool) throws {
        let steps = try steps()
        for deletion in [6, 7] {
            let some = [0, 1, 2, 3, 5, deletion].map { steps[$0] }
            try check(some, isFull: isFull, orders: 720) { state in
                #expect(isFull || state.reactions.contains(["cath 👍"]))
            }
        }
    }

    private func check(
        _ steps: [Step], isFull: Bool, orders: Int, _ look: @escaping (State) throws -> Void
    ) throws {
        let team = try GroupBench()
        if isFull { try team.set(.fullDelete, .init(true, role: .member)) }
        let members = [try team.member("bob"), try team.member("cath"), try team.member("mod", .moderator)]
        var expected: State?
        let walk = try Walk(team, steps, from: members) {
            let state = try state(of: team)
            if expected == nil {
                expected = state
                try look(state)
            }
            #expect(state == expected)
        }
        #expect(try team.bench.store.transaction { try walk.run() } == orders)
    }

    @Test func what_was_reacted_to_and_moderated_before_it_came_is_so_when_it_comes() throws {
        let steps = try steps(), some = [steps[0], steps[3], steps[7]]
        let state = try run(some, [1, 2, 0], isFull: false)
        #expect(state.reactions == [["cath 👍"]] && state.removals.first?.hasSuffix("moderated") == true)
    }
}
