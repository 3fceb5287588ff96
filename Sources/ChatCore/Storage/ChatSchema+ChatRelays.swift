import Store

extension ChatSchema {
    /// The chat relays that profiles may choose, and those of own channels.
    static let chatRelays = Migration(
        27, "chat relays of profiles and of channels",
        """
        CREATE TABLE chat_relays (
            chat_relay_id INTEGER PRIMARY KEY AUTOINCREMENT,
            profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
            -- A link of the kind /r#
            address TEXT NOT NULL,
            profile TEXT NOT NULL,
            -- Separated by commas
            domains TEXT NOT NULL,
            is_preset INTEGER NOT NULL,
            -- NULL: it was never tested
            is_tested INTEGER,
            is_enabled INTEGER NOT NULL,
            -- It is not listed any more, and a channel uses it.
            is_deleted INTEGER NOT NULL,
            UNIQUE (profile_id, address)
        ) STRICT;

        CREATE TABLE group_relays (
            group_relay_id INTEGER PRIMARY KEY AUTOINCREMENT,
            group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
            member_id INTEGER NOT NULL UNIQUE REFERENCES group_members ON DELETE CASCADE,
            chat_relay_id INTEGER NOT NULL REFERENCES chat_relays ON DELETE CASCADE,
            status TEXT NOT NULL,
            -- The link of the relay for the channel, and the domain on which it shows channels
            link TEXT,
            web_domain TEXT
        ) STRICT;
        CREATE INDEX group_relays_group ON group_relays (group_id);
        CREATE INDEX group_relays_chat_relay ON group_relays (chat_relay_id);

        -- The relays of SimpleX Chat, for profiles with its servers
        INSERT INTO chat_relays (profile_id, address, profile, domains, is_preset, is_enabled, is_deleted)
            SELECT profile_id, address, profile, 'simplex.im', 1, is_enabled, 0 FROM (
                SELECT profile_id, max(is_enabled) AS is_enabled FROM servers
                WHERE is_preset = 1 AND profile_id IS NOT NULL AND address LIKE '%.simplex.im%' GROUP BY profile_id
            ) JOIN (
                SELECT 1 AS number, 'https://smp5.simplex.im/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw' AS address,
                    '{"displayName":"SimpleX Chat Relay 1","fullName":""}' AS profile
                UNION ALL SELECT 2, 'https://smp6.simplex.im/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ',
                    '{"displayName":"SimpleX Chat Relay 2","fullName":""}'
                UNION ALL SELECT 3, 'https://smp4.simplex.im/r#yxNOMJcry5jMTRPEBVtGBATYaKeoRIsZRBPIDLx7x6M',
                    '{"displayName":"SimpleX Chat Relay 3","fullName":""}'
            ) ORDER BY profile_id, number;
        """,
        down: Migration.Down(
            loses: "the chat relays of profiles and of channels",
            """
            DROP TABLE group_relays;
            DROP TABLE chat_relays;
            """))
}
