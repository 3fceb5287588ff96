import Glibc
import Synchronization
import SystemIO

/// A thread with an event loop, for one store at a time.
///
/// The thread does not end: an idle one waits for the next store. So everything that belongs to a loop ends on its thread,
/// whichever thread closes the store.
final class LoopThread: Sendable {
    let loop: EventLoop

    private static let idle = Mutex<[LoopThread]>([])

    private init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Returns an idle thread, or starts one.
    ///
    /// - Throws: ``SystemError``, or ``LibraryError/system(_:)``.
    static func take() throws -> LoopThread {
        if let thread = idle.withLock({ $0.popLast() }) { return thread }
        let started = try BlockingResult<Result<LoopThread, LibraryError>>()
        let caller = pthread_self()
        WorkerThread.start {
            guard pthread_equal(caller, pthread_self()) == 0 else {
                return started.deliver(.failure(.system("no thread can be started")))
            }
            do throws(SystemError) {
                let thread = LoopThread(try EventLoop())
                started.deliver(.success(thread))
                thread.loop.run { false }
            } catch {
                started.deliver(.failure(.system(error.description)))
            }
        }
        return try started.wait().get()
    }

    /// Makes the thread idle. The caller has ended everything on it.
    func release() {
        LoopThread.idle.withLock { $0.append(self) }
    }
}
