import Store
import SystemIO

/// Both databases as they were at one moment, whoever writes to them meanwhile.
///
/// One after the other would not do. Had the agent's database been copied first, the chat database of a moment later could
/// know events that this agent never had, and the numbers of which it will give to other events, which would be taken for
/// known ones: messages lost. Had the chat database been first, the agent could have forgotten events since that this chat
/// database never saw: lost as well. At one moment the two are what a loss of power would leave, and everything is made so
/// that nothing is lost then: what one does not have is repeated from the other.
///
/// For that moment nobody may be in the middle of writing: both databases are locked for writing, their present states are
/// held on to by two readers, and the locks are given back. A writer waits for a few milliseconds. Nobody waits here with one
/// lock in the hand: who writes to one database may be about to write to the other.
struct StoreSnapshot {
    let agent: Database
    let chat: Database

    /// How long a moment without writers is waited for.
    private static let timeout = Duration.seconds(30)
    private static let pause = Duration.milliseconds(10)

    /// Opens a store and runs `body` on its state of now.
    ///
    /// - Throws: ``StoreError/Code/busy`` if writers leave no moment.
    static func with<Value>(
        _ folder: StoreFolder, _ key: OpenedKey?, _ body: (StoreSnapshot) throws -> Value
    ) throws -> Value {
        var holders: [Database] = [], access = Database.Access.readWrite
        do throws(StoreError) {
            // These two write nothing, but only who may write can hold writers off.
            for path in folder.databases {
                holders.append(try Database(path, .readWrite, key: key?.key, busyTimeout: 0))
            }
        } catch {
            // Where nothing can be written there are none.
            guard error.preventsWriting else { throw error }
            (holders, access) = ([], .readOnly)
        }
        let readers = try folder.databases.map { try Database($0, access, key: key?.key) }
        // Databases of another program are not copied.
        for reader in readers { _ = try reader.takenSteps() }
        guard let agent = readers.first, let chat = readers.last else { throw StoreError(.misuse) }
        try hold(holders)
        return try agent.snapshot {
            try chat.snapshot {
                for holder in holders { holder.rollback() }
                return try body(StoreSnapshot(agent: agent, chat: chat))
            }
        }
    }

    /// Copies both databases as they are now into new files, the agent's first: encrypted as they are, with the same key.
    ///
    /// - Parameter progress: Called from time to time with the number of the database, 1 or 2, and the pages that were
    ///   copied of it, and all. Ends the copying by throwing.
    static func copy(
        _ folder: StoreFolder, _ key: OpenedKey?, to paths: [String],
        progress: (_ database: Int, _ done: Int, _ all: Int) throws -> Void
    ) throws {
        try with(folder, key) { snapshot in
            for (index, (database, path)) in zip([snapshot.agent, snapshot.chat], paths).enumerated() {
                try database.copySnapshot(to: path, key: key?.key, slots: key?.slots) { done, all in
                    try progress(index + 1, done, all)
                }
            }
        }
    }

    private static func hold(_ holders: [Database]) throws {
        let deadline = ContinuousClock.now + timeout
        while true {
            do throws(StoreError) {
                for holder in holders { try holder.begin() }
                return
            } catch {
                for holder in holders { holder.rollback() }
                guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
                SystemClock.pause(pause)
            }
        }
    }
}
