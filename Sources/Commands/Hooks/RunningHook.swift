import Synchronization
import SystemIO

/// The hook that is running now, if one is: who ends this process ends it too, so that it does not run beside the next attempt.
final class RunningHook: Sendable {
    private let number = Mutex<Int32?>(nil)

    var pid: Int32? {
        get { number.withLock { $0 } }
        set { number.withLock { $0 = newValue } }
    }

    /// Asks it to end, with all that it has started.
    func end() {
        if let pid { GroupProcess.end(pid) }
    }
}
