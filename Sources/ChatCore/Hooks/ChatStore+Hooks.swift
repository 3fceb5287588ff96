import AgentProtocol
import ByteCoding
import Store

extension ChatStore {
    /// How many calls are remembered that were given up.
    private static let mostGivenUp = 100

    private static let hookQuery = """
        SELECT hook_run_id, hook, profile_id, event, object_id, chat_id, failures, problem, created_at FROM hook_runs
        """

    func insert(_ call: HookCall, at time: Timestamp) throws {
        try database.run(
            """
            INSERT INTO hook_runs (hook, profile_id, event, object_id, chat_id, created_at) VALUES (?, ?, ?, ?, ?, ?)
            """, call.hook, call.profileID.number, call.event, call.objectID, call.chatID, time)
    }

    /// All calls, oldest first.
    func hookRuns() throws -> [HookRun] {
        try database.rows("\(ChatStore.hookQuery) ORDER BY hook_run_id") { row throws(StoreError) in try row.hookRun() }
    }

    /// The oldest call that may be made.
    func nextHookRun(besides ids: Set<HookRun.ID>) throws -> HookRun? {
        try database.rows(
            "\(ChatStore.hookQuery) WHERE failures < ? ORDER BY hook_run_id LIMIT ?", HookRun.mostFailures,
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
