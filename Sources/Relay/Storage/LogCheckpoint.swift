import Store
import Synchronization
import SystemIO

/// Copies the write-ahead log into the database file on a thread of its own, through a second connection, because it waits
/// for the disk: 10 ms on a good one, ten times that on another.
///
/// It copies what the log holds when it begins. What is written meanwhile stays in the log, which therefore does not end
/// before the owner of the database has made a checkpoint too; that one has little to do.
final class LogCheckpoint: Sendable {
    private let state = Atomic(false)

    /// Begins on another thread.
    init(of path: String) {
        WorkerThread.start { [self] in
            // What fails here (a reader, the disk) is done by the next checkpoint.
            try? Database(path, .readWrite, durability: .process).checkpoint()
            state.store(true, ordering: .releasing)
        }
    }

    var isDone: Bool { state.load(ordering: .acquiring) }
}
