import ByteCoding
import Synchronization

/// The controllers of the process, by the numbers that callers have in place of pointers.
///
/// A number is never used twice, so that a call with a number of a closed controller, or of none, is an error and not a fault.
enum Controllers {
    private struct Table {
        var controllers: [UInt: Controller] = [:]
        var last: UInt = 0
    }

    private static let table = Mutex(Table())

    /// Adds a controller and returns its number, which is not null.
    static func add(_ controller: Controller) -> UnsafeMutableRawPointer? {
        unsafe table.withLock { table in
            // Callers may take an odd pointer for a mistake.
            table.last += 16
            table.controllers[table.last] = controller
            return unsafe UnsafeMutableRawPointer(bitPattern: table.last)
        }
    }

    /// Returns what `body` returns for a controller, or the answer to an error.
    static func use<Answer>(
        _ number: UnsafeMutableRawPointer?, or answer: (LibraryError) -> Answer, _ body: (Controller) -> Answer
    ) -> Answer {
        // Before any lock: a lock may have been held during the fork.
        guard !LibraryProcess.isForked else { return answer(.forked) }
        let controller = table.withLock { table in table.controllers[UInt(bitPattern: number)] }
        guard let controller else { return answer(.unknownController) }
        return body(controller)
    }
}
