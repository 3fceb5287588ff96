import Glibc

/// Waits for what happens soon, and not for ever.
public enum Deadline {
    /// Asks every millisecond until `condition` holds; false if it does not within ten seconds.
    public static func reached(_ condition: () throws -> Bool) rethrows -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while try !condition() {
            guard ContinuousClock.now < end else { return false }
            usleep(1000)
        }
        return true
    }
}
