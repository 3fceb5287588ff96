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

extension SystemError {
    /// What a failed call means for whoever asked for it.
    public enum Condition: Hashable, Sendable {
        /// The file is not there.
        case missing
        /// The file is there already.
        case exists
        case denied
        /// The disk, the quota or the largest size of a file is full.
        case noSpace
        /// The file system has no locks that could be relied on.
        case noLocks
        case other
    }

    /// The number for what is there already.
    public static let exists = EEXIST

    /// The number for what cannot be done without waiting.
    public static let wouldWait = EAGAIN

    /// The number for what is not allowed.
    public static let denied = EACCES

    /// The number for an other end that is not there any more.
    public static let disconnected = ECONNRESET

    /// The number for what should be a file, and is a folder, a pipe or a device.
    public static let notAFile = EISDIR

    /// The number for what takes too long.
    public static let timedOut = ETIMEDOUT

    /// The number for what is too long.
    public static let tooLong = EFBIG

    /// The number for a message that breaks the rules of its protocol.
    public static let protocolViolation = EPROTO

    /// Whether the call would have had to wait, or was interrupted: it can be made again later.
    public var isRetry: Bool { number == EAGAIN || number == EINTR }

    public var condition: Condition {
        switch number {
        case ENOENT, ENOTDIR: .missing
        case EEXIST: .exists
        case EACCES, EPERM, EROFS: .denied
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case ENOLCK, ENOTSUP, ENOSYS: .noLocks
        default: .other
        }
    }
}
