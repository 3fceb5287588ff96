import Store

extension ChatSchema {
    /// What lists show of chats, close together: a list of chats would otherwise read a page for each newest entry, one for its
    /// author and one for the user as a member. Triggers keep the copies, because many statements change entries.
    static let newest = Migration(
        22, "newest entries for lists of chats",
        """
        -- The entries that chats.last_item_id names.
        CREATE TABLE newest_items (
            chat_id INTEGER PRIMARY KEY REFERENCES chats ON DELETE CASCADE,
            item_id INTEGER NOT NULL,
            direction TEXT NOT NULL,
            status TEXT NOT NULL,
            time INTEGER NOT NULL,
            kind TEXT NOT NULL,
            -- NULL: a long one, which is in items alone
            content TEXT,
            deleted_at INTEGER,
            removal TEXT,
            author_id INTEGER,
            -- The name of the author
            author TEXT
        ) STRICT;
        INSERT INTO newest_items \(listed) JOIN chats ON chats.last_item_id = items.item_id;

        CREATE TRIGGER newest_items_other AFTER UPDATE OF last_item_id ON chats
            WHEN NEW.last_item_id IS NOT OLD.last_item_id
        BEGIN
            DELETE FROM newest_items WHERE chat_id = NEW.chat_id;
            INSERT INTO newest_items \(listed) WHERE items.item_id = NEW.last_item_id;
        END;
        CREATE TRIGGER newest_items_changed
            AFTER UPDATE OF direction, status, time, kind, content, deleted_at, removal, author_id ON items
            WHEN EXISTS (SELECT 1 FROM newest_items WHERE chat_id = NEW.chat_id AND item_id = NEW.item_id)
        BEGIN
            DELETE FROM newest_items WHERE chat_id = NEW.chat_id;
            INSERT INTO newest_items \(listed) WHERE items.item_id = NEW.item_id;
        END;
        CREATE TRIGGER newest_items_removed AFTER DELETE ON items
        BEGIN
            DELETE FROM newest_items WHERE chat_id = OLD.chat_id AND item_id = OLD.item_id;
        END;
        CREATE TRIGGER newest_items_renamed AFTER UPDATE OF name ON group_members
        BEGIN
            UPDATE newest_items SET author = NEW.name
            WHERE author_id = NEW.group_member_id
                AND chat_id = (SELECT chat_id FROM chats WHERE group_id = NEW.group_id);
        END;

        -- All that a list reads of the other tables. Their rows are long.
        CREATE INDEX contacts_listed ON contacts (contact_id, name, status, is_muted);
        CREATE INDEX groups_listed ON groups (group_id, name, notifications, membership_id, prepared);
        CREATE INDEX group_members_own ON group_members (group_member_id, category, status) WHERE category = 'user';
        """,
        down: Migration.Down(
            """
            DROP INDEX group_members_own;
            DROP INDEX groups_listed;
            DROP INDEX contacts_listed;
            DROP TRIGGER newest_items_renamed;
            DROP TRIGGER newest_items_removed;
            DROP TRIGGER newest_items_changed;
            DROP TRIGGER newest_items_other;
            DROP TABLE newest_items;
            """))

    private static let listed = """
        SELECT items.chat_id, items.item_id, items.direction, items.status, items.time, items.kind,
                iif(length(items.content) <= 500, items.content, NULL), items.deleted_at, items.removal,
                items.author_id, authors.name
            FROM items LEFT JOIN group_members AS authors ON authors.group_member_id = items.author_id
        """
}
