import ChatCore
import Store
import SystemIO
import TestSupport
import Testing

/// Calls of hooks that wait.
@Suite struct HookTurnTests {
    /// A contact that writes much does not make the hooks of others wait, and its own only so many.
    @Test func chats_take_turns() throws {
        let house = try TestHouse()
        let (alice, bob) = try house.friends()
        bob.close()
        let database = try Database(bob.folder.path + "/simplex_v1_chat.db", .readWrite)
        try database.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO hook_runs (hook, profile_id, event, chat_id, created_at) SELECT 'on-message', 1, '{}', 'c1', 0 FROM n
            """)
        for chat in ["c2", nil] {
            try database.run(
                "INSERT INTO hook_runs (hook, profile_id, event, chat_id, created_at) VALUES ('on-message', 1, '{}', ?, 0)",
                chat)
        }
        for text in ["one", "two", "three", "four"] { try alice.send(text, to: "bob") }
        _ = try alice.fetch()
        let hooks = ChatHooks(
            calls: { event in
                guard let profile = (event as? NewItemsEvent)?.profile else { return [] }
                return [HookCall(hook: "on-message", profileID: profile.id, event: "{}", objectID: "m1", chatID: "c1")]
            },
            objection: { _ in nil })
        let loop = house.loop, folder = bob.folder
        let (chats, runs) = try loop.run {
            let core = try await LocalCore(folder, .writing, loop: loop, hooks: hooks)
            var chats: [String?] = []
            var run = try await core.nextHookRun(after: nil, besides: [])
            for _ in 0..<5 {
                guard let made = run else { break }
                chats.append(made.call.chatID)
                run = try await core.nextHookRun(
                    after: chats.count > 1 ? (made.id, .done) : nil, turnBehind: made.call.chatID ?? "", besides: [])
            }
            // Two of the first chat were made: there is room for two messages, and for no other.
            _ = try await core.execute(FetchMessages(timeout: .seconds(20)))
            let runs = try await core.hookRuns()
            try await core.close()
            return (chats, runs)
        }
        #expect(chats == ["c1", "c2", nil, "c1", "c1"])
        #expect(runs.count { $0.isGivenUp } == 2 && runs.count { !$0.isGivenUp } == 1000)
    }
}
