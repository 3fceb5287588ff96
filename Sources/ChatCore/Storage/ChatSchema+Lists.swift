import Store

extension ChatSchema {
    /// What lists of chats ask for, and reactions in the one form in which they are compared.
    static let lists = Migration(
        20, "lists of chats, the form of reactions",
        """
        -- Connections that are with nobody yet. Those of members are with nobody's contact, and far more.
        DROP INDEX connections_pending;
        CREATE INDEX connections_pending ON connections (profile_id)
            WHERE contact_id IS NULL AND member_id IS NULL;

        -- How many members groups have.
        CREATE INDEX group_members_status ON group_members (group_id, status);

        -- The fields of reactions in the order of `Reaction`: the type, then the others by name. Clients differ in it.
        \(ordered("reactions"))
        \(ordered("member_reactions"))
        """,
        down: Migration.Down(
            """
            DROP INDEX group_members_status;
            DROP INDEX connections_pending;
            CREATE INDEX connections_pending ON connections (connection_id) WHERE contact_id IS NULL;
            """))

    /// Brings the reactions of a table into their one form. What is no JSON stays as it is.
    private static func ordered(_ table: String) -> String {
        """
        UPDATE OR REPLACE \(table) SET reaction = (
            SELECT json_group_object(field, json(value)) FROM (
                SELECT fields.key AS field, CASE WHEN fields.type IN ('null', 'true', 'false') THEN fields.type
                    WHEN fields.type IN ('object', 'array') THEN fields.value ELSE json_quote(fields.value) END AS value
                FROM json_each(\(table).reaction) AS fields ORDER BY fields.key != 'type', fields.key))
        WHERE iif(json_valid(reaction), json_type(reaction), '') = 'object';
        """
    }
}
