import AgentProtocol
import ByteCoding
import Store

extension ChatStore {
    /// How many calls are remembered that were given up.
    private static let mostGivenUp = 100

    private static let hookQuery = """
        SELECT hook_run_id, hook, profile_id, event, object_id, chat_id, failures, problem, created_at FROM hook_runs
        """

    /// How many calls may wait for one chat. A contact could make all others wait.
    private static let mostWaiting = 1000

    /// In the words of the index.
    private static let isWaiting = "failures < \(HookRun.mostFailures)"

    /// Adds a call. If there are too many of its chat it counts as given up.
    func insert(_ call: HookCall, at time: Timestamp) throws {
        let waiting = try database.first(
            "SELECT count(*) FROM hook_runs WHERE ifnull(chat_id, '') = ? AND \(ChatStore.isWaiting)", call.chatID ?? ""
        ) { row throws(StoreError) in try row.int() }
        if waiting ?? 0 >= ChatStore.mostWaiting {
            try database.run(
                """
                INSERT INTO hook_runs (hook, profile_id, event, object_id, chat_id, failures, problem, created_at)
                VALUES (?, ?, '', ?, ?, ?, ?, ?)
                """, call.hook, call.profileID.number, call.objectID, call.chatID, HookRun.mostFailures,
                "\(ChatStore.mostWaiting) calls wait for this chat", time)
            return try removeGivenUp()
        }
        try database.run(
            """
            INSERT INTO hook_runs (hook, profile_id, event, object_id, chat_id, created_at) VALUES (?, ?, ?, ?, ?, ?)
            """, call.hook, call.profileID.number, call.event, call.objectID, call.chatID, time)
    }

    /// All calls, oldest first.
    func hookRuns() throws -> [HookRun] {
        try database.rows("\(ChatStore.hookQuery) ORDER BY hook_run_id") { row throws(StoreError) in try row.hookRun() }
    }

    /// The oldest call of the next chat that may be made.
    ///
    /// - Parameter chatID: The chat of the last call: chats take turns. Nil for the oldest call of all.
    func nextHookRun(afterOneOf chatID: String?, besides ids: Set<HookRun.ID>) throws -> HookRun? {
        guard let chatID else { return try nextHookRun("ORDER BY hook_run_id", "", ids) }
        let order = "ORDER BY ifnull(chat_id, ''), hook_run_id"
        return try nextHookRun("AND ifnull(chat_id, '') > ?1 \(order)", chatID, ids)
            ?? nextHookRun("AND ifnull(chat_id, '') <= ?1 \(order)", chatID, ids)
    }

    private func nextHookRun(_ choice: String, _ chatID: String, _ ids: Set<HookRun.ID>) throws -> HookRun? {
        try database.rows(
            "\(ChatStore.hookQuery) WHERE \(ChatStore.isWaiting) AND ?1 IS NOT NULL \(choice) LIMIT ?2", chatID,
            ids.count + 1
        ) { row throws(StoreError) in try row.hookRun() }.first { !ids.contains($0.id) }
    }

    func removeHookRun(_ id: HookRun.ID) throws {
        try database.run("DELETE FROM hook_runs WHERE hook_run_id = ?", id.number)
    }

    /// Counts a failure. Of a call that is not made any more only what it was about is kept: texts that their authors take
    /// back must not be left here.
    func fail(_ id: HookRun.ID, _ problem: String) throws {
        try database.run(
            "UPDATE hook_runs SET failures = failures + 1, problem = ? WHERE hook_run_id = ?", problem, id.number)
        try database.run(
            "UPDATE hook_runs SET event = '' WHERE hook_run_id = ? AND failures >= ?", id.number, HookRun.mostFailures)
        try removeGivenUp()
    }

    private func removeGivenUp() throws {
        try database.run(
            """
            DELETE FROM hook_runs WHERE failures >= ?1 AND hook_run_id NOT IN
                (SELECT hook_run_id FROM hook_runs WHERE failures >= ?1 ORDER BY hook_run_id DESC LIMIT ?2)
            """, HookRun.mostFailures, ChatStore.mostGivenUp)
    }
}

extension Row {
    fileprivate mutating func hookRun() throws(StoreError) -> HookRun {
        let id = HookRun.ID(number: try int64())
        let hook = try text()
        let profileID = ProfileID(try int64())
        let event = try text()
        let objectID = try optional { row throws(StoreError) in try row.text() }
        let chatID = try optional { row throws(StoreError) in try row.text() }
        let call = HookCall(hook: hook, profileID: profileID, event: event, objectID: objectID, chatID: chatID)
        let failures = try int()
        let problem = try optional { row throws(StoreError) in try row.text() }
        return HookRun(id: id, call: call, failures: failures, problem: problem, createdAt: try timestamp())
    }
}
