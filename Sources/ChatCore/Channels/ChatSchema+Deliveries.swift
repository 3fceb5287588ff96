import Store

extension ChatSchema {
    /// What a chat relay has to do: requests of owners, and what it passes on.
    static let deliveries = Migration(
        26, "deliveries of a chat relay",
        """
        -- Owners that ask the user to serve a channel, until it does
        CREATE TABLE relay_requests (
            relay_request_id INTEGER PRIMARY KEY AUTOINCREMENT,
            profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
            -- The link to the owner, its chat versions, and the JSON form of its invitation
            link TEXT NOT NULL,
            versions TEXT NOT NULL,
            invitation TEXT NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL
        ) STRICT;

        -- Elements that are passed on, in their order, until they are in a job
        CREATE TABLE relay_tasks (
            relay_task_id INTEGER PRIMARY KEY AUTOINCREMENT,
            group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
            -- The member whose conversation with the moderators it belongs to; NULL: it is for all members
            support_id INTEGER REFERENCES group_members ON DELETE CASCADE,
            sender_id INTEGER NOT NULL,
            element BLOB NOT NULL,
            -- 1: the user serves the channel until it is passed on
            is_last INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX relay_tasks_group ON relay_tasks (group_id);
        CREATE INDEX relay_tasks_support ON relay_tasks (support_id);

        -- Payloads that are passed on to one member after the other
        CREATE TABLE relay_jobs (
            relay_job_id INTEGER PRIMARY KEY AUTOINCREMENT,
            group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
            support_id INTEGER REFERENCES group_members ON DELETE CASCADE,
            -- The numbers of the members that wrote the elements, as a JSON array
            senders TEXT NOT NULL,
            -- The elements, as a payload
            body BLOB NOT NULL,
            -- What the tokens for the agent begin with
            token BLOB NOT NULL,
            -- The last member that has it; 0: none
            cursor INTEGER NOT NULL DEFAULT 0,
            is_last INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX relay_jobs_group ON relay_jobs (group_id);
        CREATE INDEX relay_jobs_support ON relay_jobs (support_id);

        -- Of a member of a served channel: a bit for each member that was told of it, and the newest roster that it got
        CREATE TABLE relay_relations (
            group_member_id INTEGER PRIMARY KEY REFERENCES group_members ON DELETE CASCADE,
            -- The bit of a member has the distance of its number from that of the user's membership
            told BLOB NOT NULL DEFAULT x'',
            roster_version INTEGER
        ) STRICT;
        """,
        down: Migration.Down(
            loses: "what a chat relay has not passed on yet",
            """
            DROP TABLE relay_relations;
            DROP TABLE relay_jobs;
            DROP TABLE relay_tasks;
            DROP TABLE relay_requests;
            """))
}
