import Store

extension AgentSchema {
    /// Short links: the own ones, and the keys with which links of others were opened.
    static let links = Migration(
        2, "links",
        """
        CREATE TABLE links (
            connection_id INTEGER PRIMARY KEY REFERENCES connections ON DELETE CASCADE,
            server_id INTEGER NOT NULL REFERENCES servers,
            link_key BLOB NOT NULL,
            signer BLOB NOT NULL,
            root_key BLOB NOT NULL,
            fixed_blob BLOB NOT NULL,
            link_id BLOB,
            is_invitation INTEGER NOT NULL
        ) STRICT;

        -- A relay lets nobody with another key into an invitation that was opened: the key is kept also when nothing came of
        -- it, because the link may be used again.
        CREATE TABLE opening_keys (
            profile_id INTEGER NOT NULL,
            link_id BLOB NOT NULL,
            link_key BLOB NOT NULL,
            key BLOB NOT NULL,
            PRIMARY KEY (profile_id, link_id, link_key)
        ) STRICT, WITHOUT ROWID;
        """,
        down: Migration.Down(
            loses: "addresses, and connections whose link is being opened",
            """
            DROP TABLE opening_keys;
            DROP TABLE links;
            -- Roles, states, tasks and events that came with the step.
            DELETE FROM connections WHERE role = 2 OR status = 8;
            DELETE FROM outbox WHERE kind >= 20;
            DELETE FROM events WHERE substr(content, 1, 1) = x'41';
            """))
}
