import Glibc

/// Processes that are not children of this one.
public enum OtherProcess {
    /// Sends SIGTERM to a process (kill(2)). Returns false if the process does not exist or belongs to another user.
    ///
    /// - Parameter id: The number of the process, which the caller has just verified.
    public static func askToEnd(_ id: Int64) -> Bool {
        // SECURITY: zero and negative numbers denote process groups.
        guard let id = pid_t(exactly: id), id > 1 else { return false }
        return kill(id, SIGTERM) == 0
    }
}
