import Store

extension ChatSchema {
    /// The calls of hooks that wait, by their chat.
    static let hookTurns = Migration(
        13, "hooks by chat",
        """
        CREATE INDEX hook_runs_waiting ON hook_runs (ifnull(chat_id, ''), hook_run_id) WHERE failures < 4;
        """,
        down: Migration.Down(
            loses: "the order in which hooks of several chats take turns", "DROP INDEX hook_runs_waiting;"))
}
