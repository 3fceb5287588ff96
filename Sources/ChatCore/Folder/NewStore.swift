import Agent
import PageCipher
import Store
import SystemIO

/// Makes the two databases of a store.
///
/// They are made under other names, and get theirs when they are whole: a store is there completely, encrypted if it was to
/// be, or not at all.
enum NewStore {
    /// Makes both databases with their tables and nothing in them.
    ///
    /// - Throws: ``StoreError/Code/cannotOpen`` if there is a store already.
    static func create(in folder: StoreFolder, _ key: OpenedKey?) throws {
        guard !folder.exists else { throw StoreError(.cannotOpen) }
        for (path, migrations) in [
            (folder.agentDatabase, AgentSchema.migrations), (folder.chatDatabase, ChatSchema.migrations),
        ] {
            for suffix in ["", "-wal", "-shm"] { try? Files.remove(draft(of: path) + suffix) }
            let database = try Database(draft(of: path), .create, key: key?.key, slots: key?.slots)
            try database.migrate(migrations)
            try database.truncateLog()
        }
        // The one without the other is what a crash left, or a person: nobody can say what it was good for.
        if Files.exists(folder.agentDatabase) {
            try Files.move(folder.agentDatabase, to: StoreFolder.backup(of: folder.agentDatabase))
        }
        for path in folder.databases {
            for suffix in ["-wal", "-shm"] { try? Files.remove(path + suffix) }
            try Files.move(draft(of: path), to: path)
        }
    }

    private static func draft(of database: String) -> String { database + ".new" }
}

extension OpenedKey {
    /// A new key for a new store. Blocks while Argon2id works, if it is a passphrase.
    public static func make(for given: GivenKey) throws(ChatError) -> OpenedKey {
        do throws(CipherError) {
            let (key, slots) = try KeySlots.fresh(for: given.credential)
            return OpenedKey(key: key, slots: slots, slot: slots.slots.first?.id)
        } catch {
            throw ChatError(error)
        }
    }
}
