/// The operating system, as little of it as tacit needs.
///
/// - ``EventLoop``: one thread that waits for descriptors, timers and signals, and runs Swift tasks between them.
/// - ``FileDescriptor``: a descriptor with one owner, closed at the end of its life.
/// - ``FileLock``: the one-writer lock with a named holder.
/// - ``Files``: private folders, atomic replacement, key files. ``DraftFile``: a file that nobody sees before it is complete.
/// - ``Directories``: where things live (XDG, or one portable folder).
/// - ``GroupProcess``: a program beside a loop, with a limit for its time. ``FolderLock``: one process at a time.
/// - ``ServiceNotification``: telling a service manager how far this process has come.
/// - ``Subprocess``, ``Terminal``, ``SignalHold``: running a program, asking about a terminal, holding signals back.
///
/// Every call that fails reports the operation and its errno as a ``SystemError``. Nothing here knows a protocol.
import Glibc

/// A system call that failed. The description names the operation, never a path, a host or contents.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation in words a person understands: `open the file`, `connect`.
    public let operation: String
    /// The number the system gave, see errno(3).
    public let number: Int32

    public init(_ operation: StaticString, number: Int32) {
        self.operation = operation.description
        self.number = number
    }

    /// The error of the call that failed last on this thread.
    public static func last(_ operation: StaticString) -> SystemError {
        SystemError(operation, number: errno)
    }

    public var description: String {
        "cannot \(operation): \(reason)"
    }

    /// The system's sentence for the number, in lower case as it appears inside of other sentences.
    public var reason: String {
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        let sentence = unsafe String(cString: text)
        return sentence.prefix(1).lowercased() + sentence.dropFirst()
    }
}

/// Repeats a system call as long as a signal interrupts it; a negative result is the error of `operation`.
@discardableResult
public func systemCall<Result: SignedInteger>(
    _ operation: StaticString, _ call: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        guard errno == EINTR else { throw .last(operation) }
    }
}
