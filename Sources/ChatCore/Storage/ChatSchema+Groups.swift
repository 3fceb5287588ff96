import Store

extension ChatSchema {
    /// Groups: their profiles, members, introductions, and what is sent to all members.
    static let groups = Migration(
        18, "groups and their members",
        """
        -- What the group says about itself, as in messages
        ALTER TABLE groups ADD COLUMN profile TEXT NOT NULL DEFAULT '{"displayName":"","fullName":""}';
        -- The row of the user in `group_members`
        ALTER TABLE groups ADD COLUMN membership_id INTEGER REFERENCES group_members ON DELETE SET NULL;
        ALTER TABLE groups ADD COLUMN alias TEXT NOT NULL DEFAULT '';
        -- JSON: the kind of a business chat and who the two sides are; NULL: a group
        ALTER TABLE groups ADD COLUMN business TEXT;
        -- JSON: the link that the chat was prepared from; NULL: it was joined at once
        ALTER TABLE groups ADD COLUMN prepared TEXT;
        -- 'all', 'mentions' or 'none'
        ALTER TABLE groups ADD COLUMN notifications TEXT NOT NULL DEFAULT 'all';
        -- NULL: as the profile has it
        ALTER TABLE groups ADD COLUMN sends_receipts INTEGER;
        -- When the members were told the profile of the user last
        ALTER TABLE groups ADD COLUMN profile_sent_at INTEGER;
        -- The id of the group link through which the user joined, or asked to
        ALTER TABLE groups ADD COLUMN link_id BLOB;
        -- The link of an invitation that the user has not accepted
        ALTER TABLE groups ADD COLUMN invitation TEXT;
        CREATE INDEX groups_link ON groups (profile_id, link_id) WHERE link_id IS NOT NULL;

        -- JSON: the group and the member that the contact comes from, and its invitation
        ALTER TABLE contacts ADD COLUMN member_invitation TEXT;
        -- Whether who asks at the address gets a group of its own
        ALTER TABLE addresses ADD COLUMN is_business INTEGER NOT NULL DEFAULT 0;

        CREATE TABLE group_members (
            group_member_id INTEGER PRIMARY KEY AUTOINCREMENT,
            group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
            -- The id that all members know it by
            member_id BLOB NOT NULL,
            role TEXT NOT NULL,
            category TEXT NOT NULL,
            status TEXT NOT NULL,
            -- Unique in the profile of the user, as the names of contacts are
            name TEXT NOT NULL,
            profile TEXT NOT NULL,
            contact_id INTEGER REFERENCES contacts ON DELETE SET NULL,
            -- The member that brought it here; NULL: unknown, or the user
            invited_by INTEGER REFERENCES group_members ON DELETE SET NULL,
            is_invited_by_user INTEGER NOT NULL DEFAULT 0,
            shows_messages INTEGER NOT NULL DEFAULT 1,
            -- Whether a moderator blocked it for all
            is_blocked INTEGER NOT NULL DEFAULT 0,
            -- The chat versions that it speaks
            versions TEXT NOT NULL,
            -- Of the user: whether the group knows a profile that was made up for it
            is_incognito INTEGER NOT NULL DEFAULT 0,
            -- Its conversation with the moderators; NULL: there is none
            support_active_at INTEGER,
            support_unread INTEGER NOT NULL DEFAULT 0,
            -- How many of the unread ones wait for a moderator
            support_attention INTEGER NOT NULL DEFAULT 0,
            support_mentions INTEGER NOT NULL DEFAULT 0,
            -- When the member wrote there last
            support_member_at INTEGER,
            -- When its first message came that was not passed on, and the last time of those that were
            first_direct_at INTEGER,
            last_forwarded_at INTEGER,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (group_id, member_id)
        ) STRICT;
        CREATE INDEX group_members_contact ON group_members (contact_id) WHERE contact_id IS NOT NULL;
        CREATE INDEX groups_membership ON groups (membership_id);
        CREATE INDEX group_members_attention ON group_members (group_id)
            WHERE status = 'pending_review' OR support_attention > 0;
        CREATE INDEX group_members_inviter ON group_members (invited_by) WHERE invited_by IS NOT NULL;

        -- Which members this user introduced to each other, and how far that has come.
        CREATE TABLE introductions (
            introduction_id INTEGER PRIMARY KEY AUTOINCREMENT,
            -- Who was in the group before
            existing_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
            -- Who came
            newcomer_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
            status TEXT NOT NULL,
            -- The link that the newcomer made for the other, until it is passed on
            link TEXT,
            updated_at INTEGER NOT NULL,
            UNIQUE (newcomer_id, existing_id)
        ) STRICT;
        CREATE INDEX introductions_existing ON introductions (existing_id);

        ALTER TABLE connections ADD COLUMN member_id INTEGER REFERENCES group_members ON DELETE CASCADE;
        CREATE INDEX connections_member ON connections (member_id) WHERE member_id IS NOT NULL;

        CREATE TABLE group_links (
            group_id INTEGER PRIMARY KEY REFERENCES groups ON DELETE CASCADE,
            connection_id INTEGER NOT NULL UNIQUE REFERENCES connections ON DELETE CASCADE,
            link_id BLOB NOT NULL,
            -- The role of those who join through it
            role TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;

        -- A message in its one form for all members, as long as somebody is going to get it.
        CREATE TABLE group_messages (
            group_message_id INTEGER PRIMARY KEY AUTOINCREMENT,
            group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
            -- The id of its first message, by which the agent knows it
            message_id BLOB NOT NULL,
            body BLOB NOT NULL,
            notifies INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX group_messages_group ON group_messages (group_id);
        CREATE INDEX group_messages_token ON group_messages (message_id);
        -- The entries that a message is: several where messages travel together.
        CREATE TABLE group_message_items (
            item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
            group_message_id INTEGER NOT NULL REFERENCES group_messages ON DELETE CASCADE,
            PRIMARY KEY (item_id, group_message_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX group_message_items_message ON group_message_items (group_message_id);

        -- What became of a message at one member.
        CREATE TABLE group_deliveries (
            group_message_id INTEGER NOT NULL REFERENCES group_messages ON DELETE CASCADE,
            group_member_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
            status TEXT NOT NULL,
            PRIMARY KEY (group_message_id, group_member_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX group_deliveries_member ON group_deliveries (group_member_id);
        CREATE INDEX group_deliveries_owed ON group_deliveries (group_message_id)
            WHERE status IN ('owed', 'pending', 'inactive');

        -- Who wrote a received entry; NULL: the contact, or the user
        ALTER TABLE items ADD COLUMN author_id INTEGER REFERENCES group_members ON DELETE CASCADE;
        CREATE INDEX items_author ON items (author_id) WHERE author_id IS NOT NULL;
        -- The member whose conversation with the moderators it belongs to; NULL: it is for all
        ALTER TABLE items ADD COLUMN support_id INTEGER REFERENCES group_members ON DELETE CASCADE;
        CREATE INDEX items_support ON items (support_id) WHERE support_id IS NOT NULL;
        -- The member through whom it came
        ALTER TABLE items ADD COLUMN forwarded_by INTEGER REFERENCES group_members ON DELETE SET NULL;
        CREATE INDEX items_forwarder ON items (forwarded_by) WHERE forwarded_by IS NOT NULL;
        -- JSON: the members that are mentioned, by the names in the text
        ALTER TABLE items ADD COLUMN mentions TEXT;
        ALTER TABLE items ADD COLUMN mentions_user INTEGER NOT NULL DEFAULT 0;
        -- The author of what it quotes; NULL: the user or unknown
        ALTER TABLE items ADD COLUMN quoted_author_id INTEGER REFERENCES group_members ON DELETE SET NULL;
        CREATE INDEX items_quoted_author ON items (quoted_author_id) WHERE quoted_author_id IS NOT NULL;
        -- 'moderated', 'blocked' or 'blockedByAdmin'; NULL with deleted_at: its author deleted it
        ALTER TABLE items ADD COLUMN removal TEXT;
        -- The member that moderated it; NULL: the user
        ALTER TABLE items ADD COLUMN moderator_id INTEGER REFERENCES group_members ON DELETE SET NULL;
        CREATE INDEX items_moderator ON items (moderator_id) WHERE moderator_id IS NOT NULL;

        -- A report to the moderators; the open ones are counted.
        ALTER TABLE items ADD COLUMN is_report INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX items_reports ON items (chat_id) WHERE is_report = 1 AND deleted_at IS NULL;
        -- Entries of groups are shown in the order of their times.
        CREATE INDEX items_time ON items (chat_id, time, item_id);
        -- Answers to messages that are not here yet
        CREATE INDEX items_open_quotes ON items (chat_id) WHERE quote IS NOT NULL AND quoted_item_id IS NULL;

        CREATE TABLE member_reactions (
            item_id INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
            -- Who gave it
            group_member_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
            reaction TEXT NOT NULL,
            -- 0: it was taken back, which stays known in case that it comes again
            is_given INTEGER NOT NULL,
            -- When it was given or taken back, by the clock of a relay
            created_at INTEGER NOT NULL,
            PRIMARY KEY (item_id, group_member_id, reaction)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX member_reactions_member ON member_reactions (group_member_id);

        -- Events that came before the message that they are about, and deletions, so that nothing brings a message back.
        CREATE TABLE early_events (
            early_event_id INTEGER PRIMARY KEY AUTOINCREMENT,
            group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
            -- Who wrote the message
            author BLOB NOT NULL,
            message_id BLOB NOT NULL,
            -- Who sent the event
            group_member_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
            event TEXT NOT NULL,
            -- When it was sent, by the clock of a relay
            time INTEGER NOT NULL,
            received_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX early_events_message ON early_events (group_id, message_id);
        CREATE INDEX early_events_age ON early_events (received_at);
        CREATE INDEX early_events_member ON early_events (group_member_id);

        -- The messages that members sent, so that one that comes directly and through another member counts once.
        CREATE TABLE member_messages (
            group_member_id INTEGER NOT NULL REFERENCES group_members ON DELETE CASCADE,
            message_id BLOB NOT NULL,
            -- The member through whom it came first; NULL: directly
            forwarded_by INTEGER REFERENCES group_members ON DELETE SET NULL,
            received_at INTEGER NOT NULL,
            PRIMARY KEY (group_member_id, message_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX member_messages_age ON member_messages (received_at);
        CREATE INDEX member_messages_forwarder ON member_messages (forwarded_by) WHERE forwarded_by IS NOT NULL;

        -- Probes, by which contacts and members recognise each other: to whom each was sent, and who got its hash.
        CREATE TABLE sent_probes (
            probe_id INTEGER PRIMARY KEY AUTOINCREMENT,
            profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
            contact_id INTEGER REFERENCES contacts ON DELETE CASCADE,
            group_member_id INTEGER REFERENCES group_members ON DELETE CASCADE,
            probe BLOB NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX sent_probes_probe ON sent_probes (probe);
        CREATE INDEX sent_probes_contact ON sent_probes (contact_id) WHERE contact_id IS NOT NULL;
        CREATE INDEX sent_probes_member ON sent_probes (group_member_id) WHERE group_member_id IS NOT NULL;
        CREATE TABLE sent_checks (
            probe_id INTEGER NOT NULL REFERENCES sent_probes ON DELETE CASCADE,
            contact_id INTEGER REFERENCES contacts ON DELETE CASCADE,
            group_member_id INTEGER REFERENCES group_members ON DELETE CASCADE
        ) STRICT;
        CREATE INDEX sent_checks_probe ON sent_checks (probe_id);
        CREATE INDEX sent_checks_contact ON sent_checks (contact_id) WHERE contact_id IS NOT NULL;
        CREATE INDEX sent_checks_member ON sent_checks (group_member_id) WHERE group_member_id IS NOT NULL;
        -- The probes and hashes of others.
        CREATE TABLE received_probes (
            received_probe_id INTEGER PRIMARY KEY AUTOINCREMENT,
            profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
            contact_id INTEGER REFERENCES contacts ON DELETE CASCADE,
            group_member_id INTEGER REFERENCES group_members ON DELETE CASCADE,
            hash BLOB NOT NULL,
            -- NULL: only the hash came
            probe BLOB,
            received_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX received_probes_hash ON received_probes (profile_id, hash);
        CREATE INDEX received_probes_contact ON received_probes (contact_id) WHERE contact_id IS NOT NULL;
        CREATE INDEX received_probes_member ON received_probes (group_member_id) WHERE group_member_id IS NOT NULL;

        ALTER TABLE chats ADD COLUMN unread_mentions INTEGER NOT NULL DEFAULT 0;
        """,
        down: Migration.Down(
            loses: "groups",
            """
            DELETE FROM names WHERE (profile_id, name) IN (SELECT profile_id, name FROM groups);
            DELETE FROM names WHERE (profile_id, name) IN (
                SELECT groups.profile_id, group_members.name FROM group_members JOIN groups USING (group_id)
                WHERE group_members.contact_id IS NULL);
            DELETE FROM connections WHERE member_id IS NOT NULL
                OR connection_id IN (SELECT connection_id FROM group_links);
            DELETE FROM groups;
            ALTER TABLE chats DROP COLUMN unread_mentions;
            DROP TABLE received_probes;
            DROP TABLE sent_checks;
            DROP TABLE sent_probes;
            DROP TABLE member_messages;
            DROP TABLE early_events;
            DROP TABLE member_reactions;
            DROP INDEX items_open_quotes;
            DROP INDEX items_time;
            DROP INDEX items_reports;
            ALTER TABLE items DROP COLUMN is_report;
            DROP INDEX items_moderator;
            ALTER TABLE items DROP COLUMN moderator_id;
            ALTER TABLE items DROP COLUMN removal;
            DROP INDEX items_quoted_author;
            ALTER TABLE items DROP COLUMN quoted_author_id;
            ALTER TABLE items DROP COLUMN mentions_user;
            ALTER TABLE items DROP COLUMN mentions;
            DROP INDEX items_forwarder;
            ALTER TABLE items DROP COLUMN forwarded_by;
            DROP INDEX items_support;
            ALTER TABLE items DROP COLUMN support_id;
            DROP INDEX items_author;
            ALTER TABLE items DROP COLUMN author_id;
            DROP TABLE group_message_items;
            DROP TABLE group_deliveries;
            DROP TABLE group_messages;
            DROP TABLE group_links;
            DROP INDEX connections_member;
            ALTER TABLE connections DROP COLUMN member_id;
            DROP TABLE introductions;
            DROP INDEX groups_membership;
            DROP INDEX groups_link;
            ALTER TABLE groups DROP COLUMN invitation;
            ALTER TABLE groups DROP COLUMN link_id;
            ALTER TABLE groups DROP COLUMN profile_sent_at;
            ALTER TABLE groups DROP COLUMN sends_receipts;
            ALTER TABLE groups DROP COLUMN notifications;
            ALTER TABLE groups DROP COLUMN prepared;
            ALTER TABLE groups DROP COLUMN business;
            ALTER TABLE groups DROP COLUMN alias;
            ALTER TABLE groups DROP COLUMN membership_id;
            ALTER TABLE groups DROP COLUMN profile;
            DROP TABLE group_members;
            ALTER TABLE addresses DROP COLUMN is_business;
            ALTER TABLE contacts DROP COLUMN member_invitation;
            """))
}
