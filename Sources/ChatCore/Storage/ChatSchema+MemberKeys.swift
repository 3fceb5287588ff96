import Store

extension ChatSchema {
    /// Keys of group members, with which signed messages are verified.
    static let memberKeys = Migration(
        23, "keys of group members",
        """
        -- The DER form of the first Ed25519 key of the member that became known here; NULL: none
        ALTER TABLE group_members ADD COLUMN public_key BLOB;
        """,
        down: Migration.Down(
            loses: "the keys of group members, so that their signatures are not verified",
            "ALTER TABLE group_members DROP COLUMN public_key;"))
}
