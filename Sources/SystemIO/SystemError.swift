import Glibc

/// The error of a system call. The description names the operation, never a path, a host or contents.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation in words for users: `open the file`, `connect`.
    public let operation: String
    /// The number of the error (errno(3)).
    public let number: Int32

    /// Creates a system error from its parts.
    public init(_ operation: StaticString, number: Int32) {
        self.operation = operation.description
        self.number = number
    }

    /// Returns the error of the last failed call on this thread.
    public static func last(_ operation: StaticString) -> SystemError {
        SystemError(operation, number: errno)
    }

    /// The operation and the reason.
    public var description: String {
        "cannot \(operation): \(reason)"
    }

    /// The system's text of the error, in lower case as inside of a sentence.
    public var reason: String {
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        let sentence = unsafe String(cString: text)
        return sentence.prefix(1).lowercased() + sentence.dropFirst()
    }
}

/// Repeats a system call while a signal interrupts it.
///
/// - Throws: The error of `operation` for a negative result.
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
    /// The kind of a failure, as far as callers distinguish it.
    public enum Condition: Hashable, Sendable {
        /// The file does not exist.
        case missing
        /// The file already exists.
        case exists
        /// The operation is not permitted.
        case denied
        /// The disk, the quota or the size limit of a file is exhausted.
        case noSpace
        /// The file system has no reliable locks.
        case noLocks
        /// Any other failure.
        case other
    }

    /// The number of an existing file.
    public static let exists = EEXIST

    /// The number of a call that would block.
    public static let wouldWait = EAGAIN

    /// The number of a call without permission.
    public static let denied = EACCES

    /// The number of a closed connection.
    public static let disconnected = ECONNRESET

    /// The number of a folder, pipe or device instead of a file.
    public static let notAFile = EISDIR

    /// The number of a timeout.
    public static let timedOut = ETIMEDOUT

    /// The number of a size above the limit.
    public static let tooLong = EFBIG

    /// The error of a disk without room for the bytes of a file.
    public static let fullDisk = SystemError("write the file", number: ENOSPC)

    /// The number of a protocol violation.
    public static let protocolViolation = EPROTO

    /// True if the call would block or was interrupted, and can be repeated later.
    public var isRetry: Bool { number == EAGAIN || number == EINTR }

    /// The kind of the failure.
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
