import Store

extension ChatSchema {
    /// Contacts that are shown before anything is sent to them, and welcome messages that their readers know already.
    static let prepared = Migration(
        17, "contacts that are prepared from a link",
        """
        -- JSON: the link, and the ids of the welcome message and of the request's message; NULL: it was not prepared
        ALTER TABLE contacts ADD COLUMN prepared TEXT;
        CREATE INDEX contacts_prepared ON contacts (profile_id) WHERE prepared IS NOT NULL;
        -- The id under which the other side has the welcome message of the address already.
        ALTER TABLE requests ADD COLUMN welcome_id BLOB;
        ALTER TABLE connections ADD COLUMN welcome_id BLOB;
        -- The request that a contact was made of, and the own address that it came to.
        ALTER TABLE contacts ADD COLUMN request_id INTEGER;
        ALTER TABLE connections ADD COLUMN address_id INTEGER;
        -- The user's own name for a connection that has no contact yet.
        ALTER TABLE connections ADD COLUMN alias TEXT NOT NULL DEFAULT '';
        """,
        down: Migration.Down(
            loses: "contacts that are prepared and not connected, and aliases of invitations",
            """
            DELETE FROM names WHERE (profile_id, name) IN (
                SELECT profile_id, name FROM contacts WHERE prepared IS NOT NULL
                    AND contact_id NOT IN (SELECT contact_id FROM connections WHERE contact_id IS NOT NULL));
            DELETE FROM contacts WHERE prepared IS NOT NULL
                AND contact_id NOT IN (SELECT contact_id FROM connections WHERE contact_id IS NOT NULL);
            ALTER TABLE connections DROP COLUMN alias;
            ALTER TABLE connections DROP COLUMN address_id;
            ALTER TABLE contacts DROP COLUMN request_id;
            ALTER TABLE connections DROP COLUMN welcome_id;
            ALTER TABLE requests DROP COLUMN welcome_id;
            DROP INDEX contacts_prepared;
            ALTER TABLE contacts DROP COLUMN prepared;
            """))
}
