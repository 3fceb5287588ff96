import Store

extension ChatSchema {
    /// Channels: their keys, the keys and links of their members, rosters, and signatures of entries.
    static let channels = Migration(
        25, "channels",
        """
        -- The id of a channel, the same for all members; NULL: a group without relays
        ALTER TABLE groups ADD COLUMN public_id BLOB;
        -- The DER form of the root key of the channel link
        ALTER TABLE groups ADD COLUMN root_key BLOB;
        -- The seed of the root key; NULL: the user has not made the channel
        ALTER TABLE groups ADD COLUMN root_private_key BLOB;
        -- The seed of the user's key in the channel
        ALTER TABLE groups ADD COLUMN member_private_key BLOB;
        -- The status of the user as a relay; NULL: it is none
        ALTER TABLE groups ADD COLUMN relay_status TEXT;
        ALTER TABLE groups ADD COLUMN public_member_count INTEGER;
        -- The highest version of the roster that was seen, and the one up to which none is missing
        ALTER TABLE groups ADD COLUMN roster_gate INTEGER;
        ALTER TABLE groups ADD COLUMN roster_version INTEGER;
        CREATE INDEX groups_public ON groups (profile_id, public_id) WHERE public_id IS NOT NULL;

        -- The short link of a relay for its channel
        ALTER TABLE group_members ADD COLUMN relay_link TEXT;

        -- 1: an owner wrote it as the channel
        ALTER TABLE items ADD COLUMN is_from_group INTEGER NOT NULL DEFAULT 0;
        -- 'verified', 'signedNoKey', or NULL: it was not signed
        ALTER TABLE items ADD COLUMN signature TEXT;
        -- The last signed element of it, for later members
        ALTER TABLE items ADD COLUMN signed_element BLOB;

        -- The newest complete roster of a channel, as its owner signed it
        CREATE TABLE rosters (
            group_id INTEGER PRIMARY KEY REFERENCES groups ON DELETE CASCADE,
            version INTEGER NOT NULL,
            -- The id of the owner that signed it, and when, by the clock of a relay
            author BLOB NOT NULL,
            time INTEGER NOT NULL,
            element BLOB NOT NULL,
            file BLOB NOT NULL
        ) STRICT;
        -- Rosters whose files are arriving, one from each sender
        CREATE TABLE roster_transfers (
            group_member_id INTEGER PRIMARY KEY REFERENCES group_members ON DELETE CASCADE,
            message_id BLOB NOT NULL,
            version INTEGER NOT NULL,
            author BLOB NOT NULL,
            time INTEGER NOT NULL,
            size INTEGER NOT NULL,
            digest BLOB NOT NULL,
            element BLOB NOT NULL,
            file BLOB NOT NULL
        ) STRICT;
        """,
        down: Migration.Down(
            loses: "channels",
            """
            DELETE FROM names WHERE (profile_id, name) IN
                (SELECT profile_id, name FROM groups WHERE public_id IS NOT NULL);
            DELETE FROM names WHERE (profile_id, name) IN (
                SELECT groups.profile_id, group_members.name FROM group_members JOIN groups USING (group_id)
                WHERE group_members.contact_id IS NULL AND public_id IS NOT NULL);
            DELETE FROM groups WHERE public_id IS NOT NULL;
            DROP TABLE roster_transfers;
            DROP TABLE rosters;
            ALTER TABLE items DROP COLUMN signed_element;
            ALTER TABLE items DROP COLUMN signature;
            ALTER TABLE items DROP COLUMN is_from_group;
            ALTER TABLE group_members DROP COLUMN relay_link;
            DROP INDEX groups_public;
            ALTER TABLE groups DROP COLUMN roster_version;
            ALTER TABLE groups DROP COLUMN roster_gate;
            ALTER TABLE groups DROP COLUMN public_member_count;
            ALTER TABLE groups DROP COLUMN relay_status;
            ALTER TABLE groups DROP COLUMN member_private_key;
            ALTER TABLE groups DROP COLUMN root_private_key;
            ALTER TABLE groups DROP COLUMN root_key;
            ALTER TABLE groups DROP COLUMN public_id;
            """))
}
