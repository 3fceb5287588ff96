import Store

extension ChatSchema {
    /// Own messages that the contact did not confirm although it confirmed later ones, or that it received altered.
    static let unconfirmed = Migration(
        10, "messages that were not confirmed",
        """
        CREATE INDEX items_unconfirmed ON items (item_id)
            WHERE status IN ('snd_sent unconfirmed', 'snd_rcvd badMsgHash complete');
        """,
        down: Migration.Down(
            loses: "which messages were not confirmed",
            """
            DROP INDEX items_unconfirmed;
            UPDATE items SET status = 'snd_sent complete' WHERE status = 'snd_sent unconfirmed';
            """))
}
