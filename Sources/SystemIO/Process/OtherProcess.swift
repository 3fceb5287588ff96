import Glibc

/// Processes that are no children of this one.
public enum OtherProcess {
    /// Asks a process to end (kill(2) with SIGTERM). False if it is not there, or is somebody else's.
    ///
    /// - Parameter id: Its number, of which the caller has made sure just now that it is the one that is meant.
    public static func askToEnd(_ id: Int64) -> Bool {
        // SECURITY: zero and negative numbers stand for groups of processes.
        guard let id = pid_t(exactly: id), id > 1 else { return false }
        return kill(id, SIGTERM) == 0
    }
}
