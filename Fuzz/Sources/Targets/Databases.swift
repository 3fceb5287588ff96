import Agent
import ByteCoding
import ChatCore
import Glibc
import JSONCoding
import Store
import SystemIO

extension FuzzTarget {
    /// Databases of the official apps, in which the input puts values where others are expected.
    static let databases = FuzzTarget(name: "databases") { input in
        let folder = StoreFolder("/dev/shm/tacit-fuzz-\(getpid())")
        for path in ["\(folder.path)/simplex_v1_chat.db", "\(folder.path)/simplex_v1_agent.db"] {
            for suffix in ["", "-wal", "-shm"] { try? Files.remove(path + suffix) }
        }
        try? folder.create()
        SampleDatabases.withChanges(input) { opened in
            do {
                _ = try OfficialArchive.convert(
                    opened, into: folder, key: nil, fileNames: ["a"], at: SampleDatabases.now)
            } catch is StoreError {
                return
            } catch is ChatError {
                return
            } catch {
                promise(false, "another error: \(error)")
            }
        }
    }
}

extension FuzzTarget {
    /// Databases of this program, in which the input puts values where others are expected: they are checked as those of an archive,
    /// opened, read and written in every way that needs no relay, and become an archive for the official apps.
    static let ownDatabases = FuzzTarget(name: "own-databases") { input in
        guard let sample = OwnSample.shared else { return promise(false, "the sample cannot be made") }
        sample.place(input)
        do {
            // What an import refuses is opened all the same: another program may have written it into a store.
            _ = try StagedStore.check(sample.folder, key: nil)
        } catch is TransferError {
        } catch is ChatError {
        } catch {
            promise(error is StoreError || error is SystemError, "another error: \(error)")
        }
        sample.place(input)
        sample.execute(OwnSample.reading, .reading)
        sample.execute(OwnSample.writing, .writing)
        do {
            _ = try OfficialArchive.convert(
                sample.folder, key: nil, isEncrypted: false, fileNames: ["a"], at: SampleDatabases.now)
        } catch is StoreError {
        } catch is ChatError {
        } catch {
            promise(error is TransferError || error is SystemError, "another error: \(error)")
        }
    }
}

/// A store with the contact and the group of ``SampleDatabases``, whose databases are written again for each input.
private struct OwnSample: @unchecked Sendable {
    // Safe because libFuzzer runs one input after the other.

    let folder: StoreFolder
    private static let path = "/dev/shm/tacit-fuzz-own-\(getpid())"
    private static let chatPath = path + "/simplex_v1_chat.db", agentPath = path + "/simplex_v1_agent.db"
    private let loop: EventLoop
    private let chat: Bytes
    private let agent: Bytes
    private let chatTables: [(String, [String])]
    private let agentTables: [(String, [String])]

    static let shared = try? OwnSample()

    /// Commands that only read, of each subject.
    static let reading = [
        "/users", "/_get chats 1 pcc=on", "/_get chat @1 count=100", "/_get chat #1 count=100",
        "/_get chat *1 count=10",
        "/_get chat @1 count=10 search=a", "/_get items count=50", "/_get item info @1 1", "/_get item info #1 4",
        "/_info @1", "/_info #1", "/_info #1 2", "/_members #1", "/_groups 1", "/contacts", "/_group_profile #1",
        "/_get link #1",
        "/_get code @1", "/_get tags 1", "/_ttl 1", "/fs", "/fstatus 1", "/get servers summary 1", "/_show_address 1",
        "/_call get", "/_reaction members 1 #1 4 {\"type\":\"emoji\",\"emoji\":\"👍\"}", "/smp", "/xftp",
    ].compactMap { try? ChatCommands.parse($0) }

    /// Commands that write and need no relay.
    static let writing = [
        "/_read chat @1", "/_read chat #1", "/_create *1 json [\(message)]", "/_send @1 json [\(message)]",
        "/_send #1 json [\(message)]", "/_update item @1 2 live=off json \(message)",
        "/_reaction @1 1 on {\"type\":\"emoji\",\"emoji\":\"👍\"}", "/_delete item @1 1,2 internal", "/_ttl 1 @1 3600",
        "/_set alias @1 b", "/fcancel 1", "/_clear chat @1", "/_delete #1 entity notify=off",
    ].compactMap { try? ChatCommands.parse($0) }

    private static let message = #"{"msgContent":{"type":"text","text":"a"},"mentions":{}}"#

    private init() throws {
        let folder = StoreFolder(OwnSample.path), loop = try EventLoop()
        self.folder = folder
        self.loop = loop
        promise(Self.reading.count > 20 && Self.writing.count > 8, "commands are not understood")
        OwnSample.empty(folder)
        try folder.create()
        var made: Result<Void, any Error> = .success(())
        SampleDatabases.withChanges([]) { opened in
            made = Result {
                _ = try OfficialArchive.convert(
                    opened, into: folder, key: nil, fileNames: ["a"], at: SampleDatabases.now)
            }
        }
        try made.get()
        try loop.run { try await LocalCore(folder, .writing, loop: loop).close() }
        for path in [OwnSample.chatPath, OwnSample.agentPath] {
            try Database(path, .readWrite).run("PRAGMA journal_mode=DELETE")
        }
        chatTables = SampleDatabases.tables(of: try Database(OwnSample.chatPath, .readWrite))
        agentTables = SampleDatabases.tables(of: try Database(OwnSample.agentPath, .readWrite))
        chat = try Files.read(OwnSample.chatPath, limit: 1 << 24)
        agent = try Files.read(OwnSample.agentPath, limit: 1 << 24)
    }

    private static func empty(_ folder: StoreFolder) {
        for path in [OwnSample.chatPath, OwnSample.agentPath] {
            for suffix in ["", "-wal", "-shm", "-journal"] { try? Files.remove(path + suffix) }
        }
        try? Files.remove((folder.path + "/crash"))
    }

    /// Puts the databases into the folder, with the changes that the input describes.
    func place(_ input: Bytes) {
        OwnSample.empty(folder)
        do {
            try Files.create(OwnSample.chatPath, chat)
            try Files.create(OwnSample.agentPath, agent)
            let databases = [
                (try Database(OwnSample.chatPath, .readWrite), chatTables),
                (try Database(OwnSample.agentPath, .readWrite), agentTables),
            ]
            for (database, _) in databases {
                try database.run("PRAGMA foreign_keys=OFF")
                try database.run("PRAGMA ignore_check_constraints=ON")
            }
            var reader = ByteReader(input)
            while let change = try? SampleDatabases.Change(&reader) {
                let (database, tables) = databases[Int(change.kind & 1)]
                SampleDatabases.apply(change, to: database, tables)
            }
        } catch {
            promise(false, "the databases cannot be written: \(error)")
        }
    }

    /// Opens the store, runs commands one after the other, and closes it. Each may fail, with an error of the core.
    func execute(_ commands: [any ChatCommand], _ access: LocalCore.Access) {
        let folder = folder, loop = loop
        do {
            try loop.run {
                let core = try await LocalCore(folder, access, loop: loop)
                for command in commands {
                    do {
                        let size = try await OwnSample.response(to: command, on: core)
                        promise(size < 1 << 22, "\(command.text): a response of \(size) bytes")
                    } catch let error as ChatError {
                        _ = error.fields.encoded
                    }
                }
                if access == .writing { try await core.close() }
            }
        } catch is ChatError {
        } catch {
            promise(false, "another error: \(error)")
        }
    }

    private static func response<Command: ChatCommand>(to command: Command, on core: LocalCore) async throws -> Int {
        try await core.execute(command).json.encoded.count
    }
}

/// Databases with a contact and a group, whose values can be changed.
private enum SampleDatabases {
    static let now = Timestamp(milliseconds: 1_700_000_000_000)
    private static let chat = make(OfficialChatSchema.schema, chatRows)
    private static let agent = make(OfficialAgentSchema.schema, agentRows)

    /// Both databases after the changes that the input describes: a place, and the bytes of a value. Everything is undone.
    static func withChanges(_ input: Bytes, _ body: (OfficialArchive.Opened) -> Void) {
        struct Undo: Error {}
        try? chat.database.transaction {
            try agent.database.transaction {
                var reader = ByteReader(input)
                while let change = try? Change(&reader) { apply(change) }
                body(OfficialArchive.Opened(chat: chat.database, agent: agent.database))
                throw Undo()
            }
        }
    }

    /// A database, and its tables with rows with their columns. libFuzzer runs one input after the other.
    private struct Sample: @unchecked Sendable {
        let database: Database
        let tables: [(String, [String])]
    }

    struct Change {
        let table: Int
        let column: Int
        let kind: UInt8
        let bytes: Bytes

        init(_ reader: inout ByteReader) throws(DecodeError) {
            table = Int(try reader.uint8())
            column = Int(try reader.uint8())
            kind = try reader.uint8()
            bytes = try reader.shortBytes()
        }
    }

    private static func apply(_ change: Change) {
        let sample = change.kind & 1 == 0 ? chat : agent
        apply(change, to: sample.database, sample.tables)
    }

    static func apply(_ change: Change, to database: Database, _ tables: [(String, [String])]) {
        let (name, columns) = tables[change.table % tables.count]
        let statement = "UPDATE OR IGNORE \(name) SET \(columns[change.column % columns.count]) = ?"
        switch change.kind >> 1 & 3 {
        case 0: try? database.run(statement, nil as Bytes?)
        case 1: try? database.run(statement, change.bytes)
        case 2: try? database.run(statement, String(decoding: change.bytes, as: UTF8.self))
        default:
            let number = change.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            try? database.run(statement, Int64(bitPattern: number))
        }
    }

    private static func make(_ schema: ForeignSchema, _ rows: String) -> Sample {
        do {
            let database = try Database(":memory:", .create)
            try database.run("PRAGMA foreign_keys=OFF")
            try database.run("PRAGMA ignore_check_constraints=ON")
            try schema.create(in: database, at: now)
            try database.execute(script: rows)
            return Sample(database: database, tables: tables(of: database))
        } catch {
            fatalError("the sample cannot be made: \(error)")
        }
    }

    /// The tables with rows, and their columns.
    static func tables(of database: Database) -> [(String, [String])] {
        do {
            let names = try database.rows(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'migrations'"
            ) { row throws(StoreError) in try row.text() }
            return try names.compactMap { name in
                let isEmpty = try database.first("SELECT 1 FROM \(name)") { _ in true } == nil
                return isEmpty ? nil : (name, try database.columns(of: name).sorted())
            }
        } catch {
            fatalError("the sample cannot be read: \(error)")
        }
    }

    // MARK: - Rows

    private static let time = "'2026-01-02 03:04:05'"
    private static let connection = "x'6161616161616161616161616161616161616161'"

    /// A value of bytes that are the same, behind others.
    private static func blob(_ beginning: String, _ count: Int) -> String {
        "x'" + beginning + String(repeating: "07", count: count) + "'"
    }

    private static func blob(_ count: Int) -> String { blob("", count) }

    private static let chatRows = """
        INSERT INTO display_names VALUES (1, 'alice', 'alice', 0, \(time), \(time)), (1, 'bob', 'bob', 0, \(time), \(time)),
            (1, 'team', 'team', 0, \(time), \(time)), (1, 'dave', 'dave', 0, \(time), \(time));
        INSERT INTO contact_profiles (contact_profile_id, display_name, full_name, created_at, updated_at, user_id)
            VALUES (1, 'alice', '', \(time), \(time), 1), (2, 'bob', '', \(time), \(time), 1),
                (3, 'dave', '', \(time), \(time), 1);
        INSERT INTO users (user_id, contact_id, local_display_name, active_user, created_at, updated_at, agent_user_id)
            VALUES (1, 1, 'alice', 1, \(time), \(time), 1);
        INSERT INTO contacts (contact_id, contact_profile_id, user_id, local_display_name, is_user, created_at, updated_at,
            contact_used, chat_ts) VALUES (1, 1, 1, 'alice', 1, \(time), \(time), 0, NULL),
                (2, 2, 1, 'bob', 0, \(time), \(time), 1, \(time));
        INSERT INTO group_profiles (group_profile_id, display_name, full_name, created_at, updated_at, user_id)
            VALUES (1, 'team', '', \(time), \(time), 1);
        INSERT INTO groups (group_id, user_id, local_display_name, group_profile_id, created_at, updated_at, chat_ts)
            VALUES (1, 1, 'team', 1, \(time), \(time), \(time));
        INSERT INTO group_members (group_member_id, group_id, member_id, member_role, member_category, member_status, user_id,
            local_display_name, contact_profile_id, contact_id, created_at, updated_at)
            VALUES (1, 1, x'0102', 'owner', 'user', 'creator', 1, 'alice', 1, 1, \(time), \(time)),
                (2, 1, x'0304', 'member', 'invitee', 'left', 1, 'dave', 3, NULL, \(time), \(time));
        INSERT INTO connections (connection_id, agent_conn_id, conn_status, conn_type, contact_id, user_id, updated_at)
            VALUES (1, \(connection), 'ready', 'contact', 2, 1, \(time));
        INSERT INTO chat_items (chat_item_id, user_id, contact_id, group_id, group_member_id, item_sent, item_ts, item_text,
            item_content, item_status, shared_msg_id, quoted_shared_msg_id, quoted_sent_at, quoted_content, quoted_sent) VALUES
            (1, 1, 2, NULL, NULL, 0, \(time), 'a', '{"rcvMsgContent":{"msgContent":{"type":"text","text":"a"}}}', 'rcv_read',
                x'01', NULL, NULL, NULL, NULL),
            (2, 1, 2, NULL, NULL, 1, \(time), 'b', '{"sndMsgContent":{"msgContent":{"type":"text","text":"b"}}}', 'snd_sent',
                x'02', x'01', \(time), '{"type":"text","text":"a"}', 0),
            (3, 1, 2, NULL, NULL, 1, \(time), '', '{"sndCall":{"status":"ended","duration":5}}', 'snd_sent', x'03', NULL, NULL,
                NULL, NULL),
            (4, 1, NULL, 1, 2, 0, \(time), 'c', '{"rcvMsgContent":{"msgContent":{"type":"text","text":"c"}}}', 'rcv_new', x'04',
                NULL, NULL, NULL, NULL);
        INSERT INTO files (file_id, contact_id, file_name, file_path, file_size, chunk_size, user_id, chat_item_id, updated_at,
            ci_file_status, protocol, file_crypto_key, file_crypto_nonce)
            VALUES (1, 2, 'a', 'a', 5, 15780, 1, 1, \(time), 'rcv_complete', 'xftp', \(blob(32)), \(blob(24)));
        INSERT INTO chat_item_reactions (shared_msg_id, contact_id, reaction, reaction_sent, reaction_ts)
            VALUES (x'01', 2, '{"type":"emoji","emoji":"👍"}', 1, \(time));
        """

    private static let ratchet: String = {
        let key = Base64URL.encode(Bytes(repeating: 7, count: 32))
        let privateKey =
            Bytes([0x30, 0x46, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6f, 4, 0x3a, 4, 0x38])
            + Bytes(repeating: 7, count: 56)
        let publicKey =
            Bytes([0x30, 0x42, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6f, 3, 0x39, 0]) + Bytes(repeating: 7, count: 56)
        return """
            {"rcVersion":[3,3],"rcAD":"\(Base64URL.encode(Bytes(repeating: 7, count: 112)))",\
            "rcDHRs":"\(Base64URL.encode(Bytes(Base64URL.encode(privateKey).utf8)))","rcRK":"\(key)","rcNs":1,"rcNr":2,\
            "rcPN":0,"rcNHKs":"\(key)","rcNHKr":"\(key)","rcSupportKEM":true,"rcEnableKEM":true,"rcSndKEM":false,\
            "rcRcvKEM":false,"rcSnd":{"rcDHRr":"\(Base64URL.encode(publicKey))","rcCKs":"\(key)","rcHKs":"\(key)"},\
            "rcRcv":{"rcCKr":"\(key)","rcHKr":"\(key)"}}
            """
    }()

    private static let agentRows = """
        INSERT INTO users (user_id) VALUES (1);
        INSERT INTO servers VALUES ('relay.example', '5223', CAST('\(String(repeating: "A", count: 43))=' AS BLOB));
        INSERT INTO connections (conn_id, conn_mode, user_id, smp_agent_version, pq_support) VALUES (\(connection), 'INV', 1, 7, 1);
        INSERT INTO rcv_queues (host, port, rcv_id, conn_id, rcv_private_key, rcv_dh_secret, e2e_priv_key, e2e_dh_secret, snd_id,
            status, smp_client_version, rcv_queue_id, rcv_primary, queue_mode) VALUES ('relay.example', '5223', \(blob(24)),
            \(connection), \(blob("302e020100300506032b657004220420", 32)), \(blob(32)),
            \(blob("302e020100300506032b656e04220420", 32)), \(blob(32)), \(blob(23)), 'active', 4, 1, 1, 'M');
        INSERT INTO snd_queues (host, port, snd_id, conn_id, snd_private_key, e2e_dh_secret, status, smp_client_version,
            e2e_pub_key, snd_queue_id, snd_primary, queue_mode) VALUES ('relay.example', '5223', \(blob(24)), \(connection),
            \(blob("302e020100300506032b657004220420", 32)), \(blob(32)), 'active', 4,
            \(blob("302a300506032b656e032100", 32)), 1, 1, 'M');
        INSERT INTO ratchets (conn_id, e2e_version, ratchet_state) VALUES (\(connection), 3, CAST('\(ratchet)' AS BLOB));
        INSERT INTO skipped_messages (conn_id, header_key, msg_n, msg_key) VALUES (\(connection), \(blob(32)), 3,
            \(blob("20", 48)));
        INSERT INTO messages (conn_id, internal_id, internal_ts, internal_rcv_id, msg_type, msg_body)
            VALUES (\(connection), 1, \(time), 1, x'4d', x'4d0000000000000001004d7b7d');
        INSERT INTO rcv_messages (conn_id, internal_rcv_id, internal_id, external_snd_id, broker_id, broker_ts, internal_hash,
            external_prev_snd_hash, integrity, rcv_queue_id) VALUES (\(connection), 1, 1, 1, x'01', \(time), \(blob(32)),
            \(blob(32)), x'4f4b', 1);
        INSERT INTO commands (conn_id, corr_id, command_tag, command)
            VALUES (\(connection), x'', x'41434b', CAST('CLIENT ACK 1' AS BLOB));
        """
}
